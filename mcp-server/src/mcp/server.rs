//! The server's side of the protocol: who it is, which tools it has, and running one.

use std::sync::Arc;

use jiff::tz::TimeZone;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    DiscoverResult, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use super::LazyMemory;
use super::instructions::INSTRUCTIONS;
use super::refusal::Refusal;
use super::tool::{Answer, Context, Tool};
use crate::serve::ServeOptions;

/// Calls that run at a time; further ones wait. Fewer than the runtime's blocking threads, some of
/// which carry the standard streams.
const CALLS_MAX: usize = 32;

/// How long a client may keep what a server says of itself: as long as the process, an hour at least.
const CACHE_MS: u64 = 3_600_000;

/// One session's server. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct McpServer {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    memory: Arc<LazyMemory>,
    options: ServeOptions,
    zone: TimeZone,
    calls: Semaphore,
}

impl McpServer {
    /// A server of `memory`. Dates without a zone are taken in `zone`.
    pub(crate) fn new(memory: Arc<LazyMemory>, options: ServeOptions, zone: TimeZone) -> Self {
        Self {
            shared: Arc::new(Shared {
                memory,
                options,
                zone,
                calls: Semaphore::new(CALLS_MAX),
            }),
        }
    }

    async fn answer(
        &self,
        tool: Tool,
        arguments: Map<String, Value>,
        is_cancelled: impl Fn() -> bool + Send + 'static,
    ) -> Result<Answer, Refusal> {
        let _permit = self
            .shared
            .calls
            .acquire()
            .await
            .expect("the semaphore is never closed");
        let shared = Arc::clone(&self.shared);
        let call = tokio::task::spawn_blocking(move || shared.call(tool, arguments, is_cancelled));
        call.await.unwrap_or_else(|error| {
            tracing::error!("{} broke off: {error}", tool.name());
            Err(Refusal::Defect)
        })
    }
}

impl Shared {
    fn call(
        &self,
        tool: Tool,
        arguments: Map<String, Value>,
        is_cancelled: impl Fn() -> bool,
    ) -> Result<Answer, Refusal> {
        let memory = self.memory.get()?;
        if is_cancelled() {
            return Err(Refusal::Cancelled);
        }
        let context = Context {
            memory,
            scope: &self.options.scope,
            zone: &self.zone,
        };
        tool.call(&context, arguments)
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(
                Implementation::new("palimpsest", env!("CARGO_PKG_VERSION"))
                    .with_title("Palimpsest"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut result = DiscoverResult::from_server_info(versions, self.get_info());
        result.ttl_ms = CACHE_MS;
        result.cache_scope = CacheScope::Public;
        Ok(result)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let outputs = self.shared.options.output_schema;
        let tools = Tool::ALL.map(|tool| tool.listing(outputs));
        let mut result = ListToolsResult::with_all_items(tools.to_vec());
        let version = context.protocol_version();
        if version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            result.ttl_ms = Some(CACHE_MS);
            result.cache_scope = Some(CacheScope::Public);
        }
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::named(&request.name) else {
            return Err(unknown_tool(&request.name));
        };
        let arguments = request.arguments.unwrap_or_default();
        let cancelled = context.ct.clone();
        let answered = self
            .answer(tool, arguments, move || cancelled.is_cancelled())
            .await;
        let result = match answered {
            Ok(answer) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                result.structured_content = Some(answer.structure);
                result
            }
            Err(refusal) => {
                tracing::info!("{} refused: {refusal}", tool.name());
                CallToolResult::error(vec![ContentBlock::text(refusal.to_string())])
            }
        };
        Ok(result.into())
    }
}

fn unknown_tool(name: &str) -> ErrorData {
    let names = Tool::ALL.map(Tool::name).join(", ");
    let name = super::text_cut::cut(name, 60);
    ErrorData::invalid_params(
        format!("there is no tool {name:?}; there are {names}"),
        None,
    )
}

#[cfg(test)]
mod tests;
