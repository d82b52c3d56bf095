//! One fetch: the folder if it is whole, else the first source that has the model, then one move.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use palimpsest_memory::ModelFile;

use super::Progress;
use super::checked_copy::verify;
use super::error::{Attempt, Error, SourceError};

/// How the names of staging folders begin.
const STAGING_PREFIX: &str = ".palimpsest-fetch-";

/// Something that may have the model.
pub(crate) trait Source {
    /// Its name for people.
    fn name(&self) -> String;

    /// Puts every one of `files`, checked, into the empty folder `staging`. May leave more there.
    ///
    /// # Errors
    /// Why it does not have them.
    fn fetch_into(
        &self,
        staging: &Path,
        files: &[ModelFile],
        progress: Progress,
    ) -> Result<(), SourceError>;
}

/// What to fetch, and to where.
pub(crate) struct Fetch<'a> {
    /// Where the model belongs.
    pub(crate) folder: &'a Path,
    /// What the model is.
    pub(crate) files: &'a [ModelFile],
    /// What to do with other files of the same names.
    pub(crate) others: Others,
    /// Tells a person how far it is.
    pub(crate) progress: Progress,
}

/// What to do with files in the model's place that are not the model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Others {
    /// The folder is our cache: they are damage.
    Replace,
    /// The owner named the folder: they are the owner's.
    Keep,
}

/// What is in the model's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The model.
    Whole,
    /// Not all of it.
    ToFill,
}

/// How a fetch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The model was there, and is whole.
    AlreadyThere,
    /// It is there now.
    From(String),
}

impl Fetch<'_> {
    /// Fetches from the first of `sources` that has the model.
    ///
    /// Two at once are safe: the second waits, and finds the first one's. What an earlier, killed one
    /// left behind is removed.
    ///
    /// # Errors
    /// [`Error::NoSource`] with the reason of every source; [`Error::OtherModel`]; [`Error::Io`].
    pub(crate) fn run(&self, sources: &[Box<dyn Source>]) -> Result<Fetched, Error> {
        match self.look()? {
            Place::Whole => return Ok(Fetched::AlreadyThere),
            Place::ToFill => {}
        }
        let parent = self.folder.parent().unwrap_or(self.folder);
        fs::create_dir_all(parent).map_err(io_error("make the folder", parent))?;
        let lock = self.lock(parent)?;
        if verify(self.folder, self.files).is_ok() {
            return Ok(Fetched::AlreadyThere);
        }
        remove_leftovers(parent)?;
        let fetched = self.try_each(parent, sources);
        drop(lock);
        fetched
    }

    /// What is in the model's place. Every file is looked at: one that is missing must not hide
    /// another that is the owner's.
    fn look(&self) -> Result<Place, Error> {
        let mut place = Place::Whole;
        for file in self.files {
            match verify(self.folder, std::slice::from_ref(file)) {
                Ok(()) => continue,
                Err(SourceError::Missing { .. }) => {}
                Err(found) if self.others == Others::Keep => {
                    return Err(Error::OtherModel {
                        folder: self.folder.to_owned(),
                        found: Box::new(found),
                    });
                }
                Err(found) => self
                    .progress
                    .say(&format!("the cached model is damaged: {found}")),
            }
            place = Place::ToFill;
        }
        Ok(place)
    }

    fn lock(&self, parent: &Path) -> Result<File, Error> {
        let lock = File::open(parent).map_err(io_error("open", parent))?;
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) => {
                self.progress
                    .say("another fetch is under way; waiting for it");
            }
            Err(TryLockError::Error(source)) => return Err(io_error("lock", parent)(source)),
        }
        lock.lock().map_err(io_error("lock", parent))?;
        Ok(lock)
    }

    fn try_each(&self, parent: &Path, sources: &[Box<dyn Source>]) -> Result<Fetched, Error> {
        let mut attempts = Vec::new();
        for source in sources {
            let staging = tempfile::Builder::new()
                .prefix(STAGING_PREFIX)
                .tempdir_in(parent)
                .map_err(io_error("make a folder in", parent))?;
            self.progress.say(&format!("trying {}", source.name()));
            match source.fetch_into(staging.path(), self.files, self.progress) {
                Ok(()) => {
                    self.land(staging.path())?;
                    return Ok(Fetched::From(source.name()));
                }
                Err(error) => {
                    self.progress.say(&format!("  {error}"));
                    attempts.push(Attempt {
                        source: source.name(),
                        error,
                    });
                }
            }
        }
        Err(Error::NoSource { attempts })
    }

    /// Moves the staged files, all checked and synced, into place, and syncs the folders.
    fn land(&self, staging: &Path) -> Result<(), Error> {
        let folder = self.folder;
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        for file in self.files {
            let path = folder.join(file.name);
            fs::rename(staging.join(file.name), &path).map_err(io_error("make", &path))?;
        }
        for folder in [Some(folder), folder.parent()].into_iter().flatten() {
            let sync = File::open(folder).and_then(|folder| folder.sync_all());
            sync.map_err(io_error("sync", folder))?;
        }
        Ok(())
    }
}

fn remove_leftovers(parent: &Path) -> Result<(), Error> {
    let entries = fs::read_dir(parent).map_err(io_error("read", parent))?;
    for entry in entries {
        let entry = entry.map_err(io_error("read", parent))?;
        if entry
            .file_name()
            .to_string_lossy()
            .starts_with(STAGING_PREFIX)
        {
            let path = entry.path();
            fs::remove_dir_all(&path).map_err(io_error("remove", &path))?;
        }
    }
    Ok(())
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error + use<> {
    let path = path.to_owned();
    move |source| Error::Io {
        action,
        path,
        source,
    }
}
