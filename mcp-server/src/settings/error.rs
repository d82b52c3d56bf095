//! Why settings were refused, and what to write instead.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// What is wrong with the settings. Nothing was opened or made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum Error {
    /// A name that no setting has.
    #[error("unknown {} ({origin}){}", what_is_unknown(origin, name), did_you_mean(nearest.as_deref()))]
    Unknown {
        /// The name as it was written.
        name: String,
        /// Where.
        origin: Origin,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// A value of the wrong type or out of range.
    #[error("setting {name} is {found} ({origin}): it must be {expected}")]
    Invalid {
        /// The setting's path.
        name: &'static str,
        /// Where.
        origin: Origin,
        /// The value as it was written.
        found: String,
        /// The range.
        expected: String,
    },
    /// Values that do not go together.
    #[error("the settings do not go together: {0}")]
    Together(#[source] Box<palimpsest_memory::Error>),
    /// The file is no TOML.
    #[error("{} is not a TOML file: {source}", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// Where in it, and why.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// The operating system refused.
    #[error("cannot read the settings in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The platform names no folder to keep things in.
    #[error(
        "this account has no home folder to keep the {what} in: give --{what} PATH, or set {variable}"
    )]
    NoHome {
        /// The setting that has no default here.
        what: &'static str,
        /// Its environment variable.
        variable: String,
    },
    /// A relative path, and no working directory.
    #[error("the working directory cannot be read: give absolute paths")]
    NoWorkingDirectory(#[source] io::Error),
}

/// Where a value comes from, weakest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Nobody said.
    Default,
    /// The settings file.
    File {
        /// The file.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => write!(f, "default"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Environment(variable) => write!(f, "environment variable {variable}"),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

fn what_is_unknown(origin: &Origin, name: &str) -> String {
    match origin {
        Origin::Environment(_) => format!("setting {name}"),
        _ => format!("setting {name:?}"),
    }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    match nearest {
        Some(name) => format!(": did you mean {name}?"),
        None => ": configs/palimpsest.toml lists every setting".to_owned(),
    }
}
