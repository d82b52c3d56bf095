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
use crate::cursor::Cursor;
use crate::error::{Error, Result};
use crate::heap::local::LocalHeap;
use crate::message::Message;
use crate::message::link::{Link, LinkTarget};
use crate::source::{Budget, Source};

const NAME: &str = "symbol table node";
/// The cache type of an entry that is a soft link.
const SOFT_LINK: u32 = 2;

/// All links of the group whose symbol table message this is.
pub(crate) fn read(source: &Source, message: &Message) -> Result<Vec<Link>> {
    let mut cursor = message.cursor("symbol table", source);
    let tree = cursor.defined_address()?;
    let heap = LocalHeap::read(source, cursor.defined_address()?)?;
    let mut reader = Reader {
        source,
        heap,
        nodes: Budget::of(source),
        names: Budget::of(source),
        links: Vec::new(),
    };
    for_each_leaf(source, tree, NodeKind::Group, &mut |_, node| {
        reader.read_node(node)
    })?;
    Ok(reader.links)
}

/// A table being read.
struct Reader<'a> {
    source: &'a Source,
    heap: LocalHeap<'a>,
    nodes: Budget,
    names: Budget,
    links: Vec<Link>,
}

impl Reader<'_> {
    fn read_node(&mut self, address: u64) -> Result<()> {
        let source = self.source;
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
        let len = n_entries.saturating_mul(entry_bytes);
        self.nodes.take(NAME, address, len.saturating_add(8))?;
        let bytes = source.read(NAME, start, len)?;
        let mut cursor = source.cursor(NAME, start, &bytes);
        for _ in 0..n_entries {
            self.read_entry(&mut cursor)?;
        }
        Ok(())
    }

    fn read_entry(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let offset_bytes = cursor.offset();
        let name_offset = cursor.address()?.unwrap_or_default();
        let header = cursor.address()?;
        let cache_type = cursor.u32()?;
        cursor.skip(4)?;
        let mut scratch = cursor.sub(16)?;
        let mut is_exact = true;
        let mut text = |offset| {
            let text = self.heap.text(self.source, offset, &mut is_exact)?;
            // Each has a place of its own in the heap.
            self.names.take(NAME, offset_bytes, text.len() as u64)?;
            Ok::<_, Error>(text)
        };
        let name = text(name_offset)?;
        let target = match (cache_type, header) {
            (SOFT_LINK, _) => LinkTarget::Soft(text(scratch.u32()?.into())?),
            (_, Some(header)) => LinkTarget::Hard(header),
            (_, None) => return Err(cursor.corrupt("an entry that leads somewhere", u64::MAX)),
        };
        self.links.push(Link {
            name,
            target,
            creation_order: None,
            is_exact,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
