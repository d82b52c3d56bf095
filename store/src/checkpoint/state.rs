//! What a memory file says of itself, in the attributes of its root.

use palimpsest_hdf5::{Editor, Element, Hdf5File};

use super::problem::{FileProblem, Result};
use crate::{EntityId, MemoryId, Seq, Timestamp};

/// The version of the layout.
pub(crate) const FORMAT_VERSION: u32 = 1;
const FORMAT: &str = "palimpsest memory";

/// Which memory a file is, and up to where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct State {
    /// The store's random identity, which its log has too.
    pub(crate) store_id: u128,
    /// How many checkpoints were made: one more with each.
    pub(crate) checkpoint: u64,
    /// The last commit that the file holds.
    pub(crate) seq: Seq,
    /// The generation of the log whose frames were taken in last.
    pub(crate) absorbed: u64,
    /// When the first checkpoint was made.
    pub(crate) created: Timestamp,
    /// No memory has had this id or a greater one.
    pub(crate) next_memory: MemoryId,
    /// No entity has had this id or a greater one.
    pub(crate) next_entity: EntityId,
}

impl State {
    pub(super) fn write(&self, editor: &mut Editor<'_>) -> palimpsest_hdf5::Result<()> {
        editor.set_attribute("/", "format", FORMAT)?;
        editor.set_attribute("/", "format_version", FORMAT_VERSION)?;
        editor.set_attribute("/", "store_id", format!("{:032x}", self.store_id).as_str())?;
        editor.set_attribute("/", "checkpoint", self.checkpoint)?;
        editor.set_attribute("/", "seq", self.seq.0)?;
        editor.set_attribute("/", "absorbed_generation", self.absorbed)?;
        editor.set_attribute("/", "created", self.created.0)?;
        editor.set_attribute("/", "next_memory_id", self.next_memory.0)?;
        editor.set_attribute("/", "next_entity_id", self.next_entity.0)?;
        editor.set_attribute("/", "palimpsest_version", env!("CARGO_PKG_VERSION"))
    }

    /// What `file` says.
    ///
    /// # Errors
    /// [`FileProblem::Attribute`] where it is no memory, or one of a newer layout.
    pub(crate) fn read(file: &Hdf5File) -> Result<Self> {
        let wrong = |name, expected, found: String| {
            Err(FileProblem::Attribute {
                name,
                expected,
                found,
            })
        };
        match file.attribute("format").and_then(|it| it.text()) {
            Ok(format) if format == FORMAT => {}
            Ok(other) => return wrong("format", FORMAT, format!("{other:?}")),
            Err(palimpsest_hdf5::Error::NotFound { .. }) => {
                return wrong("format", FORMAT, "missing".to_owned());
            }
            Err(error) => return Err(error.into()),
        }
        let version: u32 = number(file, "format_version")?;
        if version > FORMAT_VERSION {
            return Err(FileProblem::Newer {
                found: version,
                known: FORMAT_VERSION,
            });
        }
        if version == 0 {
            return wrong("format_version", "at least 1", version.to_string());
        }
        let store_id = file.attribute("store_id")?.text()?;
        let Ok(store_id) = u128::from_str_radix(&store_id, 16) else {
            return wrong("store_id", "32 hexadecimal digits", format!("{store_id:?}"));
        };
        Ok(Self {
            store_id,
            checkpoint: number(file, "checkpoint")?,
            seq: Seq(number(file, "seq")?),
            absorbed: number(file, "absorbed_generation")?,
            created: Timestamp(number(file, "created")?),
            next_memory: MemoryId(number(file, "next_memory_id")?),
            next_entity: EntityId(number(file, "next_entity_id")?),
        })
    }
}

fn number<T: Element>(file: &Hdf5File, name: &'static str) -> Result<T> {
    Ok(file.attribute(name)?.scalar()?)
}
