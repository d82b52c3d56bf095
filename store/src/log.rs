//! The log's bytes: header slots, frames, and the file that holds them. `FORMAT.md` describes them.
//!
//! A payload is bytes here: this module knows no operations, no views, and takes no locks.

mod frame;
mod header;
mod hold;
mod layout;
mod log_file;
mod reader;
mod slot;

pub(crate) use frame::{append_frame, frame_len_bytes};
pub(crate) use header::{Header, Newest};
pub(crate) use hold::Hold;
pub(crate) use layout::{FORMAT_VERSION, FRAME_LEN_BYTES_MAX, FRAMES_OFFSET};
pub(crate) use log_file::{LogFile, Writable};
pub(crate) use reader::{FrameReader, Next, Position};
pub(crate) use slot::Slot;
