//! What a process wrote: read on a thread of its own, kept whole, handed out by lines.

use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// One output of a process. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Pipe {
    shared: Arc<(Mutex<Written>, Condvar)>,
}

#[derive(Debug, Default)]
struct Written {
    bytes: Vec<u8>,
    len_taken: usize,
    is_closed: bool,
}

/// Why there is no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoLine {
    /// None came in time.
    Late,
    /// The process has closed its end.
    Closed,
}

impl Pipe {
    /// Reads `source` to its end, on a thread.
    pub(crate) fn read(mut source: impl Read + Send + 'static) -> Self {
        let pipe = Self {
            shared: Arc::default(),
        };
        let reader = pipe.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            loop {
                let n_bytes = source.read(&mut buffer).unwrap_or(0);
                let mut written = reader.lock();
                written.bytes.extend_from_slice(&buffer[..n_bytes]);
                written.is_closed = n_bytes == 0;
                reader.shared.1.notify_all();
                if written.is_closed {
                    break;
                }
            }
        });
        pipe
    }

    /// The next line, without its end.
    pub(crate) fn next_line(&self, limit: Duration) -> Result<Vec<u8>, NoLine> {
        let deadline = Instant::now() + limit;
        let mut written = self.lock();
        loop {
            let rest = &written.bytes[written.len_taken..];
            if let Some(len_bytes) = rest.iter().position(|byte| *byte == b'\n') {
                let line = rest[..len_bytes].to_vec();
                written.len_taken += len_bytes + 1;
                return Ok(line);
            }
            if written.is_closed {
                return Err(NoLine::Closed);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(NoLine::Late);
            }
            let (woken, _) = self
                .shared
                .1
                .wait_timeout(written, left)
                .expect("no reader panics while it holds the lock");
            written = woken;
        }
    }

    /// Waits until the process has closed its end, and hands out all that it wrote.
    pub(crate) fn whole(&self, limit: Duration) -> Vec<u8> {
        let (written, _) = self
            .shared
            .1
            .wait_timeout_while(self.lock(), limit, |written| !written.is_closed)
            .expect("no reader panics while it holds the lock");
        written.bytes.clone()
    }

    /// The last part of what was written so far, for people.
    pub(crate) fn tail(&self) -> String {
        const LEN_BYTES_MAX: usize = 4_000;
        let written = self.lock();
        let start = written.bytes.len().saturating_sub(LEN_BYTES_MAX);
        String::from_utf8_lossy(&written.bytes[start..]).into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, Written> {
        self.shared
            .0
            .lock()
            .expect("no reader panics while it holds the lock")
    }
}
