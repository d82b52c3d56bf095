//! One `palimpsest serve` as a child process, driven line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use serde_json::{Map, Value, json};

/// A bound that only a server that hangs reaches.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// The server ends within 2 s of the end of its session; the rest is a busy machine's.
pub(crate) const ENDING_WAIT: Duration = Duration::from_secs(4);

/// How clients begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// `initialize`, as of 2025-06-18.
    Session,
    /// `server/discover`, as of 2026-07-28, and what the client is in every request.
    Stateless,
}

pub(crate) const ERAS: [Era; 2] = [Era::Session, Era::Stateless];

/// A server and its pipes. Killed when dropped.
#[derive(Debug)]
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Option<JoinHandle<String>>,
    era: Era,
    n_requests: u64,
    /// How long an answer is waited for.
    pub(crate) patience: Duration,
    /// Every line of standard output so far.
    pub(crate) printed: Vec<String>,
}

/// `palimpsest serve` with a home of its own in `home`, so that no model and no setting of the
/// machine is found.
pub(crate) fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palimpsest"));
    for (name, _) in std::env::vars_os() {
        let is_ours = name.to_string_lossy().starts_with("PALIMPSEST_");
        if is_ours || name == "RUST_LOG" {
            command.env_remove(name);
        }
    }
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
        command.env(variable, home);
    }
    command.env("TZ", "UTC");
    command.arg("serve").arg("--memory").arg(memory_path(home));
    command
}

pub(crate) fn memory_path(home: &Path) -> PathBuf {
    home.join("memory.h5")
}

impl Session {
    /// Starts a server on the memory in `home` and begins a session.
    pub(crate) fn begin(home: &Path, era: Era) -> Self {
        let mut session = Self::start(&mut command(home), era);
        session.greet();
        session
    }

    /// Starts `command` and says nothing yet.
    pub(crate) fn start(command: &mut Command, era: Era) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let mut stderr = child.stderr.take().expect("piped");
        let (sender, lines) = channel();
        spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let errors = spawn(move || {
            let mut text = Vec::new();
            match stderr.read_to_end(&mut text) {
                Ok(_) => String::from_utf8_lossy(&text).into_owned(),
                Err(error) => error.to_string(),
            }
        });
        Self {
            child,
            input,
            lines,
            errors: Some(errors),
            era,
            n_requests: 0,
            patience: ANSWER_WAIT,
            printed: Vec::new(),
        }
    }

    /// The first request of the era, and its answer.
    pub(crate) fn greet(&mut self) -> Value {
        let client = json!({ "name": "protocol test", "version": "1" });
        match self.era {
            Era::Session => {
                let params = json!({
                    "protocolVersion": "2025-06-18",
                    "capabilities": {},
                    "clientInfo": client,
                });
                let answer = self.ask("initialize", params);
                self.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
                answer
            }
            Era::Stateless => self.ask("server/discover", json!({})),
        }
    }

    /// Sends one request and returns its answer, whole.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        loop {
            let answer = self.next().expect("an answer");
            if answer["id"] == id {
                return answer;
            }
        }
    }

    /// Sends one request and returns its id.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        self.n_requests += 1;
        if let (Era::Stateless, Some(params)) = (self.era, params.as_object_mut()) {
            params.insert("_meta".to_owned(), meta());
        }
        let id = self.n_requests;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Calls a tool; the result, which is never a protocol error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        match answer.get("result") {
            Some(result) => result.clone(),
            None => panic!("{tool} answered {answer}"),
        }
    }

    pub(crate) fn say(&mut self, message: &Value) {
        self.write(&format!("{message}\n"));
    }

    pub(crate) fn write(&mut self, text: &str) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(text.as_bytes()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    /// The next message of the server; `None` when it has closed its output.
    pub(crate) fn next(&mut self) -> Option<Value> {
        match self.lines.recv_timeout(self.patience) {
            Ok(line) => {
                let message = serde_json::from_str(&line);
                self.printed.push(line);
                Some(message.expect("standard output is JSON, a message a line"))
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer within {:?}", self.patience),
        }
    }

    /// Ends the input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// The process, for signals.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Reads what is still said, and returns how the process ended and what it logged.
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>, String) {
        let deadline = std::time::Instant::now() + ENDING_WAIT;
        loop {
            let left = deadline.saturating_duration_since(std::time::Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.printed.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("still there after {ENDING_WAIT:?}"),
            }
        }
        let status = self.child.wait().expect("it ended");
        let errors = self.errors.take().expect("taken once");
        let printed = std::mem::take(&mut self.printed);
        (status, printed, errors.join().expect("read"))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}

/// What a client of 2026-07-28 says of itself in every request.
pub(crate) fn meta() -> Value {
    Value::Object(Map::from_iter([
        (
            "io.modelcontextprotocol/protocolVersion".to_owned(),
            json!("2026-07-28"),
        ),
        (
            "io.modelcontextprotocol/clientCapabilities".to_owned(),
            json!({}),
        ),
        (
            "io.modelcontextprotocol/clientInfo".to_owned(),
            json!({ "name": "protocol test", "version": "1" }),
        ),
    ]))
}

/// The text of a tool's result.
pub(crate) fn text_of(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("a text")
}
