//! An old group: names in a local heap, found by a B-tree of symbol table nodes.
//!
//! Source: HDF5 file format specification, IV.A.2.r "The Symbol Table Message", III.B "Symbol
//! Table Nodes", III.C "Symbol Table Entry".
#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use crate::btree_v1::{NodeKind, for_each_leaf};
use crate::error::Result;
use crate::heap::local::LocalHeap;
use crate::message::Message;
use crate::message::link::{Link, LinkTarget};
use crate::source::Source;

const NAME: &str = "symbol table node";
/// The cache type of an entry that is a soft link.
const SOFT_LINK: u32 = 2;

/// All links of the group whose symbol table message this is.
pub(crate) fn read(source: &Source, message: &Message) -> Result<Vec<Link>> {
    let mut cursor = message.cursor("symbol table", source);
    let tree = cursor.defined_address()?;
    let heap = LocalHeap::read(source, cursor.defined_address()?)?;
    let mut links = Vec::new();
    for_each_leaf(source, tree, NodeKind::Group, &mut |_, node| {
        read_node(source, &heap, node, &mut links)
    })?;
    Ok(links)
}

fn read_node(
    source: &Source,
    heap: &LocalHeap<'_>,
    address: u64,
    links: &mut Vec<Link>,
) -> Result<()> {
    let head = source.read(NAME, address, 8)?;
    let mut cursor = source.cursor(NAME, address, &head);
    cursor.signature(*b"SNOD")?;
    cursor.version(1)?;
    cursor.skip(1)?;
    let n_entries = u64::from(cursor.u16()?);
    let entry_bytes = u64::from(source.sizes().offset_bytes)
        .saturating_mul(2)
        .saturating_add(24);
    let start = address.saturating_add(8);
    let bytes = source.read(NAME, start, n_entries.saturating_mul(entry_bytes))?;
    let mut cursor = source.cursor(NAME, start, &bytes);
    for _ in 0..n_entries {
        let name_offset = cursor.address()?.unwrap_or_default();
        let header = cursor.address()?;
        let cache_type = cursor.u32()?;
        cursor.skip(4)?;
        let mut scratch = cursor.sub(16)?;
        let mut is_exact = true;
        let name = heap.text(source, name_offset, &mut is_exact)?;
        let target = match (cache_type, header) {
            (SOFT_LINK, _) => {
                let path = scratch.u32()?.into();
                LinkTarget::Soft(heap.text(source, path, &mut is_exact)?)
            }
            (_, Some(header)) => LinkTarget::Hard(header),
            (_, None) => return Err(cursor.corrupt("an entry that leads somewhere", u64::MAX)),
        };
        links.push(Link {
            name,
            target,
            creation_order: None,
            is_exact,
        });
    }
    Ok(())
}
