//! Why the store refused, by what the caller can do about it.

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An earlier sync failed, so nothing written since is trusted. Reopen the store.
    #[error("store is poisoned by an earlier failed sync")]
    Poisoned,
}
