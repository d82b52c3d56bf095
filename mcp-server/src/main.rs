//! Long-term memory for LLM agents: the MCP server and its command line.

mod cli;
mod demo;
mod mcp;
mod model;
mod serve;
mod settings;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
