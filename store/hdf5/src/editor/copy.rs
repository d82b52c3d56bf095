//! Everything of another file that anything leads to, into a file of its own: for compaction.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::attributes::Attributes;
use super::dataset::{DatasetNode, Values};
use super::group::{Child, GroupNode};
use super::{Editor, Node, NodeId, ROOT};
use crate::attribute;
use crate::cursor::Sizes;
use crate::dataset::Dataset;
use crate::datatype::Datatype;
use crate::error::{Error, Result};
use crate::file::Hdf5File;
use crate::group::{Group, Object};
use crate::heap::global::HeapReference;
use crate::message::attribute::AttributeMessage;
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
    /// [`Error::NotSupported`] where the file has object references, or objects with several
    /// names; what reading and writing can give.
    pub fn copy_live(&mut self, file: &Hdf5File) -> Result<()> {
        let root = file.root()?;
        if root.source.sizes() != Sizes::WRITTEN {
            return Err(Error::not_supported(
                "copying a file whose addresses are not 8 bytes",
            ));
        }
        let mut seen = BTreeSet::from([root.address()]);
        self.copy_group(&root, ROOT, &mut seen)
    }

    fn copy_group(&mut self, from: &Group, to: NodeId, seen: &mut BTreeSet<u64>) -> Result<()> {
        self.copy_attributes(&from.source, &from.header, to)?;
        for link in from.links()? {
            let LinkTarget::Hard(address) = link.target else {
                self.check_free(to, &link.name)?;
                self.group_mut(to)?
                    .links
                    .insert(link.name, Child::Other(link.target));
                continue;
            };
            if !seen.insert(address) {
                return Err(Error::not_supported(
                    "copying an object that has several names",
                ));
            }
            match from.object_at(address)? {
                Object::Group(group) => {
                    self.insert(to, &link.name, Node::Group(GroupNode::empty()))?;
                    self.copy_group(&group, self.nodes.len() - 1, seen)?;
                }
                Object::Dataset(dataset) => {
                    let node = DatasetNode::read(&dataset.source, &dataset.header)?;
                    self.insert(to, &link.name, Node::Dataset(Box::new(node)))?;
                    self.copy_dataset(&dataset, self.nodes.len() - 1)?;
                }
                Object::Datatype(_) => {
                    return Err(Error::not_supported("copying a committed datatype"));
                }
            }
        }
        Ok(())
    }

    fn copy_attributes(
        &mut self,
        source: &Source,
        header: &ObjectHeader,
        to: NodeId,
    ) -> Result<()> {
        for message in attribute::messages(source, header)? {
            let mut cursor = message.cursor("attribute", source);
            let mut attribute = AttributeMessage::decode(&mut cursor, source)?;
            let mut reader = ValueReader::new(source);
            self.translate(&mut reader, &attribute.datatype, &mut attribute.bytes)?;
            let message = Message::new(ATTRIBUTE, attribute.encode()?);
            self.attributes_mut(to).set(&attribute.name, message);
            self.written_mut(to).changed = true;
        }
        Ok(())
    }

    fn copy_dataset(&mut self, from: &Dataset, to: NodeId) -> Result<()> {
        *self.attributes_mut(to) = Attributes::default();
        self.copy_attributes(&from.source, &from.header, to)?;
        let node = self.dataset_mut(to)?;
        node.written = super::Written {
            changed: true,
            ..super::Written::default()
        };
        let alignment = node.alignment_bytes;
        let datatype = node.datatype.clone();
        match &mut node.values {
            Values::Compact(bytes) => {
                let mut bytes = std::mem::take(bytes);
                self.translate(&mut ValueReader::new(&from.source), &datatype, &mut bytes)?;
                if let Values::Compact(to) = &mut self.dataset_mut(to)?.values {
                    *to = bytes;
                }
                Ok(())
            }
            Values::Contiguous { address: None, .. } => Ok(()),
            Values::Contiguous { address, len_bytes } => {
                let (old, len) = (address.take().unwrap_or_default(), *len_bytes);
                let new = self.copy_contiguous(from, (old, len), alignment)?;
                if let Values::Contiguous { address, .. } = &mut self.dataset_mut(to)?.values {
                    *address = new;
                }
                Ok(())
            }
            Values::Chunked(chunks) => {
                let refs = std::mem::take(&mut chunks.refs);
                self.copy_chunks(from, to, refs)
            }
        }
    }

    fn copy_contiguous(
        &mut self,
        from: &Dataset,
        (old, len): (u64, u64),
        alignment: u64,
    ) -> Result<Option<u64>> {
        let datatype = from.datatype();
        let element_bytes = u64::from(datatype.size_bytes());
        let step = (PIECE_BYTES / element_bytes).max(1) * element_bytes;
        let mut reader = ValueReader::new(&from.source);
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
            self.translate(&mut reader, datatype, &mut bytes)?;
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
    ) -> Result<()> {
        let Layout::Chunked(layout) = &from.description.layout else {
            return Ok(());
        };
        let alignment = self.dataset_ref(to)?.alignment_bytes;
        let datatype = from.datatype().clone();
        let translated = datatype.has_heap_data();
        let mut reader = ValueReader::new(&from.source);
        for (position, chunk) in (0_u64..).zip(refs) {
            let Some(mut chunk) = chunk else { continue };
            let mut bytes = from.source.read("chunk", chunk.address, chunk.len_bytes)?;
            if translated {
                let len = usize::try_from(layout.chunk_bytes()).unwrap_or(usize::MAX);
                let pipeline = &from.description.pipeline;
                let mut values = pipeline
                    .decode(bytes, chunk.mask, len, chunk.address)?
                    .into_owned();
                self.translate(&mut reader, &datatype, &mut values)?;
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
        reader: &mut ValueReader<'_>,
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
        reader: &mut ValueReader<'_>,
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
        let mut value_of = Vec::new();
        for element in bytes.chunks_exact(16) {
            if let Some(value) = known.get(element) {
                value_of.push(*value);
                continue;
            }
            let mut value = reader.heap_bytes(element, unit)?.to_vec();
            if let Some(base) = inner {
                self.translate(reader, base, &mut value)?;
            }
            known.insert(element.to_vec(), values.len());
            value_of.push(values.len());
            values.push(value);
        }
        let slices: Vec<_> = values.iter().map(Vec::as_slice).collect();
        let references = self.heap.add_all(&slices, self.target.sink())?;
        for (element, value) in bytes.chunks_exact_mut(16).zip(value_of) {
            let len = references[value].len / unit.max(1);
            element.copy_from_slice(
                &HeapReference {
                    len,
                    ..references[value]
                }
                .encode(),
            );
        }
        Ok(())
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
