//! What is asked of what: the data sets, as haystacks of sessions of turns, and questions.

mod data_file;
mod generated;
mod haystack;
mod locomo;
mod longmemeval;
mod moment;
mod pool;

pub(crate) use data_file::{DataFile, hex};
pub(crate) use generated::{Shape, text, write_generated};
pub(crate) use haystack::{Haystack, Question, Session, Turn};
pub(crate) use locomo::read_locomo;
pub(crate) use longmemeval::{LongMemEval, Survey};
pub(crate) use pool::read_pool;
