//! The command line as people and scripts use it: the real program, in a home of its own.

mod demonstration;
mod home;
mod ingest;
mod memory;
mod model;
mod settings;
