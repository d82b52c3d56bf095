//! The house seen from outside: its doors, its tidiness, and the built program as its users drive it.

mod arguments;
mod crash;
mod disk_full;
mod doors;
mod embedding;
mod failing_sync;
mod locomo;
mod many_processes;
mod memories;
mod memory_file;
mod sdk_clients;
mod tidy;
mod wire;
