//! A server as a child process, and a client that calls its tools.

use std::path::Path;

use rmcp::model::CallToolRequestParams;
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Map, Value};
use tokio::process::Command;

use super::Error;

/// How the names of our environment variables begin.
const VARIABLE_PREFIX: &str = "PALIMPSEST_";

/// A client of a server that it started.
pub(super) struct Client {
    service: RunningService<RoleClient, ()>,
}

impl Client {
    /// Starts `program serve` on a new memory in `folder`.
    ///
    /// The owner's settings do not reach it: what is shown must not depend on them.
    pub(super) async fn start(program: &Path, model: &Path, folder: &Path) -> Result<Self, Error> {
        let settings = folder.join("palimpsest.toml");
        std::fs::write(&settings, "").map_err(Error::io("write in the temporary folder"))?;
        let mut command = Command::new(program);
        command
            .arg("serve")
            .arg("--memory")
            .arg(folder.join("memory.h5"))
            .arg("--model")
            .arg(model)
            .arg("--config")
            .arg(&settings)
            .current_dir(folder)
            .kill_on_drop(true);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with(VARIABLE_PREFIX) {
                command.env_remove(name);
            }
        }
        let child = TokioChildProcess::new(command).map_err(Error::io("start the server"))?;
        let service = ().serve(child).await.map_err(|error| Error::Start(Box::new(error)))?;
        Ok(Self { service })
    }

    /// The protocol revision that both speak.
    pub(super) fn protocol(&self) -> String {
        let server = self.service.peer_info();
        server.map_or(String::new(), |server| server.protocol_version.to_string())
    }

    /// Calls a tool, and answers its structure.
    pub(super) async fn call(
        &self,
        tool: &'static str,
        arguments: Map<String, Value>,
    ) -> Result<Value, Error> {
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.service.call_tool(request).await;
        let result = result.map_err(|source| Error::Call {
            tool,
            source: Box::new(source),
        })?;
        if result.is_error == Some(true) {
            let said = result.content.iter().filter_map(|part| part.as_text());
            let said: Vec<&str> = said.map(|part| part.text.as_str()).collect();
            let said = said.join(" ");
            return Err(Error::Refused { tool, said });
        }
        Ok(result.structured_content.unwrap_or_default())
    }

    /// Ends the server, and waits until it has ended.
    pub(super) async fn end(self) -> Result<(), Error> {
        let ended = self.service.cancel().await;
        ended.map(|_| ()).map_err(Error::End)
    }
}
