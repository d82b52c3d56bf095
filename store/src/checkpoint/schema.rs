//! The names, types and chunks of every dataset. Knows no values.

use palimpsest_hdf5::{DatasetSpec, Datatype, Editor, Element, Result};

use crate::ModelId;

/// Rows of a chunk: half a page of 8-byte numbers. A checkpoint writes the last chunk of every column anew, and all
/// chunks' addresses, of 8 bytes each.
const CHUNK_LEN_ROWS: u64 = 256;
/// Rows of a chunk of vectors: of 384 numbers they are 24 pages.
const VECTOR_CHUNK_LEN_ROWS: u64 = 64;
/// Vectors are read in place.
const PAGE_LEN_BYTES: u64 = 4_096;

/// The kinds of strings that rows name by a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dictionary {
    Scope,
    Kind,
    Source,
    Topic,
    Tag,
    Reason,
    EntityKind,
    Relation,
}

impl Dictionary {
    pub(super) const ALL: [Self; 8] = [
        Self::Scope,
        Self::Kind,
        Self::Source,
        Self::Topic,
        Self::Tag,
        Self::Reason,
        Self::EntityKind,
        Self::Relation,
    ];

    /// Where its strings are.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::Scope => "/dict/scope",
            Self::Kind => "/dict/kind",
            Self::Source => "/dict/source",
            Self::Topic => "/dict/topic",
            Self::Tag => "/dict/tag",
            Self::Reason => "/dict/reason",
            Self::EntityKind => "/dict/entity_kind",
            Self::Relation => "/dict/relation",
        }
    }
}

/// The code of what is not given.
pub(super) const NO_CODE: u32 = u32::MAX;
/// The `valid_from` of what was always true.
pub(super) const ALWAYS: i64 = i64::MIN;
/// The `valid_to` of what has not ceased to be true.
pub(super) const NOT_YET: i64 = i64::MAX;
/// The `superseded_by` of what nothing supersedes.
pub(super) const NO_ID: u64 = 0;

/// Where the vectors of a model are.
pub(super) fn vector_group(model: ModelId) -> String {
    format!("/vector/{model}")
}

/// Makes every dataset of an empty memory.
pub(super) fn create(editor: &mut Editor<'_>) -> Result<()> {
    for path in [
        "/memory/id",
        "/memory/born",
        "/memory/died",
        "/memory/superseded_by",
    ] {
        create_column::<u64>(editor, path)?;
    }
    for path in [
        "/memory/created_at",
        "/memory/valid_from",
        "/memory/valid_to",
    ] {
        create_column::<i64>(editor, path)?;
    }
    for path in ["scope", "kind", "source", "topic", "reason"] {
        create_column::<u32>(editor, &format!("/memory/{path}"))?;
    }
    create_column::<f32>(editor, "/memory/importance")?;
    for path in ["/memory/tag_end", "/memory/entity_end", "/memory/entity"] {
        create_column::<u64>(editor, path)?;
    }
    create_column::<u32>(editor, "/memory/tag")?;
    create_text(editor, "/memory/text")?;
    create_column::<u64>(editor, "/commit/seq")?;
    create_column::<i64>(editor, "/commit/at")?;
    create_column::<u8>(editor, "/commit/verb")?;
    for path in ["id", "born", "died", "alias_end"] {
        create_column::<u64>(editor, &format!("/graph/entity/{path}"))?;
    }
    for path in ["scope", "kind"] {
        create_column::<u32>(editor, &format!("/graph/entity/{path}"))?;
    }
    create_text(editor, "/graph/entity/name")?;
    create_text(editor, "/graph/entity/alias")?;
    for path in ["from", "to", "memory_id", "born", "died"] {
        create_column::<u64>(editor, &format!("/graph/relation/{path}"))?;
    }
    create_column::<u32>(editor, "/graph/relation/relation")?;
    create_column::<f32>(editor, "/graph/relation/weight")?;
    editor.create_group("/vector")?;
    for dictionary in Dictionary::ALL {
        create_text(editor, dictionary.path())?;
    }
    Ok(())
}

/// Makes the datasets of a model's vectors, each of `dim` numbers.
pub(super) fn create_vectors(editor: &mut Editor<'_>, group: &str, dim: u64) -> Result<()> {
    for name in ["memory_id", "born"] {
        create_column::<u64>(editor, &format!("{group}/{name}"))?;
    }
    for name in ["window", "token_start"] {
        create_column::<u32>(editor, &format!("{group}/{name}"))?;
    }
    let spec = DatasetSpec::growing(f32::datatype(), &[0, dim], &[VECTOR_CHUNK_LEN_ROWS, dim]);
    editor.create_dataset(&format!("{group}/embedding"), &spec.aligned(PAGE_LEN_BYTES))
}

/// Makes an empty column of numbers.
pub(super) fn create_column<T: Element>(editor: &mut Editor<'_>, path: &str) -> Result<()> {
    let spec = DatasetSpec::growing(T::datatype(), &[0], &[CHUNK_LEN_ROWS]);
    editor.create_dataset(path, &spec)
}

/// Makes an empty column of texts.
fn create_text(editor: &mut Editor<'_>, path: &str) -> Result<()> {
    let spec = DatasetSpec::growing(Datatype::text(), &[0], &[CHUNK_LEN_ROWS]);
    editor.create_dataset(path, &spec)
}
