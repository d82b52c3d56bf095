//! The program: its verbs are in the library, beside what they measure.

use std::process::ExitCode;

fn main() -> ExitCode {
    palimpsest_evals::run()
}
