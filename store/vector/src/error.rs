//! Why a vector was refused.

/// What is wrong with a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A length that no index takes.
    #[error("a vector of {dim} numbers cannot be indexed: give 1 to {dim_max}")]
    BadDim {
        /// The length.
        dim: usize,
        /// The greatest length.
        dim_max: usize,
    },
    /// Another length than the index's.
    #[error("a vector has {found} numbers where {expected} are compared")]
    WrongDim {
        /// The index's length.
        expected: usize,
        /// The vector's length.
        found: usize,
    },
    /// NaN or infinity.
    #[error("number {component} of a vector is not finite")]
    NotFinite {
        /// Which one, from 0.
        component: usize,
    },
    /// All numbers are 0, so it points nowhere.
    #[error("a vector is zero, so it has no direction")]
    Zero,
}
