//! What counts as a vector. Knows no index.

use crate::Error;

/// The greatest length of a vector.
pub const DIM_MAX: usize = 4_096;

/// Whether `vector` can be compared in an index of `dim`: of that length, finite, not zero.
///
/// # Errors
/// By what is wrong with it.
pub fn check_vector(vector: &[f32], dim: usize) -> Result<(), Error> {
    if dim == 0 || dim > DIM_MAX {
        return Err(Error::BadDim {
            dim,
            dim_max: DIM_MAX,
        });
    }
    if vector.len() != dim {
        return Err(Error::WrongDim {
            expected: dim,
            found: vector.len(),
        });
    }
    if let Some(component) = vector.iter().position(|value| !value.is_finite()) {
        return Err(Error::NotFinite { component });
    }
    if vector.iter().all(|value| *value == 0.0) {
        return Err(Error::Zero);
    }
    Ok(())
}
