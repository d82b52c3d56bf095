//! Why the store refused, by what the caller can do about it.

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An earlier sync failed, so nothing written since is trusted. Reopen the store.
    #[error("store is poisoned by an earlier failed sync")]
    Poisoned,
    /// A payload holds a tag that this version does not know.
    #[error(
        "unknown {structure} tag {tag} at byte {offset_bytes} of a frame's payload: a newer Palimpsest wrote it, so update this one"
    )]
    UnknownTag {
        /// What was being read.
        structure: &'static str,
        /// Where the tag stands in the payload.
        offset_bytes: u64,
        /// The tag.
        tag: u8,
    },
    /// A payload holds bytes that no version of ours writes. Do not retry.
    #[error("corrupt {structure} before byte {offset_bytes} of a frame's payload: {problem}")]
    Payload {
        /// What was being read.
        structure: &'static str,
        /// Where reading stopped in the payload.
        offset_bytes: u64,
        /// What is wrong.
        problem: PayloadProblem,
    },
    /// An operation holds a value that no record may have. Nothing was kept.
    #[error("change {change} of the operation cannot be kept: {problem}")]
    BadChange {
        /// Which change, from 0.
        change: usize,
        /// What is wrong.
        problem: PayloadProblem,
    },
    /// A vector or a query cannot be compared.
    #[error(transparent)]
    Vector(#[from] palimpsest_vector::Error),
}

/// What is wrong with a value of a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayloadProblem {
    /// A length says more than is there.
    #[error("it is cut short")]
    Truncated,
    /// Bytes are left where the structure ends.
    #[error("bytes follow its end")]
    TrailingBytes,
    /// A text is not UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// An identifier is 0 or the greatest number, which are never given.
    #[error("an identifier was never given")]
    BadIdentifier,
    /// An importance or a weight is not within 0 to 1.
    #[error("an importance or a weight is not within 0 to 1")]
    OutOfRange,
    /// Vectors are none, of several lengths, too long, zero, or not finite.
    #[error("its vectors are none, of several lengths, too long, zero, or not finite")]
    BadVector,
}
