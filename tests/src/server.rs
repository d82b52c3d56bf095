//! A running server, spoken to over its pipes line by line, as a client of either era speaks.
//!
//! It knows JSON-RPC and the two ways a session begins, and nothing of the tools. Every wait ends:
//! one that is too long fails with what the server wrote so far.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::pipe::{NoLine, Pipe};
use crate::{Answer, until};

/// Longer than any answer takes on a busy machine; a test that waits so long has failed.
const ANSWER_WAIT: Duration = Duration::from_secs(90);

/// How a client begins and goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// Revision 2025-11-25: `initialize`, then requests.
    Handshake,
    /// Revision 2026-07-28: `server/discover`; every request says who asks.
    Stateless,
}

impl Era {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Handshake, Self::Stateless];

    /// The protocol's revision.
    pub const fn revision(self) -> &'static str {
        match self {
            Self::Handshake => "2025-11-25",
            Self::Stateless => "2026-07-28",
        }
    }
}

/// A request that was sent and not answered yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(u64);

/// A result, or an error of the protocol.
pub type Reply = Result<Value, Value>;

/// How a server ended.
#[derive(Debug)]
pub struct Ended {
    /// What it left with.
    pub status: ExitStatus,
    /// From the cause to the end of the process.
    pub took: Duration,
    /// All that it wrote to standard output.
    pub output: Vec<u8>,
    /// All that it wrote to standard error.
    pub log: String,
}

/// A running server. It is killed when this is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Pipe,
    log: Pipe,
    era: Era,
    last_id: u64,
    replies: BTreeMap<RequestId, Reply>,
}

impl Server {
    pub(crate) fn spawn(command: &mut Command, era: Era) -> Self {
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        Self {
            input: child.stdin.take(),
            output: Pipe::read(child.stdout.take().expect("its output is a pipe")),
            log: Pipe::read(child.stderr.take().expect("its log is a pipe")),
            child,
            era,
            last_id: 0,
            replies: BTreeMap::new(),
        }
    }

    /// Its process.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Begins the session, and answers with what the server says of itself.
    pub fn greet(&mut self) -> Value {
        match self.era {
            Era::Handshake => {
                let client = json!({"name": "palimpsest-tests", "version": "1"});
                let hello = self.request(
                    "initialize",
                    json!({
                        "protocolVersion": self.era.revision(),
                        "capabilities": {},
                        "clientInfo": client,
                    }),
                );
                self.write_message(&json!({
                    "jsonrpc": "2.0",
                    "method": "notifications/initialized",
                }));
                hello
            }
            Era::Stateless => self.request("server/discover", json!({})),
        }
    }

    /// Sends a request, and does not wait.
    pub fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.last_id += 1;
        let Value::Object(mut params) = params else {
            panic!("params are an object, not {params}");
        };
        if self.era == Era::Stateless {
            params.insert("_meta".to_owned(), self.who_asks());
        }
        self.write_message(&json!({
            "jsonrpc": "2.0",
            "id": self.last_id,
            "method": method,
            "params": params,
        }));
        RequestId(self.last_id)
    }

    /// Waits for the reply to a request: its result, or its error.
    ///
    /// # Errors
    /// What the server says instead of a result.
    pub fn reply(&mut self, id: RequestId) -> Reply {
        let deadline = Instant::now() + ANSWER_WAIT;
        loop {
            if let Some(reply) = self.replies.remove(&id) {
                return reply;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self.message(left);
            self.keep(message);
        }
    }

    /// The replies that a server which has ended wrote in whole lines, and that nobody waited for.
    pub fn replies_left(&mut self) -> BTreeMap<RequestId, Reply> {
        while let Ok(line) = self.output.next_line(ANSWER_WAIT) {
            let message = self.parse(&line);
            self.keep(message);
        }
        std::mem::take(&mut self.replies)
    }

    fn keep(&mut self, mut message: Value) {
        let (Some(id), None) = (message["id"].as_u64(), message.get("method")) else {
            return;
        };
        let reply = match message.get_mut("error") {
            Some(error) => Err(error.take()),
            None => Ok(message["result"].take()),
        };
        self.replies.insert(RequestId(id), reply);
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        let reply = self.reply(id);
        reply.unwrap_or_else(|error| panic!("{method} is refused: {error}\n{}", self.story()))
    }

    /// Sends a tool call, and does not wait.
    pub fn begin(&mut self, tool: &str, arguments: &Value) -> RequestId {
        self.send("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// Waits for the answer of a tool.
    pub fn finish(&mut self, id: RequestId) -> Answer {
        match self.reply(id) {
            Ok(result) => Answer::new(result),
            Err(error) => panic!("the call is refused: {error}\n{}", self.story()),
        }
    }

    /// Calls a tool and waits for its answer.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Answer {
        let id = self.begin(tool, arguments);
        self.finish(id)
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let written = input.write_all(bytes).and_then(|()| input.flush());
        written
            .unwrap_or_else(|error| panic!("the server does not read: {error}\n{}", self.story()));
    }

    /// The next message, whatever it is; `None` where the server has closed its output.
    pub fn next_message(&mut self) -> Option<Value> {
        match self.output.next_line(ANSWER_WAIT) {
            Ok(line) => Some(self.parse(&line)),
            Err(NoLine::Closed) => None,
            Err(NoLine::Late) => panic!("no message in {ANSWER_WAIT:?}\n{}", self.story()),
        }
    }

    /// Kills it, as a power cut or an impatient client does, and waits until it is gone.
    pub fn kill(&mut self) {
        self.child.kill().expect("a child can be killed");
        self.child.wait().expect("a child can be waited for");
    }

    /// Closes its input, and waits for its end.
    pub fn end_of_input(mut self) -> Ended {
        let began = Instant::now();
        self.input = None;
        self.ended(began)
    }

    /// Sends it a signal by name, and waits for its end.
    pub fn end_by_signal(mut self, signal: &str) -> Ended {
        let began = Instant::now();
        let status = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(self.process_id().to_string())
            .status()
            .expect("kill can be run");
        assert!(status.success(), "kill -{signal} fails");
        self.ended(began)
    }

    fn ended(&mut self, began: Instant) -> Ended {
        let status = until("the server ends", ANSWER_WAIT, || {
            self.child.try_wait().expect("a child can be waited for")
        });
        let took = began.elapsed();
        Ended {
            status,
            took,
            output: self.output.whole(ANSWER_WAIT),
            log: String::from_utf8_lossy(&self.log.whole(ANSWER_WAIT)).into_owned(),
        }
    }

    fn message(&mut self, limit: Duration) -> Value {
        match self.output.next_line(limit) {
            Ok(line) => self.parse(&line),
            Err(why) => panic!("no reply: {why:?}\n{}", self.story()),
        }
    }

    fn parse(&self, line: &[u8]) -> Value {
        serde_json::from_slice(line).unwrap_or_else(|error| {
            let line = String::from_utf8_lossy(line);
            panic!("not JSON: {error}: {line:?}\n{}", self.story())
        })
    }

    fn write_message(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    fn who_asks(&self) -> Value {
        let mut meta = Map::new();
        let mut put = |name: &str, value| {
            meta.insert(format!("io.modelcontextprotocol/{name}"), value);
        };
        put("protocolVersion", json!(self.era.revision()));
        put(
            "clientInfo",
            json!({"name": "palimpsest-tests", "version": "1"}),
        );
        put("clientCapabilities", json!({}));
        Value::Object(meta)
    }

    /// What it wrote so far, for people.
    fn story(&self) -> String {
        let (output, log) = (self.output.tail(), self.log.tail());
        format!("-- its output ends:\n{output}\n-- its log ends:\n{log}\n--")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Where it has ended already there is nothing to kill.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
