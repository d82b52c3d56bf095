//! Changes to a file, gathered as a tree and written from its leaves to its root, always behind
//! everything that is there: what a file builder and a transaction have in common.

mod append;
mod attributes;
mod burial;
mod copy;
mod dataset;
mod group;
#[cfg(test)]
pub(crate) mod live;
mod names;
mod slab;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::device_sink::DeviceSink;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::heap::global::HeapWriter;
use crate::hyperslab::Hyperslab;
use crate::object_header::ObjectHeader;
use crate::sink::{PieceSink, Sink};
use crate::source::Source;
use crate::spec::{AttributeValue, DatasetSpec};
use attributes::Attributes;
use dataset::DatasetNode;
use group::{Child, GroupNode};

/// Which node of the tree.
type NodeId = usize;
const ROOT: NodeId = 0;

/// An object that is new or was looked into.
#[derive(Debug)]
enum Node {
    Group(GroupNode),
    Dataset(Box<DatasetNode>),
}

/// Where an object was last written, how long all its metadata is, and whether it changed since.
#[derive(Debug, Default)]
struct Written {
    address: Option<u64>,
    metadata_bytes: u64,
    changed: bool,
}

/// Where bytes go.
#[derive(Debug)]
pub(crate) enum Target<'a> {
    /// A file that is laid out in memory.
    Pieces(PieceSink<'a>),
    /// A file that is there.
    Device(DeviceSink),
}

impl<'a> Target<'a> {
    fn sink(&mut self) -> &mut dyn Sink<'a> {
        match self {
            Self::Pieces(sink) => sink,
            Self::Device(sink) => sink,
        }
    }
}

/// Changes to a file: what a [`FileBuilder`](crate::FileBuilder) and a
/// [`Transaction`](crate::Transaction) have in common.
///
/// Paths go from the root, with or without a slash in front; groups on the way are made. `'a` is how long the
/// values live that are written without a copy.
#[derive(Debug)]
pub struct Editor<'a> {
    pub(crate) target: Target<'a>,
    nodes: Vec<Node>,
    /// The file that is changed.
    source: Option<Arc<Source>>,
    heap: HeapWriter,
    /// How many bytes of the file nothing leads to any more, through these changes.
    pub(crate) dead_bytes: u64,
    /// How many bytes of chunks wait in memory, over all datasets.
    open_bytes: u64,
    /// The buffer of a chunk that was written.
    spare_chunk: Vec<u8>,
}

impl<'a> Editor<'a> {
    /// A new file with an empty root.
    pub(crate) fn of_nothing(target: Target<'a>) -> Self {
        let root = Node::Group(GroupNode::empty());
        let (nodes, heap) = (vec![root], HeapWriter::default());
        Self {
            target,
            nodes,
            source: None,
            heap,
            dead_bytes: 0,
            open_bytes: 0,
            spare_chunk: Vec::new(),
        }
    }

    /// A file that is there, with its root group.
    pub(crate) fn of_file(target: Target<'a>, source: Arc<Source>, root: u64) -> Result<Self> {
        let mut editor = Self::of_nothing(target);
        let header = ObjectHeader::read(&source, root)?;
        if header.has_several_names() {
            return Err(Error::not_supported(
                "changing a file whose root group has other names",
            ));
        }
        editor.nodes = vec![Node::Group(GroupNode::read(&source, &header)?)];
        editor.source = Some(source);
        Ok(editor)
    }

    /// A new file on a device, from which what is written can be read back.
    pub(crate) fn of_new_file(target: Target<'a>, source: Arc<Source>) -> Self {
        Self {
            source: Some(source),
            ..Self::of_nothing(target)
        }
    }

    /// Writes the chunks that wait in memory.
    pub(crate) fn write_chunks_ahead(&mut self) -> Result<()> {
        (0..self.nodes.len()).try_for_each(|node| self.flush_chunks(node))
    }

    /// Puts on the device what is to be read back from it.
    fn settle(&mut self) -> Result<()> {
        match &mut self.target {
            Target::Device(sink) => sink.settle(),
            Target::Pieces(_) => Ok(()),
        }
    }

    /// Makes a group, and those on the way to it. One that is there is no error.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKind`] where something on the way is no group.
    pub fn create_group(&mut self, path: &str) -> Result<()> {
        self.group_at(path).map(|_| ())
    }

    /// Makes a dataset; its values are all the fill value.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where the name is taken or the specification cannot be written.
    pub fn create_dataset(&mut self, path: &str, spec: &DatasetSpec) -> Result<()> {
        spec.check()?;
        let node = Node::Dataset(Box::new(DatasetNode::new(spec)?));
        let (parent, name) = self.parent_of(path)?;
        self.insert(parent, name, node)
    }

    /// Takes a name from its group. What only it led to is dead; an object that has other names too
    /// is written again with as many links as lead to it now, for which all groups are read.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`]; [`Error::NotSupported`] where one of the other names is in a group that
    /// cannot be changed, or what has them is a committed datatype.
    pub fn unlink(&mut self, path: &str) -> Result<()> {
        let (parent, name) = group::split(path)?;
        let not_found = || Error::NotFound {
            path: path.to_owned(),
        };
        let parent = self.node_at(parent).map_err(|error| match error {
            Error::NotFound { .. } => not_found(),
            other => other,
        })?;
        if !self.group_ref(parent)?.links.contains_key(name) {
            return Err(not_found());
        }
        let fates = self.fates_without(parent, name)?;
        let unlinked = self.group_mut(parent)?.links.remove(name);
        if let Some(place) = unlinked {
            self.bury_child(&place.child, 0, &mut BTreeSet::new());
        }
        self.meet_fates(fates)
    }

    /// Gives a name to whatever has the path `target`.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where the name is taken, or the target empty, longer than 65,535 bytes or
    /// with a NUL.
    pub fn create_soft_link(&mut self, path: &str, target: &str) -> Result<()> {
        if target.is_empty() || target.contains('\0') || u16::try_from(target.len()).is_err() {
            return Err(Error::Request {
                what: "a soft link's target",
                rule: "1 to 65,535 bytes long, without NUL",
                found: target.len() as u64,
            });
        }
        let (parent, name) = self.parent_of(path)?;
        self.check_free(parent, name)?;
        let link = crate::message::link::LinkTarget::Soft(target.to_owned());
        self.group_mut(parent)?.add(name, Child::Other(link));
        Ok(())
    }

    /// Gives an object an attribute, or the attribute another value.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], [`Error::Request`] where it cannot be written.
    pub fn set_attribute(
        &mut self,
        path: &str,
        name: &str,
        value: impl Into<AttributeValue>,
    ) -> Result<()> {
        let node = self.node_at(path)?;
        let message = attributes::encode(name, value.into(), &mut self.heap, self.target.sink())?;
        if let Some(replaced) = self.attributes_mut(node).set(name, message)? {
            self.bury_texts(&replaced);
        }
        self.written_mut(node).changed = true;
        Ok(())
    }

    /// Takes an attribute from an object.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`].
    pub fn remove_attribute(&mut self, path: &str, name: &str) -> Result<()> {
        let node = self.node_at(path)?;
        if let Some(removed) = self.attributes_mut(node).remove(name) {
            self.bury_texts(&removed);
            self.written_mut(node).changed = true;
            return Ok(());
        }
        Err(Error::NotFound {
            path: format!("{path}@{name}"),
        })
    }

    /// Writes all values of a dataset, in C order.
    ///
    /// # Errors
    ///
    /// [`Error::WrongType`] where its type is not that of `T`, [`Error::Request`] where `values`
    /// has another length.
    pub fn write<T: Element>(&mut self, path: &str, values: &'a [T]) -> Result<()> {
        let node = self.dataset_of::<T>(path)?;
        let slab = Hyperslab::all(self.dataset_ref(node)?.extent.shape());
        self.write_slab(node, &slab, Cow::Borrowed(bytemuck::cast_slice(values)))
    }

    /// Writes the bytes of a selection, in C order and the dataset's own type.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where the selection does not lie within it or `bytes` has another length.
    pub fn write_bytes(
        &mut self,
        path: &str,
        slab: &Hyperslab,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<()> {
        let node = self.node_at(path)?;
        if self.dataset_ref(node)?.datatype.has_heap_data() {
            return Err(self.wrong_type(node, "bytes"));
        }
        self.write_slab(node, slab, bytes.into())
    }

    /// Writes numbers to a selection.
    ///
    /// # Errors
    ///
    /// As [`Self::write`].
    pub fn write_slice<T: Element>(
        &mut self,
        path: &str,
        slab: &Hyperslab,
        values: &'a [T],
    ) -> Result<()> {
        let node = self.dataset_of::<T>(path)?;
        self.write_slab(node, slab, Cow::Borrowed(bytemuck::cast_slice(values)))
    }

    /// Writes strings to a selection of a dataset of text.
    ///
    /// # Errors
    ///
    /// As [`Self::write_bytes`], and [`Error::Request`] where one holds a NUL, which h5py refuses.
    pub fn write_strings<S: AsRef<str>>(
        &mut self,
        path: &str,
        slab: &Hyperslab,
        values: &[S],
    ) -> Result<()> {
        let node = self.node_at(path)?;
        let n_bytes = self.check_strings(node, values)?;
        self.check_slab(node, slab, n_bytes)?;
        let bytes = self.put_strings(values)?;
        self.write_slab(node, slab, Cow::Owned(bytes))
    }

    /// Adds rows of numbers behind the last one of a dataset in chunks.
    ///
    /// # Errors
    ///
    /// As [`Self::write`], and [`Error::Request`] where the dataset cannot grow so far.
    pub fn append<T: Element>(&mut self, path: &str, values: &[T]) -> Result<()> {
        let node = self.dataset_of::<T>(path)?;
        self.append_rows(node, bytemuck::cast_slice(values))
    }

    /// Adds rows in the dataset's own type behind the last one.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub fn append_bytes(&mut self, path: &str, bytes: &[u8]) -> Result<()> {
        let node = self.node_at(path)?;
        if self.dataset_ref(node)?.datatype.has_heap_data() {
            return Err(self.wrong_type(node, "bytes"));
        }
        self.append_rows(node, bytes)
    }

    /// Adds strings behind the last one of a dataset of text.
    ///
    /// # Errors
    ///
    /// As [`Self::write_strings`] and [`Self::append`].
    pub fn append_strings<S: AsRef<str>>(&mut self, path: &str, values: &[S]) -> Result<()> {
        let node = self.node_at(path)?;
        let n_bytes = self.check_strings(node, values)?;
        self.check_append(node, n_bytes)?;
        let bytes = self.put_strings(values)?;
        self.append_rows(node, &bytes)
    }

    /// Changes the size of a dataset in chunks. What lies outside is gone; what is new is the fill value.
    ///
    /// # Errors
    ///
    /// [`Error::Request`] where it cannot have that size.
    pub fn resize(&mut self, path: &str, shape: &[u64]) -> Result<()> {
        let node = self.node_at(path)?;
        self.resize_node(node, shape)
    }

    /// The shape of a dataset as it is now.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], [`Error::WrongKind`].
    pub fn shape(&mut self, path: &str) -> Result<Vec<u64>> {
        let node = self.node_at(path)?;
        Ok(self.dataset_ref(node)?.extent.shape().to_vec())
    }

    /// Writes everything that waits in memory, and all metadata; the address of the root group.
    pub(crate) fn write_all(&mut self) -> Result<u64> {
        self.write_chunks_ahead()?;
        self.heap.finish(self.target.sink())?;
        let free_bytes = self.heap.take_free_bytes();
        self.bury(free_bytes);
        self.write_node(ROOT)
    }

    /// Writes an object's metadata where it or anything below it changed; where it is.
    fn write_node(&mut self, id: NodeId) -> Result<u64> {
        let children = match self.nodes.get(id) {
            Some(Node::Group(group)) => group.child_nodes(),
            _ => Vec::new(),
        };
        let mut addresses = Vec::with_capacity(children.len());
        for child in children {
            let before = self.written_mut(child).address;
            let address = self.write_node(child)?;
            self.written_mut(id).changed |= before != Some(address);
            addresses.push(address);
        }
        let sink = self.target.sink();
        match self.nodes.get_mut(id) {
            Some(Node::Group(group)) => group.write(&addresses, sink, &mut self.dead_bytes),
            Some(Node::Dataset(dataset)) => dataset.write(sink, &mut self.dead_bytes),
            None => unreachable!("ids are given out for nodes that are there"),
        }
    }

    fn written_mut(&mut self, id: NodeId) -> &mut Written {
        match &mut self.nodes[id] {
            Node::Group(group) => &mut group.written,
            Node::Dataset(dataset) => &mut dataset.written,
        }
    }

    fn attributes_mut(&mut self, id: NodeId) -> &mut Attributes {
        match &mut self.nodes[id] {
            Node::Group(group) => &mut group.attributes,
            Node::Dataset(dataset) => &mut dataset.attributes,
        }
    }

    fn dataset_ref(&self, id: NodeId) -> Result<&DatasetNode> {
        match &self.nodes[id] {
            Node::Dataset(dataset) => Ok(dataset),
            Node::Group(_) => Err(Error::WrongKind {
                path: String::new(),
                expected: "dataset",
            }),
        }
    }

    fn dataset_mut(&mut self, id: NodeId) -> Result<&mut DatasetNode> {
        match &mut self.nodes[id] {
            Node::Dataset(dataset) => Ok(dataset),
            Node::Group(_) => Err(Error::WrongKind {
                path: String::new(),
                expected: "dataset",
            }),
        }
    }

    /// The dataset at `path`, whose type must be that of `T`.
    fn dataset_of<T: Element>(&mut self, path: &str) -> Result<NodeId> {
        let node = self.node_at(path)?;
        if crate::element::is_native::<T>(&self.dataset_ref(node)?.datatype) {
            return Ok(node);
        }
        Err(self.wrong_type(node, T::NAME))
    }

    fn wrong_type(&self, node: NodeId, expected: &'static str) -> Error {
        match self.dataset_ref(node) {
            Ok(dataset) => {
                let found = Box::new(dataset.datatype.clone());
                Error::WrongType { expected, found }
            }
            Err(error) => error,
        }
    }
}
