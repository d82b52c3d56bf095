//! The HDF5 file format, and the file access beneath it.
//!
//! [`Hdf5File`] reads a file, [`FileBuilder`] lays a new one out in memory and writes it once, and
//! [`Transaction`] changes one that is there without ever overwriting what a reader may be using;
//! [`Editor`] is what the last two have in common. Every byte of a memory goes to disk through one
//! door, [`Backend`]. Nothing here knows of memories or logs.
//!
//! # Files of strangers
//!
//! Any bytes get an answer or an error, and no number in a file makes one call work without bound. What
//! a call reads, decodes and copies ([`Hdf5File::work_bytes`] counts it) is at most 8 times the
//! file's length and what was asked of it together: the bytes that are answered, and the whole of each
//! filtered chunk that they touch, once for each filter. A path is a call for each of its names.
//! Structures and chunks that lie over each other, which could make
//! it as much for each as the file is long, are refused as corrupt. An answer that is allocated has
//! at most [`READ_BYTES_MAX`] bytes, and of values at most 4,194,304 with 256 MiB of text.
//!
//! Two things a file decides and the caller can look at first: [`Dataset::shape`] may declare more than
//! is anywhere, all of it the fill value; and [`Storage::Chunked`] tells the chunks, of which one is decoded
//! whole for any part of it. A dataset keeps up to 16 MiB of those that a call took only a part of for
//! the next one, so that reading by rows decodes each once; longer ones are better read whole.
//! All attributes of an object are best read together ([`Group::attributes`]): to find one
//! alone takes part of the work of finding all.

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
