//! Why the store refused, by what the caller can do about it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::LockHolder;

/// What went wrong.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Sync failed: the commit may be found later, or not. Look before saying it again.
    #[error(
        "the disk did not confirm the write to {}: this change may or may not have been kept; look for it before trying again",
        path.display()
    )]
    Unknown {
        /// The log.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// An earlier sync failed, and the store could not be opened again since.
    #[error(
        "an earlier write to {} was not confirmed by the disk, and opening the store again does not succeed yet; nothing of this change was kept",
        path.display()
    )]
    Poisoned {
        /// The log.
        path: PathBuf,
        /// Why it could not be opened again.
        #[source]
        source: Arc<Error>,
    },
    /// Another process held the lock for too long. Nothing was kept; try again.
    #[error(
        "another process{} has held the lock on {} for more than {:?}; nothing was kept, try again",
        HolderText(holder.as_ref()),
        path.display(),
        waited
    )]
    LockTimeout {
        /// The locked file.
        path: PathBuf,
        /// How long the lock was waited for.
        waited: Duration,
        /// Who holds it, where known.
        holder: Option<LockHolder>,
    },
    /// The file system cannot lock, so two processes could destroy each other's writes.
    #[error(
        "the file system that holds {} has no working file locks, without which several processes would lose memories: keep the memory on a local disk",
        path.display()
    )]
    NoLocks {
        /// The file that could not be locked.
        path: PathBuf,
        /// What the operating system said, where it said anything.
        #[source]
        source: Option<Arc<io::Error>>,
    },
    /// The files can be read and not written. Nothing was kept.
    #[error("{} can only be read here, so nothing can be changed", path.display())]
    ReadOnly {
        /// The log.
        path: PathBuf,
    },
    /// No room on the disk. Nothing was kept.
    #[error("the disk that holds {} is full; nothing was kept", path.display())]
    DiskFull {
        /// The log.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// The operation is too large for one frame. Nothing was kept; commit less at once.
    #[error(
        "one change takes {len_bytes} bytes, and at most {len_bytes_max} are kept at once: give less at a time"
    )]
    FrameTooLarge {
        /// What it would take.
        len_bytes: u64,
        /// What a frame may take.
        len_bytes_max: u64,
    },
    /// The file holds bytes that no version of ours leaves. Restore a backup; do not retry.
    #[error(
        "damaged {structure} at byte {offset_bytes} of {}: {problem}; nothing was changed, restore a backup",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was being read.
        structure: &'static str,
        /// Where it begins in the file.
        offset_bytes: u64,
        /// What is wrong with it.
        problem: Damage,
    },
    /// Another program has the memory file open to change it. Nothing was changed; try again when it is closed.
    #[error(
        "another program has {} open to write it: close it there (h5py: open with mode \"r\"), then try again",
        path.display()
    )]
    OpenElsewhere {
        /// The file.
        path: PathBuf,
    },
    /// The memory file is not there, and its log continues it. Nothing was changed.
    #[error(
        "{} is missing, and its log continues it; nothing was changed: put the file back, or restore a backup",
        path.display()
    )]
    MissingMemoryFile {
        /// The file.
        path: PathBuf,
    },
    /// The memory file and the log are not of one time, or not of one memory. Nothing was changed.
    #[error(
        "{} and its log do not belong together ({found}); nothing was changed: restore both from one backup",
        path.display()
    )]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// How they differ.
        found: String,
    },
    /// The memory file is damaged, or is none. Nothing was changed.
    #[error(
        "cannot read the memory file {}; nothing was changed, restore a backup",
        path.display()
    )]
    BadMemoryFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Arc<crate::FileProblem>,
    },
    /// A frame is whole, and its payload is not what this version writes.
    #[error("cannot read the frame at byte {offset_bytes} of {}", path.display())]
    UnreadableFrame {
        /// The log.
        path: PathBuf,
        /// Where the frame begins.
        offset_bytes: u64,
        /// What is wrong with its payload.
        #[source]
        source: Arc<Error>,
    },
    /// A newer version made the file. Nothing was changed.
    #[error(
        "{} was made by a newer version of Palimpsest (format {found}, this one knows {known}): update this program",
        path.display()
    )]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// The version that it names.
        found: u32,
        /// The newest that is known here.
        known: u32,
    },
    /// What is in the log's place does not begin as a log does. Nothing was changed.
    #[error(
        "{} is not a log of Palimpsest, or its header is lost; nothing was changed: give another path for the memory, or restore a backup",
        path.display()
    )]
    NotALog {
        /// The file.
        path: PathBuf,
    },
    /// What is in the memory's place is no memory. Nothing was changed.
    #[error(
        "{} is {found} and not a memory of Palimpsest; nothing was changed: give another path",
        path.display()
    )]
    NotAMemory {
        /// What was asked for.
        path: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// The log was removed or another one put in its place. Open the store again.
    #[error(
        "{} was removed or replaced while it was open; nothing was kept: restart this program to use what is there now",
        path.display()
    )]
    Replaced {
        /// The log.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was to be done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: Arc<io::Error>,
    },
    /// A payload holds a tag that this version does not know.
    #[error(
        "unknown {structure} tag {tag} at byte {offset_bytes} of a frame's payload: a newer Palimpsest wrote it, so update this one"
    )]
    UnknownTag {
        /// What was being read.
        structure: &'static str,
        /// Where the tag stands in the payload.
        offset_bytes: u64,
        /// The tag.
        tag: u8,
    },
    /// A payload holds bytes that no version of ours writes. Do not retry.
    #[error("corrupt {structure} before byte {offset_bytes} of a frame's payload: {problem}")]
    Payload {
        /// What was being read.
        structure: &'static str,
        /// Where reading stopped in the payload.
        offset_bytes: u64,
        /// What is wrong.
        problem: PayloadProblem,
    },
    /// An operation holds a value that no record may have. Nothing was kept.
    #[error("change {change} of the operation cannot be kept: {problem}")]
    BadChange {
        /// Which change, from 0.
        change: usize,
        /// What is wrong.
        problem: PayloadProblem,
    },
    /// A vector or a query cannot be compared.
    #[error(transparent)]
    Vector(#[from] palimpsest_vector::Error),
}

/// What is wrong with a value of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadProblem {
    /// A length says more than is there.
    #[error("it is cut short")]
    Truncated,
    /// Bytes are left where the structure ends.
    #[error("bytes follow its end")]
    TrailingBytes,
    /// A text is not UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// A text is longer than [`crate::TEXT_LEN_BYTES_MAX`], or all texts together are more than a frame holds.
    #[error("a text is too long")]
    TooLong,
    /// An identifier is 0 or the greatest number, which are never given.
    #[error("an identifier was never given")]
    BadIdentifier,
    /// An importance or a weight is not within 0 to 1.
    #[error("an importance or a weight is not within 0 to 1")]
    OutOfRange,
    /// Vectors are none, of several lengths, too long, zero, or not finite.
    #[error("its vectors are none, of several lengths, too long, zero, or not finite")]
    BadVector,
}

/// What is wrong with a damaged structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// Neither header slot can be read, and frames follow.
    #[error("neither of its two copies can be read")]
    NoSlot,
    /// A number in the header cannot be.
    #[error("the file ends before the length that the header promises")]
    TooShort,
    /// The durable part never shrinks.
    #[error("the durable part was longer before")]
    WentBack,
    /// A frame's length cannot be.
    #[error("its length cannot be right")]
    BadLength,
    /// A frame's checksum is not that of its bytes.
    #[error("its checksum is wrong")]
    BadChecksum,
    /// A frame stands where another should.
    #[error("it does not follow the frame before it")]
    OutOfOrder,
}

struct HolderText<'a>(Option<&'a LockHolder>);

impl std::fmt::Display for HolderText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(holder) = self.0 else { return Ok(()) };
        write!(f, " ({}", holder.process)?;
        if let Some(age) = holder.age {
            write!(f, ", running for {} s", age.as_secs())?;
        }
        write!(f, ")")
    }
}
