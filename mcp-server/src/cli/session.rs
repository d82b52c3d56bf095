//! A memory, open for one command. It answers what the MCP tools answer.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use palimpsest_memory::{Memory, ModelState, Options, SystemClock};
use serde_json::Value;

use super::Failure;
use super::call::Call;
use crate::mcp::{Context, LazyMemory, Refusal, Tool};
use crate::settings::Settings;

const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// One memory and the choices that go with it.
#[derive(Debug)]
pub(super) struct Session {
    /// The memory.
    pub(super) memory: Arc<Memory>,
    /// What the owner chose.
    pub(super) settings: Settings,
    /// The zone of dates that name none, and of the dates that are shown.
    pub(super) zone: TimeZone,
}

impl Session {
    /// Opens the memory, and makes it where it is missing.
    pub(super) fn open_or_make(settings: Settings) -> Result<Self, Failure> {
        crate::serve::start_logging(settings.log);
        let lazy = LazyMemory::new(options(&settings), Arc::new(SystemClock));
        let memory = lazy.get().map_err(Refusal::from)?;
        Ok(Self {
            memory,
            settings,
            zone: TimeZone::system(),
        })
    }

    /// Opens a memory that is there: a misspelt path must not look like an empty memory.
    pub(super) fn open(settings: Settings) -> Result<Self, Failure> {
        if !is_there(&settings.memory) {
            return Err(Failure::NoMemory {
                path: settings.memory,
            });
        }
        Self::open_or_make(settings)
    }

    /// Calls a tool, and answers its structure.
    pub(super) fn call(&self, tool: Tool, call: Call) -> Result<Value, Failure> {
        let context = Context {
            memory: Arc::clone(&self.memory),
            scope: &self.settings.scope,
            zone: &self.zone,
        };
        Ok(tool.call(&context, call.into_map())?.structure)
    }

    /// Waits until the model is loaded or cannot be, as long as the settings say.
    pub(super) fn wait_for_model(&self) {
        let started = Instant::now();
        while self.memory.model_state() == ModelState::Loading
            && started.elapsed() < self.settings.vector_wait
        {
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits until every memory has its vector, as long as the settings say; whether that was reached.
    pub(super) fn wait_for_vectors(&self) -> Result<bool, Failure> {
        let settled = self.memory.settle(self.settings.vector_wait);
        let is_ready = matches!(self.memory.model_state(), ModelState::Ready { .. });
        Ok(settled.map_err(Refusal::from)? && is_ready)
    }
}

/// Where the memory is and how it behaves.
pub(super) fn options(settings: &Settings) -> Options {
    Options {
        path: settings.memory.clone(),
        model: Some(settings.model.clone()),
        lock_wait: settings.lock_wait,
        settings: settings.mind.clone(),
    }
}

/// Whether a memory was ever made at `path`.
pub(super) fn is_there(path: &Path) -> bool {
    path.exists() || log_of(path).exists()
}

/// The log of the memory at `path`.
pub(super) fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push(".log");
    PathBuf::from(log)
}
