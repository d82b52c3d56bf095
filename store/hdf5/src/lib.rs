//! The HDF5 file format, and the file access beneath it.
//!
//! What is here so far is the one door through
//! which every byte of a memory goes to disk: [`Backend`]. It knows nothing of memories or logs.

mod backend;

pub use backend::{
    Backend, Fault, FaultyBackend, File, FileBackend, FileIdentity, LockHolder, LockKind, OpenMode,
    RamBackend, Step, Unsynced,
};
