//! Everything of another file that anything leads to, into a file of its own: for compaction.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::attributes::Attributes;
use super::dataset::{DatasetNode, Values};
use super::group::{Child, DEPTH_MAX, GroupNode, check_link};
use super::{Editor, Node, NodeId, ROOT};
use crate::attribute;
use crate::cursor::Sizes;
use crate::dataset::Dataset;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::file::Hdf5File;
use crate::group::{Group, Object};
use crate::heap::global::HeapReference;
use crate::message::attribute::{AttributeMessage, CommittedTypes};
use crate::message::layout::Layout;
use crate::message::link::LinkTarget;
use crate::message::{ATTRIBUTE, Message};
use crate::object_header::ObjectHeader;
use crate::source::Source;
use crate::value::ValueReader;

/// How many bytes of a contiguous dataset are copied at once.
const PIECE_BYTES: u64 = 8 << 20;

impl Editor<'_> {
    /// Copies everything that the root of `file` leads to into the root of this one, which must
    /// have nothing of the same names. Chunks without variable-length data are copied as they are.
    ///
    /// # Errors
    ///
    /// [`Error::NotSupported`] where the file has references to objects or regions, or objects with
    /// several names; what reading and writing can give. What was copied until then stays.
    pub fn copy_live(&mut self, file: &Hdf5File) -> Result<()> {
        let root = file.root()?;
        if root.source.sizes() != Sizes::WRITTEN {
            return Err(Error::not_supported(
                "copying a file whose addresses are not 8 bytes",
            ));
        }
        let mut copy = Copy {
            seen: BTreeSet::from([root.address()]),
            heap_bytes_left: root.source.end().saturating_mul(2),
        };
        self.copy_group(&root, (ROOT, 0), &mut copy)
    }

    /// Copies what a group holds into the node `to`, which lies in `depth` groups.
    fn copy_group(
        &mut self,
        from: &Group,
        (to, depth): (NodeId, usize),
        copy: &mut Copy,
    ) -> Result<()> {
        if depth > DEPTH_MAX {
            let (structure, limit) = ("groups within groups", DEPTH_MAX as u64);
            return Err(Error::Limit {
                structure,
                offset_bytes: from.address(),
                asked: depth as u64,
                limit,
            });
        }
        self.group_mut(to)?.track_as(&from.source, &from.header)?;
        self.copy_attributes(&from.source, &from.header, to, copy)?;
        for link in from.links()? {
            check_link(&link)?;
            let order = link.creation_order.unwrap_or(0);
            let LinkTarget::Hard(address) = link.target else {
                self.check_free(to, &link.name)?;
                let child = Child::Other(link.target);
                self.group_mut(to)?.keep(&link.name, order, child);
                continue;
            };
            if !copy.seen.insert(address) {
                return Err(Error::not_supported(
                    "copying an object that has several names",
                ));
            }
            match from.object_at(address)? {
                Object::Group(group) => {
                    self.keep(to, (&link.name, order), Node::Group(GroupNode::empty()))?;
                    self.copy_group(&group, (self.nodes.len() - 1, depth + 1), copy)?;
                }
                Object::Dataset(dataset) => {
                    let node = DatasetNode::read(&dataset.source, &dataset.header)?;
                    self.keep(to, (&link.name, order), Node::Dataset(Box::new(node)))?;
                    self.copy_dataset(&dataset, self.nodes.len() - 1, copy)?;
                }
                Object::Datatype(_) => {
                    return Err(Error::not_supported("copying a committed datatype"));
                }
            }
        }
        Ok(())
    }

    /// Takes over an object under its name, with the name's place in the order.
    fn keep(&mut self, to: NodeId, (name, order): (&str, u64), node: Node) -> Result<()> {
        self.check_free(to, name)?;
        let id = self.nodes.len();
        self.nodes.push(node);
        self.group_mut(to)?.keep(name, order, Child::Node(id));
        Ok(())
    }

    fn copy_attributes(
        &mut self,
        source: &Source,
        header: &ObjectHeader,
        to: NodeId,
        copy: &mut Copy,
    ) -> Result<()> {
        let mut committed = CommittedTypes::of(source);
        for message in attribute::messages(source, header)? {
            let mut cursor = message.cursor("attribute", source).strict();
            let mut attribute = AttributeMessage::decode(&mut cursor, source, &mut committed)?;
            let mut reader = Translator::new(source, copy);
            self.translate(&mut reader, &attribute.datatype, &mut attribute.bytes)?;
            let message = Message {
                creation_order: message.creation_order,
                ..Message::new(ATTRIBUTE, attribute.encode()?)
            };
            self.attributes_mut(to).keep(&attribute.name, message);
            self.written_mut(to).changed = true;
        }
        Ok(())
    }

    fn copy_dataset(&mut self, from: &Dataset, to: NodeId, copy: &mut Copy) -> Result<()> {
        *self.attributes_mut(to) = Attributes::none_of(&from.source, &from.header)?;
        self.copy_attributes(&from.source, &from.header, to, copy)?;
        let node = self.dataset_mut(to)?;
        node.written = super::Written {
            changed: true,
            ..super::Written::default()
        };
        let alignment = node.alignment_bytes;
        let datatype = node.datatype.clone();
        if refers_to_objects(&datatype) {
            return Err(Error::not_supported("copying references to objects"));
        }
        let mut reader = Translator::new(&from.source, copy);
        self.copy_fill(to, &datatype, &mut reader)?;
        match &mut self.dataset_mut(to)?.values {
            Values::Compact(bytes) => {
                let mut bytes = std::mem::take(bytes);
                self.translate(&mut reader, &datatype, &mut bytes)?;
                if let Values::Compact(to) = &mut self.dataset_mut(to)?.values {
                    *to = bytes;
                }
                Ok(())
            }
            Values::Contiguous { address: None, .. } => Ok(()),
            Values::Contiguous { address, len_bytes } => {
                let (old, len) = (address.take().unwrap_or_default(), *len_bytes);
                let new = self.copy_contiguous(from, (old, len), alignment, &mut reader)?;
                if let Values::Contiguous { address, .. } = &mut self.dataset_mut(to)?.values {
                    *address = new;
                }
                Ok(())
            }
            Values::Chunked(chunks) => {
                let refs = std::mem::take(&mut chunks.refs);
                self.copy_chunks(from, to, refs, &mut reader)
            }
        }
    }

    /// Takes a fill value of variable length into this file's heap: it is read wherever nothing was
    /// written, and lies in every chunk that was not written whole.
    fn copy_fill(
        &mut self,
        to: NodeId,
        datatype: &Datatype,
        reader: &mut Translator<'_>,
    ) -> Result<()> {
        let Some(mut fill) = self.dataset_mut(to)?.fill.take() else {
            return Ok(());
        };
        reader.is_fill = true;
        let copied = self.translate(reader, datatype, &mut fill);
        reader.is_fill = false;
        self.dataset_mut(to)?.fill = Some(fill);
        copied
    }

    fn copy_contiguous(
        &mut self,
        from: &Dataset,
        (old, len): (u64, u64),
        alignment: u64,
        reader: &mut Translator<'_>,
    ) -> Result<Option<u64>> {
        let datatype = from.datatype();
        let element_bytes = u64::from(datatype.size_bytes());
        let step = (PIECE_BYTES / element_bytes).max(1) * element_bytes;
        // Texts go to collections between the pieces, so that those pieces must come in one.
        let step = if datatype.has_heap_data() {
            len.max(1)
        } else {
            step
        };
        let mut first = None;
        let mut done = 0;
        while done < len {
            let n = step.min(len - done);
            let mut bytes = from
                .source
                .read("contiguous dataset", old + done, n)?
                .into_owned();
            self.translate(reader, datatype, &mut bytes)?;
            let align = if first.is_none() { alignment } else { 1 };
            let address = self.target.sink().put(Cow::Owned(bytes), align)?;
            first.get_or_insert(address);
            done += n;
        }
        Ok(first)
    }

    fn copy_chunks(
        &mut self,
        from: &Dataset,
        to: NodeId,
        refs: Vec<Option<crate::chunk_index::ChunkRef>>,
        reader: &mut Translator<'_>,
    ) -> Result<()> {
        let Layout::Chunked(layout) = &from.description.layout else {
            return Ok(());
        };
        let alignment = self.dataset_ref(to)?.alignment_bytes;
        let datatype = from.datatype().clone();
        let translated = datatype.has_heap_data();
        for (position, chunk) in (0_u64..).zip(refs) {
            let Some(mut chunk) = chunk else { continue };
            let mut bytes = from.source.read("chunk", chunk.address, chunk.len_bytes)?;
            if translated {
                let len = usize::try_from(layout.chunk_bytes()).unwrap_or(usize::MAX);
                let pipeline = &from.description.pipeline;
                let mut values = pipeline
                    .decode(bytes, chunk.mask, len, chunk.address)?
                    .into_owned();
                self.translate(reader, &datatype, &mut values)?;
                (bytes, chunk.mask) = pipeline.encode(Cow::Owned(values))?;
            }
            chunk.len_bytes = bytes.len() as u64;
            chunk.address = self
                .target
                .sink()
                .put(Cow::Owned(bytes.into_owned()), alignment)?;
            if let Values::Chunked(chunks) = &mut self.dataset_mut(to)?.values {
                chunks.set(position, chunk)?;
            }
        }
        Ok(())
    }

    /// Takes what elements of `datatype` keep in the heap of another file into this one's.
    fn translate(
        &mut self,
        reader: &mut Translator<'_>,
        datatype: &Datatype,
        bytes: &mut [u8],
    ) -> Result<()> {
        if refers_to_objects(datatype) {
            return Err(Error::not_supported("copying references to objects"));
        }
        if !datatype.has_heap_data() {
            return Ok(());
        }
        let size = datatype.size_bytes() as usize;
        match datatype {
            Datatype::VlenString { .. } | Datatype::Sequence { .. } => {
                self.translate_references(reader, datatype, bytes)
            }
            Datatype::Array { base, .. } => self.translate(reader, base, bytes),
            Datatype::Compound { members, .. } => {
                for element in bytes.chunks_exact_mut(size) {
                    for member in members {
                        let start = member.offset_bytes as usize;
                        let len = member.datatype.size_bytes() as usize;
                        self.translate(reader, &member.datatype, &mut element[start..start + len])?;
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn translate_references(
        &mut self,
        reader: &mut Translator<'_>,
        datatype: &Datatype,
        bytes: &mut [u8],
    ) -> Result<()> {
        let (unit, inner) = match datatype {
            Datatype::Sequence { base, .. } => (base.size_bytes(), Some(base)),
            _ => (1, None),
        };
        // Elements that point to one value keep pointing to one, and values keep their order.
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut values = Vec::new();
        for element in bytes.chunks_exact(REFERENCE_BYTES) {
            if known.contains_key(element) || reader.fills.contains_key(element) {
                continue;
            }
            let mut value = reader.heap_bytes(element, unit)?;
            if let Some(base) = inner {
                self.translate(reader, base, &mut value)?;
            }
            known.insert(element.to_vec(), values.len());
            values.push(value);
        }
        let slices: Vec<_> = values.iter().map(Vec::as_slice).collect();
        let references = self.heap.add_all(&slices, self.target.sink())?;
        for element in bytes.chunks_exact_mut(REFERENCE_BYTES) {
            let Some(value) = known.get(&*element) else {
                element.copy_from_slice(&reader.fills[&*element]);
                continue;
            };
            let reference = HeapReference {
                len: references[*value].len / unit.max(1),
                ..references[*value]
            };
            let reference = reference.encode();
            if reader.is_fill {
                reader.fills.insert(element.to_vec(), reference);
            }
            element.copy_from_slice(&reference);
        }
        Ok(())
    }
}

/// How long the reference of an element of variable length is.
const REFERENCE_BYTES: usize = 16;

/// One copying of a file.
struct Copy {
    /// The objects that were met.
    seen: BTreeSet<u64>,
    /// How many bytes of the heap may still be copied: twice the file, which holds each value
    /// once. Without a bound a few values that many elements share would fill any disk.
    heap_bytes_left: u64,
}

/// What values of variable length of one object are read with.
struct Translator<'a> {
    values: ValueReader<'a>,
    copy: &'a mut Copy,
    source_bytes: u64,
    /// Whether what is read now is the fill value.
    is_fill: bool,
    /// The references of the fill value and what they are in the copy: many elements share them.
    fills: HashMap<Vec<u8>, [u8; REFERENCE_BYTES]>,
}

impl<'a> Translator<'a> {
    fn new(source: &'a Source, copy: &'a mut Copy) -> Self {
        Self {
            values: ValueReader::new(source),
            copy,
            source_bytes: source.end(),
            is_fill: false,
            fills: HashMap::new(),
        }
    }

    fn heap_bytes(&mut self, element: &[u8], unit: u32) -> Result<Vec<u8>> {
        let value = self.values.heap_bytes(element, unit)?;
        let len = value.len() as u64;
        self.copy.heap_bytes_left =
            self.copy
                .heap_bytes_left
                .checked_sub(len)
                .ok_or(Error::Limit {
                    structure: "values of variable length that elements share",
                    offset_bytes: 0,
                    asked: self.source_bytes.saturating_mul(2).saturating_add(len),
                    limit: self.source_bytes.saturating_mul(2),
                })?;
        Ok(value.to_vec())
    }
}

fn refers_to_objects(datatype: &Datatype) -> bool {
    match datatype {
        Datatype::Reference { .. } => true,
        Datatype::Compound { members, .. } => members
            .iter()
            .any(|member| refers_to_objects(&member.datatype)),
        Datatype::Array { base, .. } | Datatype::Sequence { base, .. } => refers_to_objects(base),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
