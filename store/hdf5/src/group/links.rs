//! The links of a group, whichever way it keeps them.
//!
//! Source: HDF5 file format specification, IV.A.2.c "The Link Info Message"; B-tree record type 5.
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use super::symbol_table;
use crate::btree_v2::BtreeV2;
use crate::checksum::lookup3;
use crate::error::Result;
use crate::heap::fractal::FractalHeap;
use crate::message::link::{Info, Link, decode_link_info};
use crate::message::{LINK, LINK_INFO, SYMBOL_TABLE};
use crate::object_header::ObjectHeader;
use crate::source::Source;

/// The B-tree type of records that find links by name.
const NAME_RECORDS: u8 = 5;

/// Where the links are that are not in the header, and whether their order is tracked.
pub(crate) fn info(source: &Source, header: &ObjectHeader) -> Result<Info> {
    match header.find(LINK_INFO) {
        Some(message) => decode_link_info(&mut message.cursor("link info", source)),
        None => Ok(Info::default()),
    }
}

/// Whether an object with this header is a group.
pub(crate) fn is_group(header: &ObjectHeader) -> bool {
    [SYMBOL_TABLE, LINK_INFO, LINK]
        .into_iter()
        .any(|kind| header.find(kind).is_some())
}

/// All links, in the order of their names.
pub(crate) fn read_all(source: &Source, header: &ObjectHeader) -> Result<Vec<Link>> {
    let mut links = compact(source, header)?;
    if let Some(dense) = info(source, header)?.dense {
        let heap = FractalHeap::read(source, dense.heap)?;
        for record in BtreeV2::read(source, dense.names)?.records(NAME_RECORDS)? {
            links.push(dense_link(
                source,
                &heap,
                record.get(4..).unwrap_or_default(),
            )?);
        }
    }
    links.sort();
    Ok(links)
}

/// The link of this name.
pub(crate) fn find(source: &Source, header: &ObjectHeader, name: &str) -> Result<Option<Link>> {
    if let Some(link) = compact(source, header)?
        .into_iter()
        .find(|link| link.name == name)
    {
        return Ok(Some(link));
    }
    let Some(dense) = info(source, header)?.dense else {
        return Ok(None);
    };
    let heap = FractalHeap::read(source, dense.heap)?;
    let wanted = lookup3(name.as_bytes());
    let hash = |record: &[u8]| {
        record
            .first_chunk()
            .map_or(0, |hash| u32::from_le_bytes(*hash))
    };
    let tree = BtreeV2::read(source, dense.names)?;
    for record in tree.search(NAME_RECORDS, &|record| hash(record).cmp(&wanted))? {
        let link = dense_link(source, &heap, record.get(4..).unwrap_or_default())?;
        if link.name == name {
            return Ok(Some(link));
        }
    }
    Ok(None)
}

fn compact(source: &Source, header: &ObjectHeader) -> Result<Vec<Link>> {
    let mut links = match header.find(SYMBOL_TABLE) {
        Some(message) => symbol_table::read(source, message)?,
        None => Vec::new(),
    };
    for message in header.all(LINK) {
        links.push(Link::decode(&mut message.cursor("link", source))?);
    }
    Ok(links)
}

fn dense_link(source: &Source, heap: &FractalHeap<'_>, id: &[u8]) -> Result<Link> {
    let (address, bytes) = heap.object(id.get(..heap.id_len()).unwrap_or(id))?;
    Link::decode(&mut source.cursor("link", address, &bytes))
}
