//! Evaluations of recall, streaming and file speed that anyone can repeat: records and reports.
//!
//! It knows nothing of MCP.
