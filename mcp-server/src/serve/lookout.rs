//! What ends a session from outside: a signal, or the death of the parent. Knows no session.

use std::time::Duration;

/// How often the parent is looked after.
const PARENT_EVERY: Duration = Duration::from_secs(1);

/// A look-out for the moment from which nobody wants this process any more.
#[derive(Debug)]
pub(super) struct Lookout {
    parent: u32,
    signals: Option<Signals>,
}

impl Lookout {
    /// Begins to look out. To be called on the runtime, and before anything is answered: a parent that
    /// has its answer may send a signal, or go.
    pub(super) fn begin() -> Self {
        let signals = Signals::caught();
        if let Err(error) = &signals {
            tracing::warn!("signals cannot be caught and end the process at once: {error}");
        }
        Self {
            parent: parent_id(),
            signals: signals.ok(),
        }
    }

    /// Waits for SIGTERM, SIGINT, SIGHUP or the death of the parent.
    ///
    /// The parent counts because another process may hold the other end of standard input, whose end
    /// then never comes.
    pub(super) async fn unwanted(self) {
        let signal = async {
            match self.signals {
                Some(signals) => signals.any().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = signal => tracing::info!("ending on a signal"),
            () = gone(self.parent) => tracing::info!("ending: the parent process is gone"),
        }
    }
}

async fn gone(parent: u32) {
    let mut ticks = tokio::time::interval(PARENT_EVERY);
    while parent_id() == parent {
        ticks.tick().await;
    }
}

#[cfg(unix)]
fn parent_id() -> u32 {
    std::os::unix::process::parent_id()
}

/// Elsewhere a process keeps no parent to ask for; the end of standard input has to do.
#[cfg(not(unix))]
fn parent_id() -> u32 {
    0
}

#[cfg(unix)]
#[derive(Debug)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn caught() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    async fn any(mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

#[cfg(windows)]
#[derive(Debug)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn caught() -> std::io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn any(mut self) {
        self.0.recv().await;
    }
}
