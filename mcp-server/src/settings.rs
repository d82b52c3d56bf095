//! What the owner chose: flags, then the environment, then one TOML file, then defaults.
//!
//! Knows where values come from and what they may be; what they do is known to others.

mod environment;
mod error;
mod file;
mod folders;
mod nearest;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use error::{Error, Origin};
pub(crate) use folders::Folders;
use palimpsest_memory::Fusion;
#[cfg(test)]
use table::Range;
pub(crate) use table::{LOG, LOG_LEVELS, MEMORY, MODEL, OUTPUT_SCHEMA, SCOPE, SETTINGS, Value};
use tracing::level_filters::LevelFilter;

/// Values by the name of their setting, each with where it comes from.
type Layer = BTreeMap<&'static str, (Value, Origin)>;

/// The name of the settings file in the platform's configuration folder.
const FILE_NAME: &str = "palimpsest.toml";
/// A settings file is a page or two of text.
const FILE_LEN_BYTES_MAX: u64 = 1 << 20;

/// Everything that settings are made of. The process's own come from [`Sources::of_this_process`].
#[derive(Debug, Clone)]
pub(crate) struct Sources {
    /// The platform's folders.
    pub(crate) folders: Folders,
    /// The environment.
    pub(crate) variables: Vec<(OsString, OsString)>,
    /// `--config`.
    pub(crate) file: Option<PathBuf>,
    /// Settings that flags gave: the setting, its value, the flag.
    pub(crate) flags: Vec<(&'static str, Value, &'static str)>,
}

impl Sources {
    /// This account's folders and this process's environment.
    ///
    /// # Errors
    /// [`Error::NoWorkingDirectory`].
    pub(crate) fn of_this_process() -> Result<Self, Error> {
        Ok(Self {
            folders: Folders::of_this_account().map_err(Error::NoWorkingDirectory)?,
            variables: std::env::vars_os().collect(),
            file: None,
            flags: Vec::new(),
        })
    }
}

/// The choices, resolved: every path is absolute, every value within its range.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The file of the memory.
    pub(crate) memory: PathBuf,
    /// The folder of the model.
    pub(crate) model: PathBuf,
    /// Whose memory it is.
    pub(crate) scope: String,
    /// What is logged to standard error where `RUST_LOG` says nothing.
    pub(crate) log: LevelFilter,
    /// What recall and the gate do.
    pub(crate) mind: palimpsest_memory::Settings,
    /// How long to wait for another process's lock.
    pub(crate) lock_wait: Duration,
    /// How long a command waits for vectors.
    pub(crate) vector_wait: Duration,
    /// Whether tools state the shape of their answers.
    pub(crate) output_schema: bool,
    /// The settings file that was looked for.
    pub(crate) file: SettingsFile,
    values: Layer,
}

/// The settings file that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SettingsFile {
    /// Where; `None` where the platform names no folder.
    pub(crate) path: Option<PathBuf>,
    /// Whether it was there.
    pub(crate) is_present: bool,
    /// Whether it was asked for.
    pub(crate) origin: Origin,
}

impl Settings {
    /// Reads and joins all `sources`.
    ///
    /// # Errors
    /// For the first thing that is wrong, by name and place.
    pub(crate) fn resolve(sources: Sources) -> Result<Self, Error> {
        let folders = &sources.folders;
        let (file, from_file) = read_settings_file(folders, sources.file.as_deref())?;
        let mut values: Layer = SETTINGS
            .iter()
            .map(|setting| (setting.name, (setting.default_value(), Origin::Default)))
            .collect();
        values.extend(from_file);
        values.extend(environment::read_environment(sources.variables)?);
        for (name, value, flag) in sources.flags {
            values.insert(name, (value, Origin::Flag(flag)));
        }
        let model_cache = folders.cache.as_ref().map(|cache| cache.join("models"));
        let model_cache = model_cache.map(|models| models.join("all-MiniLM-L6-v2"));
        let memory_default = folders.data.as_ref().map(|data| data.join("memory.h5"));
        let choices = Choices(&values);
        let mind = choices.mind();
        mind.check()
            .map_err(|error| Error::Together(Box::new(error)))?;
        Ok(Self {
            memory: choices.path(MEMORY, folders, memory_default)?,
            model: choices.path(MODEL, folders, model_cache)?,
            scope: choices.text(SCOPE),
            log: choices
                .text(LOG)
                .parse()
                .expect("every log level is one of tracing's"),
            mind,
            lock_wait: Duration::from_millis(choices.whole(table::LOCK_WAIT)),
            vector_wait: Duration::from_millis(choices.whole(table::VECTOR_WAIT)),
            output_schema: choices.switch(OUTPUT_SCHEMA),
            file,
            values,
        })
    }

    /// The value of a setting as it was given, and where it comes from.
    pub(crate) fn value(&self, name: &str) -> &(Value, Origin) {
        self.values.get(name).expect("every setting has a default")
    }

    /// Where a setting's value comes from.
    pub(crate) fn origin(&self, name: &str) -> &Origin {
        &self.value(name).1
    }
}

fn read_settings_file(
    folders: &Folders,
    asked: Option<&Path>,
) -> Result<(SettingsFile, Layer), Error> {
    let (path, origin) = match (asked, &folders.config) {
        (Some(path), _) => (folders.absolute(path), Origin::Flag("--config")),
        (None, Some(folder)) => (folder.join(FILE_NAME), Origin::Default),
        (None, None) => {
            let file = SettingsFile {
                path: None,
                is_present: false,
                origin: Origin::Default,
            };
            return Ok((file, Layer::new()));
        }
    };
    let (is_present, layer) = match read_bounded(&path) {
        Ok(text) => (true, file::read_file(&path, &text)?),
        Err(source) if source.kind() == io::ErrorKind::NotFound && asked.is_none() => {
            (false, Layer::new())
        }
        Err(source) => return Err(Error::Unreadable { path, source }),
    };
    let path = Some(path);
    Ok((
        SettingsFile {
            path,
            is_present,
            origin,
        },
        layer,
    ))
}

fn read_bounded(path: &Path) -> Result<String, io::Error> {
    use std::io::Read as _;
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    let n_bytes = file
        .take(FILE_LEN_BYTES_MAX + 1)
        .read_to_string(&mut text)?;
    if n_bytes as u64 > FILE_LEN_BYTES_MAX {
        let reason = format!("it is longer than {FILE_LEN_BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(text)
}

/// Values by type. Each was checked against its setting's range before.
struct Choices<'a>(&'a Layer);

impl Choices<'_> {
    fn get(&self, name: &str) -> &Value {
        &self.0.get(name).expect("every setting has a default").0
    }

    fn path(
        &self,
        name: &'static str,
        folders: &Folders,
        default: Option<PathBuf>,
    ) -> Result<PathBuf, Error> {
        match self.get(name) {
            Value::Path(path) if !path.as_os_str().is_empty() => Ok(folders.absolute(path)),
            _ => default.ok_or_else(|| Error::NoHome {
                what: name,
                variable: format!("{}{}", table::VARIABLE_PREFIX, name.to_ascii_uppercase()),
            }),
        }
    }

    fn text(&self, name: &str) -> String {
        self.get(name).to_string()
    }

    fn whole(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Whole(number) => *number,
            other => unreachable!("{name} was checked to be a whole number, not {other:?}"),
        }
    }

    fn count(&self, name: &str) -> usize {
        usize::try_from(self.whole(name)).expect("counts are at most 100,000")
    }

    fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Real(number) => *number,
            other => unreachable!("{name} was checked to be a number, not {other:?}"),
        }
    }

    fn switch(&self, name: &str) -> bool {
        *self.get(name) == Value::Switch(true)
    }

    fn mind(&self) -> palimpsest_memory::Settings {
        let fusion = match self.text(table::FUSION_METHOD).as_str() {
            table::RRF => Fusion::Rrf {
                k: self.real(table::FUSION_RRF_K),
            },
            _ => Fusion::MinMax {
                vector_weight: self.real(table::FUSION_VECTOR),
                keyword_weight: self.real(table::FUSION_KEYWORD),
            },
        };
        #[expect(clippy::cast_possible_truncation, reason = "a cosine needs no f64")]
        let [similar_threshold, novelty_threshold] =
            [table::SIMILAR_THRESHOLD, table::NOVELTY_THRESHOLD].map(|name| self.real(name) as f32);
        palimpsest_memory::Settings {
            fusion,
            ranking: palimpsest_memory::Ranking {
                stems: self.switch(table::STEMS),
                skips_stop_words: self.switch(table::SKIPS_STOP_WORDS),
                source_words: self.switch(table::SOURCE_WORDS),
                source_weight: self.real(table::SOURCE_WEIGHT),
                context_weight: self.real(table::CONTEXT_WEIGHT),
                time_weight: self.real(table::TIME_WEIGHT),
                entity_weight: self.real(table::ENTITY_WEIGHT),
                importance_weight: self.real(table::IMPORTANCE_WEIGHT),
                recency_weight: self.real(table::RECENCY_WEIGHT),
                diversity_weight: self.real(table::DIVERSITY_WEIGHT),
            },
            n_candidates: self.count(table::RECALL_CANDIDATES),
            recall_limit: self.count(table::RECALL_LIMIT),
            recall_tokens_max: self.count(table::RECALL_TOKENS),
            similar_threshold,
            novelty: palimpsest_memory::Novelty {
                threshold: novelty_threshold,
                n_memories: self.count(table::NOVELTY_MEMORIES),
            },
        }
    }
}

#[cfg(test)]
mod tests;
