//! JSON-RPC messages as lines over a reader and a writer, forgiving about what comes in.
//!
//! Stands in for the transport of rmcp, which leaves a client without an answer where a message has
//! half a surrogate pair or an odd shape, ends the session at a notification that comes before it,
//! drops a last line without a newline, and does not end when nobody reads the answers.
//! Knows no tool.

#![warn(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation
)]

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, ProtocolVersion, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::{Map, Value};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;

use super::line_repair::without_lone_surrogates;
use super::request_id::request_id;

/// The longest line that is taken; a longer one is dropped. Fifty texts of 1 MiB fit.
const LINE_LEN_BYTES_MAX: usize = 64 << 20;

/// So much of a line that is too long is looked at for the id of a request.
const LINE_HEAD_LEN_BYTES: usize = 1 << 10;

/// The buffer of a long line is not kept for the next one.
const LINE_LEN_BYTES_KEPT: usize = 64 << 10;

/// Ends a session as the end of its input does: calls in flight are still answered.
#[derive(Debug, Clone)]
pub(crate) struct HangUp(watch::Sender<bool>);

impl HangUp {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Ends the session. A second time changes nothing.
    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the session ends.
    pub(crate) async fn wait(&self) {
        let mut ended = self.0.subscribe();
        ended
            .wait_for(|ended| *ended)
            .await
            .expect("this holds a sender, so the channel is open");
    }
}

/// One session's messages, a line each.
#[derive(Debug)]
pub(crate) struct LineTransport<R, W> {
    read: BufReader<R>,
    /// The part of a line that was read so far: reading may be dropped and taken up again.
    line: Vec<u8>,
    is_skipping: bool,
    received: VecDeque<ClientJsonRpcMessage>,
    has_begun: bool,
    write: Arc<Mutex<W>>,
    refusals: JoinSet<()>,
    hang_up: HangUp,
}

/// What a line says.
#[derive(Debug)]
enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    /// Not a message; to be answered where it had an id.
    Refused(RequestId, ErrorData),
}

enum Line {
    Whole,
    TooLong,
    Partial,
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// A session that `hang_up` ends, and that ends `hang_up` when its input does.
    pub(crate) fn new(read: R, write: W, hang_up: HangUp) -> Self {
        Self {
            read: BufReader::new(read),
            line: Vec::new(),
            is_skipping: false,
            received: VecDeque::new(),
            has_begun: false,
            write: Arc::new(Mutex::new(write)),
            refusals: JoinSet::new(),
            hang_up,
        }
    }

    /// Fills `self.line`. `None` at the end of the session.
    ///
    /// May be dropped at its one await: what was read is kept in `self`.
    async fn next_line(&mut self) -> Option<Line> {
        loop {
            let available = tokio::select! {
                biased;
                () = self.hang_up.wait() => return None,
                available = self.read.fill_buf() => match available {
                    Ok(available) => available,
                    Err(error) => {
                        tracing::warn!("standard input broke off: {error}");
                        return None;
                    }
                },
            };
            if available.is_empty() {
                let has_last_line = !self.line.is_empty() && !self.is_skipping;
                return has_last_line.then_some(Line::Whole);
            }
            let newline = available.iter().position(|&byte| byte == b'\n');
            let part = match newline {
                Some(at) => available.get(..at).unwrap_or(available),
                None => available,
            };
            let line = take_part(
                &mut self.line,
                &mut self.is_skipping,
                part,
                newline.is_some(),
            );
            let n_consumed = part.len().saturating_add(usize::from(newline.is_some()));
            self.read.consume(n_consumed);
            if !matches!(line, Line::Partial) {
                return Some(line);
            }
        }
    }

    /// Whether `message` may go on. Before the session has begun, rmcp ends it at anything but a request.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
        if let ClientJsonRpcMessage::Request(request) = message {
            self.has_begun |= begins_session(&request.request);
            return true;
        }
        if !self.has_begun {
            tracing::debug!("ignoring a notification before the session");
        }
        self.has_begun
    }

    fn refuse(&mut self, id: RequestId, error: ErrorData) {
        let refusal = self.send(ServerJsonRpcMessage::error(error, Some(id)));
        self.refusals.spawn(async move {
            if let Err(error) = refusal.await {
                tracing::debug!("cannot refuse a message: {error}");
            }
        });
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let write = Arc::clone(&self.write);
        let hang_up = self.hang_up.clone();
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut write = write.lock().await;
            let written = async {
                write.write_all(&line).await?;
                write.flush().await
            }
            .await;
            if let Err(error) = &written {
                tracing::info!("ending: nobody reads the answers: {error}");
                hang_up.now();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            while let Some(message) = self.received.pop_front() {
                if self.admits(&message) {
                    return Some(message);
                }
            }
            let Some(line) = self.next_line().await else {
                self.hang_up.now();
                return None;
            };
            if matches!(line, Line::TooLong) {
                tracing::warn!("dropping a line of more than {LINE_LEN_BYTES_MAX} bytes");
                let head = std::mem::take(&mut self.line);
                if let Some(id) = request_id(&head) {
                    let what = format!("a message has at most {LINE_LEN_BYTES_MAX} bytes");
                    self.refuse(id, ErrorData::invalid_request(what, None));
                }
                continue;
            }
            let incoming = read_line(&self.line);
            self.line.clear();
            self.line.shrink_to(LINE_LEN_BYTES_KEPT);
            for incoming in incoming {
                match incoming {
                    Incoming::Message(message) => self.received.push_back(*message),
                    Incoming::Refused(id, error) => self.refuse(id, error),
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        while self.refusals.join_next().await.is_some() {}
        self.write.lock().await.flush().await
    }
}

/// Adds `part` to `line`, unless that makes it too long.
fn take_part(line: &mut Vec<u8>, is_skipping: &mut bool, part: &[u8], is_last: bool) -> Line {
    if !*is_skipping && line.len().saturating_add(part.len()) > LINE_LEN_BYTES_MAX {
        *is_skipping = true;
        line.extend_from_slice(part.get(..LINE_HEAD_LEN_BYTES).unwrap_or(part));
        line.truncate(LINE_HEAD_LEN_BYTES);
        line.shrink_to_fit();
    }
    if *is_skipping {
        *is_skipping = !is_last;
        return if is_last {
            Line::TooLong
        } else {
            Line::Partial
        };
    }
    line.extend_from_slice(part);
    if is_last { Line::Whole } else { Line::Partial }
}

/// Whether rmcp takes a session as begun once it has seen `request`.
fn begins_session(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            let version = meta.protocol_version();
            version.is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
                && meta
                    .missing_required_keys(&ProtocolVersion::V_2026_07_28)
                    .is_empty()
        }
    }
}

/// The messages of a line: none where it is not JSON, several where it is a batch.
fn read_line(line: &[u8]) -> Vec<Incoming> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return Vec::new();
    }
    let parsed = serde_json::from_str(text)
        .or_else(|_| serde_json::from_str(&without_lone_surrogates(text)));
    match parsed {
        Ok(Value::Array(batch)) => batch.into_iter().filter_map(read_message).collect(),
        Ok(message) => read_message(message).into_iter().collect(),
        Err(error) => {
            tracing::warn!("ignoring a line that cannot be read as JSON: {error}");
            // An answer without an id would belong to no request; the official SDKs give none either.
            let id = request_id(text.as_bytes());
            let what = format!("the message cannot be read as JSON: {error}");
            id.map(|id| Incoming::Refused(id, ErrorData::parse_error(what, None)))
                .into_iter()
                .collect()
        }
    }
}

fn read_message(message: Value) -> Option<Incoming> {
    let Value::Object(mut message) = message else {
        tracing::warn!("ignoring a line that is no message");
        return None;
    };
    message
        .entry("jsonrpc")
        .or_insert_with(|| Value::from("2.0"));
    wrap_arguments(&mut message);
    let id = message.get("id").cloned();
    if is_call_without_name(&message) {
        let id = id.and_then(|id| serde_json::from_value(id).ok())?;
        let what = "params.name is missing: name a tool of tools/list";
        return Some(Incoming::Refused(id, ErrorData::invalid_params(what, None)));
    }
    match serde_json::from_value(Value::Object(message)) {
        Ok(message) => Some(Incoming::Message(Box::new(message))),
        Err(error) => {
            tracing::warn!("a message is not as the protocol has it: {error}");
            let id = id.and_then(|id| serde_json::from_value(id).ok())?;
            Some(Incoming::Refused(
                id,
                ErrorData::invalid_request("this is not a message of the protocol", None),
            ))
        }
    }
}

/// rmcp would call that an unknown method.
fn is_call_without_name(message: &Map<String, Value>) -> bool {
    let name = message.get("params").and_then(|params| params.get("name"));
    message.get("method").and_then(Value::as_str) == Some("tools/call")
        && !name.is_some_and(Value::is_string)
}

/// Makes the arguments of a call an object, as the protocol wants them, without losing any: the
/// tools read `{"arguments": ...}` as what it holds.
fn wrap_arguments(message: &mut Map<String, Value>) {
    if message.get("method").and_then(Value::as_str) != Some("tools/call") {
        return;
    }
    let Some(Value::Object(params)) = message.get_mut("params") else {
        return;
    };
    match params.remove("arguments") {
        None | Some(Value::Null) => {}
        Some(Value::Object(arguments)) => {
            params.insert("arguments".to_owned(), Value::Object(arguments));
        }
        Some(other) => {
            let wrapped = Map::from_iter([("arguments".to_owned(), other)]);
            params.insert("arguments".to_owned(), Value::Object(wrapped));
        }
    }
}

#[cfg(test)]
mod tests;
