//! Lines as clients write them, and what comes of them.

#![expect(
    clippy::indexing_slicing,
    reason = "a test that fails by a panic is a test that fails"
)]

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::{HangUp, LINE_HEAD_LEN_BYTES, LINE_LEN_BYTES_MAX, Line, LineTransport, take_part};

type Server = LineTransport<tokio::io::ReadHalf<DuplexStream>, tokio::io::WriteHalf<DuplexStream>>;

fn pair() -> (Server, DuplexStream, HangUp) {
    let (client, server) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(server);
    let hang_up = HangUp::new();
    (
        LineTransport::new(read, write, hang_up.clone()),
        client,
        hang_up,
    )
}

/// What a broken transport would wait for without an end.
async fn soon<T>(coming: impl Future<Output = T>) -> T {
    let coming = tokio::time::timeout(std::time::Duration::from_secs(10), coming);
    coming.await.expect("it comes within 10 s")
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

/// What arrives of `lines`, which are the whole input, after an `initialize`.
async fn received(lines: &str) -> Vec<ClientJsonRpcMessage> {
    let (mut server, mut client, _) = pair();
    let input = format!("{INITIALIZE}\n{lines}");
    let write = tokio::spawn(async move {
        client.write_all(input.as_bytes()).await.expect("written");
        client.shutdown().await.expect("ended");
        client
    });
    let mut messages = Vec::new();
    while let Some(message) = server.receive().await {
        messages.push(message);
    }
    write.await.expect("written");
    messages.remove(0);
    messages
}

/// The arguments of the calls that arrive.
async fn arguments_of(line: &str) -> Vec<Value> {
    let calls = received(line)
        .await
        .into_iter()
        .map(|message| match message {
            ClientJsonRpcMessage::Request(request) => match request.request {
                ClientRequest::CallToolRequest(call) => json!(call.params.arguments),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        });
    calls.collect()
}

fn call(arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"recall","arguments":{arguments}}}}}"#
    )
}

#[tokio::test]
async fn arguments_arrive_as_an_object_whatever_they_were() {
    let cases = [
        (r#"{"query":"tea"}"#, json!({ "query": "tea" })),
        (r#""tea""#, json!({ "arguments": "tea" })),
        (r#"["tea"]"#, json!({ "arguments": ["tea"] })),
        ("7", json!({ "arguments": 7 })),
        ("null", json!(null)),
        (
            r#"{"query":"\ud83d tea"}"#,
            json!({ "query": "\u{fffd} tea" }),
        ),
        (r#"{"query":"\\ud83d"}"#, json!({ "query": "\\ud83d" })),
    ];
    for (given, expected) in cases {
        let line = format!("{}\n", call(given));
        assert_eq!(arguments_of(&line).await, [expected], "{given}");
    }
}

#[tokio::test]
async fn a_last_line_without_a_newline_is_a_message() {
    assert_eq!(arguments_of(&call("{}")).await, [json!({})]);
}

#[tokio::test]
async fn a_batch_is_its_messages() {
    let batch = format!("[{},{}]\n", call(r#"{"q":1}"#), call(r#"{"q":2}"#));
    assert_eq!(
        arguments_of(&batch).await,
        [json!({ "q": 1 }), json!({ "q": 2 })]
    );
}

#[tokio::test]
async fn what_is_no_message_is_passed_over() {
    let noise = "garbage\n\n{\"half\": \n[]\n[1,2]\n42\n\"text\"\nnull\n\u{feff}\n\r\n";
    let lines = format!("{noise}{}\r\n", call("{}"));
    assert_eq!(arguments_of(&lines).await, [json!({})]);
}

#[tokio::test]
async fn bytes_that_are_no_utf8_are_replaced() {
    let (mut server, mut client, _) = pair();
    let mut line = call(r#"{"query":"te?"}"#).into_bytes();
    let at = line.iter().position(|&byte| byte == b'?').expect("there");
    line[at] = 0xff;
    line.push(b'\n');
    client.write_all(&line).await.expect("written");
    let message = server.receive().await.expect("a message");
    let told = serde_json::to_value(&message).expect("JSON");
    assert_eq!(told["params"]["arguments"]["query"], "te\u{fffd}");
}

#[tokio::test]
async fn notifications_wait_for_the_session_to_begin() {
    let (mut server, mut client, _) = pair();
    let early = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let lines = format!("{early}\n{INITIALIZE}\n{early}\n");
    client.write_all(lines.as_bytes()).await.expect("written");
    let first = server.receive().await.expect("a message");
    assert!(
        matches!(first, ClientJsonRpcMessage::Request(_)),
        "{first:?}"
    );
    let second = server.receive().await.expect("a message");
    assert!(
        matches!(second, ClientJsonRpcMessage::Notification(_)),
        "{second:?}"
    );
}

#[tokio::test]
async fn a_message_of_an_odd_shape_is_answered_under_its_id() {
    let (mut server, mut client, _) = pair();
    let odd = r#"{"jsonrpc":"9.9","id":7,"method":"tools/list"}"#;
    client
        .write_all(format!("{odd}\n").as_bytes())
        .await
        .expect("written");
    let (read, mut write) = tokio::io::split(client);
    let serving = tokio::spawn(async move { server.receive().await.is_none() });
    let mut lines = BufReader::new(read).lines();
    let line = lines.next_line().await.expect("read").expect("a line");
    let answer: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(answer["id"], 7);
    assert_eq!(answer["error"]["code"], -32600);
    write.shutdown().await.expect("ended");
    assert!(serving.await.expect("no panic"));
}

#[tokio::test]
async fn the_end_of_input_and_hanging_up_end_the_session_alike() {
    let (mut server, client, hang_up) = pair();
    drop(client);
    assert!(soon(server.receive()).await.is_none());
    soon(hang_up.wait()).await;

    let (mut server, _client, hang_up) = pair();
    hang_up.now();
    assert!(soon(server.receive()).await.is_none());
}

#[tokio::test]
async fn nobody_to_read_the_answers_ends_the_session() {
    let (client, server) = tokio::io::duplex(1 << 10);
    let (read, _write) = tokio::io::split(server);
    let (gone, write) = tokio::io::duplex(1 << 10);
    drop(gone);
    let hang_up = HangUp::new();
    let mut server = LineTransport::new(read, write, hang_up.clone());
    let answer = serde_json::from_value(json!({ "jsonrpc": "2.0", "id": 1, "result": {} }));
    let sent = Transport::<RoleServer>::send(&mut server, answer.expect("an answer")).await;
    assert!(sent.is_err());
    soon(hang_up.wait()).await;
    assert!(soon(server.receive()).await.is_none());
    drop(client);
}

#[tokio::test]
async fn answers_are_whole_lines_however_they_interleave() {
    let (mut server, mut client, _) = pair();
    for id in 0..20 {
        let text = "x".repeat(10_000);
        let answer = json!({ "jsonrpc": "2.0", "id": id, "result": { "text": text } });
        let sending = server.send(serde_json::from_value(answer).expect("an answer"));
        tokio::spawn(sending);
    }
    let mut read = Vec::new();
    let mut n_lines = 0;
    while n_lines < 20 {
        assert!(client.read_buf(&mut read).await.expect("read") > 0);
        n_lines = read.split(|&byte| byte == b'\n').count() - 1;
    }
    for line in read
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        serde_json::from_slice::<Value>(line).expect("a line is JSON");
    }
}

#[test]
fn of_a_line_too_long_the_head_is_kept_and_the_next_is_read() {
    let (mut line, mut is_skipping) = (Vec::new(), false);
    let part = vec![b'x'; LINE_LEN_BYTES_MAX / 2];
    let mut take =
        |line: &mut Vec<u8>, part: &[u8], is_last| take_part(line, &mut is_skipping, part, is_last);
    assert!(matches!(take(&mut line, &part, false), Line::Partial));
    assert!(matches!(take(&mut line, &part, false), Line::Partial));
    assert!(matches!(take(&mut line, b"x", false), Line::Partial));
    assert!(matches!(take(&mut line, &part, false), Line::Partial));
    assert!(matches!(take(&mut line, b"end", true), Line::TooLong));
    assert_eq!(line, &part[..LINE_HEAD_LEN_BYTES]);
    line.clear();
    assert!(matches!(take(&mut line, b"next", true), Line::Whole));
    assert_eq!(line, b"next");
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_answered_where_it_has_an_id() {
    let (mut server, mut client, _) = pair();
    let deep = format!(
        "{{\"id\":2,\"params\":{}{}}}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    let nameless = r#"{"id":3,"method":"tools/call","params":{"arguments":{}}}"#;
    let lines =
        format!("{{\"id\":1,\"params\":{{\"importance\":1e400}}}}\n{deep}no json\n{nameless}\n");
    client.write_all(lines.as_bytes()).await.expect("written");
    let receiving = tokio::spawn(async move { server.receive().await });
    let mut read = Vec::new();
    while read.split(|&byte| byte == b'\n').count() < 4 {
        assert!(client.read_buf(&mut read).await.expect("read") > 0);
    }
    for (line, id) in read.split(|&byte| byte == b'\n').zip([1, 2]) {
        let answer: Value = serde_json::from_slice(line).expect("a line is JSON");
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(id), &json!(-32700))
        );
    }
    receiving.abort();
}
