//! The product under test: a memory of its own for each haystack, filled and asked as a user's is.

mod ablation;
mod choices;
mod haystack_clock;
mod haystack_memory;

pub(crate) use ablation::ablations;
pub(crate) use choices::{SpeakerIn, chosen_settings};
pub(crate) use haystack_memory::HaystackMemory;
