//! The protocol as clients speak it: lines on the pipes of the real program, in both eras.

mod arguments;
mod ending;
mod session;
mod tools;
