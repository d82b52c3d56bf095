//! The MCP surface: tools, their schemas, and the lines that carry them.
//!
//! Knows nothing of files, tensors or ranking: each tool reads its arguments, asks the memory, and
//! writes its answer.

mod argument;
mod arguments;
mod instructions;
mod lazy_memory;
mod lenient;
mod line_repair;
pub(crate) mod moment;
mod output_schema;
mod refusal;
mod request_id;
mod server;
mod text_cut;
mod tool;
mod transport;

pub(crate) use argument::Edge;
pub(crate) use lazy_memory::LazyMemory;
pub(crate) use refusal::{Refusal, with_causes};
pub(crate) use server::McpServer;
pub(crate) use tool::{Context, Tool};
pub(crate) use transport::{HangUp, LineTransport};
