//! The platform's folders, and how paths become absolute. Knows no setting.

use std::path::{Path, PathBuf};

use directories::{BaseDirs, ProjectDirs};

/// Where this account keeps things. Tests make their own.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    /// The account's home.
    pub(crate) home: Option<PathBuf>,
    /// Where our data lives.
    pub(crate) data: Option<PathBuf>,
    /// Where what can be fetched again lives.
    pub(crate) cache: Option<PathBuf>,
    /// Where our settings file is.
    pub(crate) config: Option<PathBuf>,
    /// What relative paths are relative to.
    pub(crate) working: PathBuf,
}

impl Folders {
    /// Those of this account, and the process's working directory.
    ///
    /// # Errors
    /// Where the working directory is gone.
    pub(crate) fn of_this_account() -> Result<Self, std::io::Error> {
        let project = ProjectDirs::from("", "", "palimpsest");
        let project = project.as_ref();
        Ok(Self {
            home: BaseDirs::new().map(|base| base.home_dir().to_owned()),
            data: project.map(|folders| folders.data_dir().to_owned()),
            cache: project.map(|folders| folders.cache_dir().to_owned()),
            config: project.map(|folders| folders.config_dir().to_owned()),
            working: std::env::current_dir()?,
        })
    }

    /// The same path, absolute. A leading `~/` is the home folder: clients start servers without a
    /// shell, and a memory in a folder named `~` would be lost from sight.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        let expanded = match (path.strip_prefix("~"), &self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => path.to_owned(),
        };
        let joined = self.working.join(expanded);
        std::path::absolute(&joined).unwrap_or(joined)
    }
}
