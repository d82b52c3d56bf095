//! The house seen from outside: its doors, its tidiness, and the built program as its users drive it.

mod doors;
mod tidy;
