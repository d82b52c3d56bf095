//! Long-term memory for LLM agents: the MCP server and its command line.

fn main() {}
