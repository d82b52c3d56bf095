//! The demonstration: a real server with a memory of its own, driven over MCP, which checks what it
//! shows. Knows the server's tools only as a client does.

mod client;
mod conversation;
mod error;
mod script;

use std::path::Path;

pub(crate) use error::Error;

use crate::cli::Printer;
use client::Client;
use conversation::Conversation;

/// Shows what the server does, with the model in `model`. Leaves nothing behind.
///
/// # Errors
/// [`Error::Unexpected`] where an answer is not what it should be; else why the server or its client
/// did not work.
pub(crate) fn run(model: &Path, printer: &mut Printer) -> Result<(), Error> {
    let conversation = Conversation::ours()?;
    let folder = tempfile::Builder::new()
        .prefix("palimpsest-demo-")
        .tempdir();
    let folder = folder.map_err(Error::io("make a temporary folder"))?;
    let program = std::env::current_exe().map_err(Error::io("find this program"))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(Error::io("start a runtime"))?;
    let shown = runtime.block_on(show(&program, model, folder.path(), &conversation, printer));
    let removed = folder
        .close()
        .map_err(Error::io("remove the temporary folder"));
    shown.and(removed)?;
    script::say_goodbye(&program, printer)
}

async fn show(
    program: &Path,
    model: &Path,
    folder: &Path,
    conversation: &Conversation,
    printer: &mut Printer,
) -> Result<(), Error> {
    let mut interrupted = std::pin::pin!(interrupted());
    // Signals come first: from here on one ends the demonstration and not the process.
    let client = tokio::select! {
        biased;
        () = &mut interrupted => return Err(Error::Interrupted),
        client = Client::start(program, model, folder) => client?,
    };
    let shown = tokio::select! {
        biased;
        () = &mut interrupted => Err(Error::Interrupted),
        shown = script::show(&client, conversation, folder, printer) => shown,
    };
    // The server ends whatever came of it.
    let ended = client.end().await;
    shown.and(ended)
}

async fn interrupted() {
    #[cfg(unix)]
    let terminated = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signals) => signals.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<Option<()>>();
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => {
            if pressed.is_err() {
                std::future::pending::<()>().await;
            }
        }
        _ = terminated => {}
    }
}

#[cfg(test)]
mod tests;
