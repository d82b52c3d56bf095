//! What is kept of a run: one JSON file, from which reports and comparisons are made.

mod provenance;

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use provenance::Provenance;

use crate::error::Error;
use crate::evaluation::{Evaluated, QuestionName, VariantOutcome};
use crate::half::Half;

/// The version of this format.
const FORMAT: u32 = 1;

/// One run of an evaluation of recall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) format: u32,
    /// What was run.
    pub(crate) verb: String,
    /// The rules of measurement, in sentences.
    pub(crate) contract: Vec<String>,
    pub(crate) provenance: Provenance,
    pub(crate) dataset: Dataset,
    pub(crate) half: Half,
    /// The verb's own choices.
    pub(crate) configuration: Value,
    /// Of everything that is drawn.
    pub(crate) seed: u64,
    pub(crate) questions: Vec<QuestionName>,
    pub(crate) outcomes: Vec<VariantOutcome>,
}

/// The file that was asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Dataset {
    /// Its name, without the folder.
    pub(crate) name: String,
    /// SHA-256 of the unpacked file, in hexadecimal.
    pub(crate) sha256: String,
    /// What it is, as measured.
    pub(crate) label: String,
    pub(crate) n_sessions: usize,
    pub(crate) n_turns: usize,
}

impl Record {
    /// Puts a record together.
    pub(crate) fn new(head: Head, evaluated: Evaluated) -> Self {
        let Head {
            verb,
            contract,
            dataset,
            half,
            configuration,
            seed,
        } = head;
        Self {
            format: FORMAT,
            verb,
            contract,
            provenance: Provenance::of_this_run(),
            dataset,
            half,
            configuration,
            seed,
            questions: evaluated.questions,
            outcomes: evaluated.outcomes,
        }
    }

    /// Writes the record into `folder`, under a name of verb and time; answers its path.
    pub(crate) fn write(&self, folder: &Path) -> Result<PathBuf, Error> {
        write_json(folder, &self.verb, &self.provenance, self)
    }

    /// Reads a record.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read(path).map_err(Error::io("read", path))?;
        serde_json::from_slice(&text).map_err(|source| Error::Json {
            path: path.to_owned(),
            structure: "a record of palimpsest-evals",
            source,
        })
    }
}

/// What is known of a run before it ends.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) verb: String,
    pub(crate) contract: Vec<String>,
    pub(crate) dataset: Dataset,
    pub(crate) half: Half,
    pub(crate) configuration: Value,
    pub(crate) seed: u64,
}

/// Writes `value` into `folder`, under a name of verb and time; answers its path.
pub(crate) fn write_json(
    folder: &Path,
    verb: &str,
    provenance: &Provenance,
    value: &impl Serialize,
) -> Result<PathBuf, Error> {
    fs::create_dir_all(folder).map_err(Error::io("make the folder", folder))?;
    let path = folder.join(format!("{verb}-{}.json", provenance.stamp()));
    let json = |source| Error::Json {
        path: path.clone(),
        structure: "a record of palimpsest-evals",
        source,
    };
    let mut text = serde_json::to_vec(value).map_err(json)?;
    text.push(b'\n');
    let mut file =
        tempfile::NamedTempFile::new_in(folder).map_err(Error::io("write in", folder))?;
    std::io::Write::write_all(&mut file, &text).map_err(Error::io("write", &path))?;
    let persisted = file.persist(&path).map_err(|error| error.error);
    persisted.map_err(Error::io("write", &path))?;
    Ok(path)
}

#[cfg(test)]
pub(crate) mod tests;
