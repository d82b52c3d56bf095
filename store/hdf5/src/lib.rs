//! The HDF5 file format, and the file access beneath it.
//!
//! [`Hdf5File`] reads a file, [`FileBuilder`] lays a new one out in memory and writes it once, and
//! [`Transaction`] changes one that is there without ever overwriting what a reader may be using;
//! [`Editor`] is what the last two have in common. Every byte of a memory goes to disk through one
//! door, [`Backend`]. Nothing here knows of memories or logs.

mod attribute;
mod backend;
mod btree_v1;
mod btree_v2;
mod builder;
mod checksum;
mod chunk_index;
mod cursor;
mod data;
mod dataset;
mod dataspace;
mod datatype;
mod device_sink;
mod editor;
mod element;
mod encoder;
mod error;
mod file;
mod filter;
mod group;
mod heap;
mod hyperslab;
mod mapped;
mod message;
mod object_header;
mod sink;
mod source;
mod spec;
mod superblock;
mod transaction;
mod value;

pub use attribute::Attribute;
pub use backend::{
    Backend, Fault, FaultyBackend, File, FileBackend, FileIdentity, LockHolder, LockKind, OpenMode,
    RamBackend, Step, Unsynced,
};
pub use builder::FileBuilder;
pub use data::READ_BYTES_MAX;
pub use dataset::{Dataset, Storage};
pub use dataspace::Extent;
pub use datatype::{ByteOrder, Charset, Datatype, FloatBits, Member, Padding, ReferenceKind};
pub use editor::Editor;
pub use element::{Element, Number};
pub use error::{Error, Result};
pub use file::Hdf5File;
pub use filter::Filter;
pub use group::{Group, Object};
pub use hyperslab::Hyperslab;
pub use message::link::{Link, LinkTarget};
pub use spec::{AttributeValue, DatasetSpec, LayoutSpec};
pub use superblock::SuperblockImage;
pub use transaction::{Publication, Transaction};
pub use value::Value;
