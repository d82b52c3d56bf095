//! The `serve` command: logging, standard input and output, and when to end. Knows no tool.

mod lookout;

use std::sync::Arc;
use std::time::Duration;

use palimpsest_memory::SystemClock;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::EnvFilter;

use self::lookout::Lookout;
use crate::mcp::{HangUp, LazyMemory, LineTransport, McpServer};

/// How the server behaves.
#[derive(Debug, Clone)]
pub(crate) struct ServeOptions {
    /// The scope of calls that name none.
    pub(crate) scope: String,
    /// Whether the list of tools carries output schemas.
    pub(crate) output_schema: OutputSchema,
    /// What is logged to standard error where `RUST_LOG` says nothing.
    pub(crate) log_level: LevelFilter,
}

/// Whether the list of tools carries output schemas: one desktop client calls no tool that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputSchema {
    /// Each tool has one.
    Listed,
    /// None has.
    Omitted,
}

/// From the end of the session (end of input, a signal, the parent's death, a closed pipe) to the end
/// of the process: calls in flight finish within it, or are cut off.
const ENDING_MAX: Duration = Duration::from_millis(1_500);

/// Why a session was not served to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServeError {
    /// The operating system gave no thread.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// The session broke off: a defect of ours, or of what serves the protocol.
    #[error("the session broke off")]
    BrokenOff(#[source] tokio::task::JoinError),
    /// The session never began.
    #[error("the session did not begin")]
    NotBegun(#[source] Box<ServerInitializeError>),
}

/// Threads for calls, for blocking standard streams, and for closing.
const BLOCKING_THREADS_MAX: usize = 64;

/// Serves one session on standard input and output, and returns when it has ended.
///
/// Makes its own runtime, and leaves it without waiting: a read of a standard input that is not a
/// pipe cannot be cancelled.
pub(crate) fn run(
    memory: palimpsest_memory::Options,
    serve: ServeOptions,
) -> Result<(), ServeError> {
    start_logging(serve.log_level);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .enable_all()
        .build()
        .map_err(ServeError::Thread)?;
    let memory = Arc::new(LazyMemory::new(memory, Arc::new(SystemClock)));
    open_behind_the_first_answer(Arc::clone(&memory))?;
    let server = McpServer::new(Arc::clone(&memory), serve, jiff::tz::TimeZone::system());
    let ended = runtime.block_on(session(server, memory));
    runtime.shutdown_background();
    ended
}

/// Sends the log to standard error, without colour: standard output is the protocol.
pub(crate) fn start_logging(level: LevelFilter) {
    let filter = EnvFilter::builder()
        .with_default_directive(level.into())
        .from_env_lossy();
    let started = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_env_filter(filter)
        .try_init();
    if started.is_err() {
        tracing::debug!("the log was started before");
    }
}

fn open_behind_the_first_answer(memory: Arc<LazyMemory>) -> Result<(), ServeError> {
    std::thread::Builder::new()
        .name("open-memory".to_owned())
        .spawn(move || {
            if let Err(error) = memory.get() {
                tracing::warn!("{error}");
            }
        })
        .map_err(ServeError::Thread)?;
    Ok(())
}

async fn session(server: McpServer, memory: Arc<LazyMemory>) -> Result<(), ServeError> {
    let hang_up = HangUp::new();
    let lookout = Lookout::begin();
    let (read, write) = rmcp::transport::stdio_pipes();
    let transport = LineTransport::new(read, write, hang_up.clone());
    let watch = tokio::spawn({
        let hang_up = hang_up.clone();
        async move {
            lookout.unwanted().await;
            hang_up.now();
        }
    });
    let session = async {
        let ended = serve_until_the_end(server, transport).await;
        // Closing may wait for the disk.
        let closed = tokio::task::spawn_blocking(move || memory.close()).await;
        ended.and(closed.map_err(ServeError::BrokenOff))
    };
    let ended = tokio::select! {
        ended = session => ended,
        () = deadline(&hang_up) => {
            tracing::warn!("calls were cut off at the end of the session");
            Ok(())
        }
    };
    watch.abort();
    ended
}

async fn serve_until_the_end<R, W>(
    server: McpServer,
    transport: LineTransport<R, W>,
) -> Result<(), ServeError>
where
    R: tokio::io::AsyncRead + Send + Unpin + 'static,
    W: tokio::io::AsyncWrite + Send + Unpin + 'static,
{
    match server.serve(transport).await {
        Ok(running) => {
            running.waiting().await.map_err(ServeError::BrokenOff)?;
            Ok(())
        }
        // The client went before the session began, which is its good right.
        Err(
            ServerInitializeError::ConnectionClosed(_)
            | ServerInitializeError::TransportError { .. },
        ) => Ok(()),
        Err(error) => Err(ServeError::NotBegun(Box::new(error))),
    }
}

async fn deadline(hang_up: &HangUp) {
    hang_up.wait().await;
    tokio::time::sleep(ENDING_MAX).await;
}
