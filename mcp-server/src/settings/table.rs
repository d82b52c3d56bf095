//! Every setting: its name, its range and its default. Knows no source of values.

use std::fmt;
use std::path::PathBuf;

/// One setting. `configs/palimpsest.toml` tells people what each is for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// Its path in the TOML file, levels joined by dots.
    pub(crate) name: &'static str,
    /// What it may be.
    pub(crate) range: Range,
    /// What it is when nobody says.
    pub(crate) default: Preset,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Range {
    /// A path; an empty one stands for the platform's own folder.
    Path,
    /// Any text that is not blank.
    Text,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A whole number, both ends included.
    Whole { min: u64, max: u64 },
    /// A number, both ends included.
    Real { min: f64, max: f64 },
    /// True or false.
    Switch,
}

/// A default.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Preset {
    /// A path, a text or a choice.
    Text(&'static str),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// True or false.
    Switch(bool),
}

/// A value of the right type and within its range.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A path, as it was given.
    Path(PathBuf),
    /// A text or a choice.
    Text(String),
    /// A whole number.
    Whole(u64),
    /// A number.
    Real(f64),
    /// True or false.
    Switch(bool),
}

/// The file of the memory.
pub(crate) const MEMORY: &str = "memory";
/// The folder of the model.
pub(crate) const MODEL: &str = "model";
/// Whose memory it is.
pub(crate) const SCOPE: &str = "scope";
/// What is logged to standard error.
pub(crate) const LOG: &str = "log";
/// Hits of a recall that names no limit.
pub(crate) const RECALL_LIMIT: &str = "recall.limit";
/// Tokens of a recall that names no budget.
pub(crate) const RECALL_TOKENS: &str = "recall.max_tokens";
/// Candidates taken from each index.
pub(crate) const RECALL_CANDIDATES: &str = "recall.candidates";
/// How two scores become one.
pub(crate) const FUSION_METHOD: &str = "recall.fusion.method";
/// Weight of the vector score.
pub(crate) const FUSION_VECTOR: &str = "recall.fusion.vector_weight";
/// Weight of the keyword score.
pub(crate) const FUSION_KEYWORD: &str = "recall.fusion.keyword_weight";
/// Damping of the first ranks.
pub(crate) const FUSION_RRF_K: &str = "recall.fusion.rrf_k";
/// Whether a word finds its other forms.
pub(crate) const STEMS: &str = "recall.ranking.stems";
/// Whether stop words are passed over.
pub(crate) const SKIPS_STOP_WORDS: &str = "recall.ranking.skips_stop_words";
/// Whether a word is found in who said it.
pub(crate) const SOURCE_WORDS: &str = "recall.ranking.source_words";
/// What naming its source gives to a memory.
pub(crate) const SOURCE_WEIGHT: &str = "recall.ranking.source_weight";
/// What a match gives to the memory after it.
pub(crate) const CONTEXT_WEIGHT: &str = "recall.ranking.context_weight";
/// What a memory gains that is of a time which the question speaks of.
pub(crate) const TIME_WEIGHT: &str = "recall.ranking.time_weight";
/// What a memory gains that speaks of an entity which the question names.
pub(crate) const ENTITY_WEIGHT: &str = "recall.ranking.entity_weight";
/// By what part of its score its importance lifts or lowers a memory.
pub(crate) const IMPORTANCE_WEIGHT: &str = "recall.ranking.importance_weight";
/// By what part of its score a memory of this moment is lifted.
pub(crate) const RECENCY_WEIGHT: &str = "recall.ranking.recency_weight";
/// How much likeness to the hits above it takes from a hit.
pub(crate) const DIVERSITY_WEIGHT: &str = "recall.ranking.diversity_weight";
/// From which cosine a memory is reported as similar.
pub(crate) const SIMILAR_THRESHOLD: &str = "remember.similar_threshold";
/// From which cosine a text says nothing new.
pub(crate) const NOVELTY_THRESHOLD: &str = "remember.novelty_threshold";
/// With how many of the latest memories a text is compared.
pub(crate) const NOVELTY_MEMORIES: &str = "remember.novelty_memories";
/// How long to wait for another process's lock.
pub(crate) const LOCK_WAIT: &str = "store.lock_wait_ms";
/// Whether tools state the shape of their answers.
pub(crate) const OUTPUT_SCHEMA: &str = "serve.output_schema";
/// How long a command waits for vectors.
pub(crate) const VECTOR_WAIT: &str = "command_line.vector_wait_ms";

/// The method of [`FUSION_METHOD`] that sums scaled scores.
pub(crate) const MIN_MAX: &str = "min_max";
/// The method of [`FUSION_METHOD`] that sums reciprocal ranks.
pub(crate) const RRF: &str = "rrf";

/// The values of [`LOG`], quietest first.
pub(crate) const LOG_LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// What is added to a score of at most 1.
const BONUS: Range = Range::Real {
    min: 0.0,
    max: 10.0,
};

const WEIGHT: Range = Range::Real { min: 0.0, max: 1.0 };

/// All of them, in the order of `configs/palimpsest.toml`.
pub(crate) const SETTINGS: [Setting; 27] = [
    setting(MEMORY, Range::Path, Preset::Text("")),
    setting(MODEL, Range::Path, Preset::Text("")),
    setting(SCOPE, Range::Text, Preset::Text("user")),
    setting(LOG, Range::Choice(&LOG_LEVELS), Preset::Text("warn")),
    setting(
        RECALL_LIMIT,
        Range::Whole { min: 1, max: 100 },
        Preset::Whole(10),
    ),
    setting(
        RECALL_TOKENS,
        Range::Whole {
            min: 100,
            max: 10_000,
        },
        Preset::Whole(2_000),
    ),
    setting(
        RECALL_CANDIDATES,
        Range::Whole {
            min: 1,
            max: 10_000,
        },
        Preset::Whole(200),
    ),
    setting(
        FUSION_METHOD,
        Range::Choice(&[MIN_MAX, RRF]),
        Preset::Text(MIN_MAX),
    ),
    setting(FUSION_VECTOR, WEIGHT, Preset::Real(0.4)),
    setting(FUSION_KEYWORD, WEIGHT, Preset::Real(0.6)),
    setting(
        FUSION_RRF_K,
        Range::Real {
            min: 1.0,
            max: 1_000.0,
        },
        Preset::Real(60.0),
    ),
    setting(STEMS, Range::Switch, Preset::Switch(true)),
    setting(SKIPS_STOP_WORDS, Range::Switch, Preset::Switch(true)),
    setting(SOURCE_WORDS, Range::Switch, Preset::Switch(true)),
    setting(SOURCE_WEIGHT, BONUS, Preset::Real(0.5)),
    setting(CONTEXT_WEIGHT, BONUS, Preset::Real(0.4)),
    setting(TIME_WEIGHT, BONUS, Preset::Real(0.5)),
    setting(ENTITY_WEIGHT, BONUS, Preset::Real(0.2)),
    setting(IMPORTANCE_WEIGHT, WEIGHT, Preset::Real(0.2)),
    setting(RECENCY_WEIGHT, WEIGHT, Preset::Real(0.0)),
    setting(DIVERSITY_WEIGHT, WEIGHT, Preset::Real(0.0)),
    setting(
        SIMILAR_THRESHOLD,
        Range::Real { min: 0.0, max: 1.0 },
        Preset::Real(0.85),
    ),
    setting(
        NOVELTY_THRESHOLD,
        Range::Real { min: 0.0, max: 1.0 },
        Preset::Real(0.9),
    ),
    setting(
        NOVELTY_MEMORIES,
        Range::Whole { min: 1, max: 1_000 },
        Preset::Whole(20),
    ),
    setting(
        LOCK_WAIT,
        Range::Whole {
            min: 0,
            max: 600_000,
        },
        Preset::Whole(10_000),
    ),
    setting(OUTPUT_SCHEMA, Range::Switch, Preset::Switch(true)),
    setting(
        VECTOR_WAIT,
        Range::Whole {
            min: 0,
            max: 600_000,
        },
        Preset::Whole(30_000),
    ),
];

const fn setting(name: &'static str, range: Range, default: Preset) -> Setting {
    Setting {
        name,
        range,
        default,
    }
}

impl Setting {
    /// Its default as a value.
    pub(crate) fn default_value(&self) -> Value {
        match self.default {
            Preset::Text(text) if self.range == Range::Path => Value::Path(PathBuf::from(text)),
            Preset::Text(text) => Value::Text(text.to_owned()),
            Preset::Whole(number) => Value::Whole(number),
            Preset::Real(number) => Value::Real(number),
            Preset::Switch(on) => Value::Switch(on),
        }
    }

    /// Its environment variable.
    pub(crate) fn variable(&self) -> String {
        let name = self.name.to_ascii_uppercase().replace('.', "__");
        format!("{VARIABLE_PREFIX}{name}")
    }
}

/// How the name of every environment variable of ours begins.
pub(crate) const VARIABLE_PREFIX: &str = "PALIMPSEST_";

impl Range {
    /// Whether `value` has the right type and lies within.
    pub(crate) fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Path, Value::Path(_)) | (Self::Switch, Value::Switch(_)) => true,
            (Self::Text, Value::Text(text)) => !text.trim().is_empty(),
            (Self::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
            (Self::Whole { min, max }, Value::Whole(number)) => (min..=max).contains(&number),
            (Self::Real { min, max }, Value::Real(number)) => (min..=max).contains(&number),
            _ => false,
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path => write!(f, "a path in quotes"),
            Self::Text => write!(f, "a text in quotes, not blank"),
            Self::Choice(words) => write!(f, "one of \"{}\"", words.join("\", \"")),
            Self::Whole { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Real { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Switch => write!(f, "true or false"),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => write!(f, "{}", path.display()),
            Self::Text(text) => write!(f, "{text}"),
            Self::Whole(number) => write!(f, "{number}"),
            Self::Real(number) => write!(f, "{number}"),
            Self::Switch(on) => write!(f, "{on}"),
        }
    }
}
