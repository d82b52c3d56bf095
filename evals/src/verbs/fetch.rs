//! `fetch`: a data set for who has none. The only code of this room that uses the network, by the user's pip.

mod sdist;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directories::ProjectDirs;

use crate::error::Error;
use crate::printer;

/// The arguments of `fetch`.
#[derive(Debug, Clone, Args)]
pub(crate) struct FetchArguments {
    /// Which data set
    #[arg(value_enum)]
    which: Fetchable,
    /// Where it goes [default: in the platform's cache]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

/// What can be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Fetchable {
    /// The oracle variant of LongMemEval (MIT), 15 MB, out of the source package of graphiti-core
    LongmemevalOracle,
}

/// Gets the data set, and checks it byte for byte.
pub(crate) fn fetch(arguments: &FetchArguments) -> Result<(), Error> {
    let (name, member) = match arguments.which {
        Fetchable::LongmemevalOracle => ("longmemeval_oracle.json", sdist::LONGMEMEVAL_ORACLE),
    };
    let project = ProjectDirs::from("", "", "palimpsest");
    let in_cache = || project.map(|folders| folders.cache_dir().join("data").join(name));
    let to = arguments.to.clone().or_else(in_cache);
    let to = to.ok_or(Error::NoFolder { flag: "--to" })?;
    sdist::fetch(&member, &to)?;
    printer::line(&to.display().to_string())
}
