//! The pipes of a `serve` session: what begins it, what may come in, what goes out, how it ends.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use palimpsest_tests::{Ended, Era, Home, skipped, until};
use serde_json::{Value, json};

/// From the end of input to the end of the process.
const ENDING_MAX: Duration = Duration::from_secs(2);

/// Longer than anything here takes.
const ANSWER_MAX: Duration = Duration::from_secs(30);

/// Lines that are no request, and that a session must outlive.
const GARBAGE: [&[u8]; 10] = [
    b"\n",
    b"   \n",
    b"hello\n",
    b"{\n",
    b"[]\n",
    b"null\n",
    b"{\"jsonrpc\":\"2.0\"}\n",
    b"{\"jsonrpc\":\"2.0\",\"method\":\"no/such/notification\"}\n",
    b"\xff\xfe\x00garbage\n",
    b"{\"jsonrpc\":\"2.0\",\"id\":4000000000,\"method\":\"no/such/method\",\"params\":{}}\n",
];

/// Checks that every byte of an output is a line with a JSON-RPC message, and answers them.
fn messages(ended: &Ended) -> Vec<Value> {
    let output = std::str::from_utf8(&ended.output).expect("the output is UTF-8");
    assert!(
        output.is_empty() || output.ends_with('\n'),
        "a cut line: {output:?}"
    );
    let message = |line: &str| {
        let message: Value = serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("not JSON-RPC: {error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "not JSON-RPC: {line:?}");
        let is_reply = message.get("result").is_some() || message.get("error").is_some();
        assert!(
            is_reply || message.get("method").is_some(),
            "not JSON-RPC: {line:?}"
        );
        message
    };
    output.lines().map(message).collect()
}

#[test]
fn a_session_begins_and_lists_its_tools_in_both_eras() {
    for era in Era::ALL {
        let home = Home::new();
        let mut server = home.server().start(era);
        let hello = server.greet();
        let name = match era {
            Era::Handshake => &hello["serverInfo"]["name"],
            Era::Stateless => &hello["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
        };
        assert_eq!(name, "palimpsest", "{era:?}: {hello}");
        assert!(hello["instructions"].is_string(), "{era:?}: {hello}");
        let listed = server.request("tools/list", json!({}));
        let tools = listed["tools"].as_array().expect("a list of tools");
        let names: Vec<_> = tools
            .iter()
            .filter_map(|tool| tool["name"].as_str())
            .collect();
        assert_eq!(
            names,
            ["remember", "recall", "forget", "graph", "maintain"],
            "{era:?}"
        );
    }
}

#[test]
fn the_list_of_tools_fits_what_clients_take() {
    for (arguments, len_bytes_max) in [(&[][..], 10_000), (&["--no-output-schema"][..], 6_000)] {
        let home = Home::new();
        let launch = arguments
            .iter()
            .fold(home.server(), |launch, it| launch.argument(it));
        let mut server = launch.open(Era::Stateless);
        let listed = server.request("tools/list", json!({}));
        let len_bytes = listed.to_string().len();
        assert!(
            len_bytes <= len_bytes_max,
            "{arguments:?}: {len_bytes} bytes"
        );
        let tools = listed["tools"].as_array().expect("a list of tools");
        let n_shown = tools
            .iter()
            .filter(|tool| tool.get("outputSchema").is_some())
            .count();
        assert_eq!(n_shown, if arguments.is_empty() { tools.len() } else { 0 });
    }
}

/// What some client or other cannot take, and then shows no tool at all.
#[test]
fn no_schema_holds_what_makes_tools_vanish() {
    const FORMATS: [&str; 4] = ["date-time", "date", "uri", "uuid"];
    fn check(schema: &Value, place: &str) {
        match schema {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let place = format!("{place}/{name}");
                    let is_schema_word = !place.ends_with(&format!("/properties/{name}"));
                    if is_schema_word {
                        let is_odd = ["$ref", "$defs", "anyOf", "oneOf", "allOf", "not"];
                        assert!(!is_odd.contains(&name.as_str()), "{place}");
                        assert!(name != "type" || value.is_string(), "{place}: {value}");
                        let format = value.as_str().unwrap_or_default();
                        assert!(
                            name != "format" || FORMATS.contains(&format),
                            "{place}: {value}"
                        );
                    }
                    assert!(!value.is_null(), "{place}");
                    check(value, &place);
                }
            }
            Value::Array(values) => {
                for value in values {
                    assert!(!value.is_null(), "{place}");
                    check(value, place);
                }
            }
            _ => {}
        }
    }
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let listed = server.request("tools/list", json!({}));
    for tool in listed["tools"].as_array().expect("a list of tools") {
        for schema in ["inputSchema", "outputSchema"] {
            let place = format!("{} {schema}", tool["name"]);
            assert_eq!(tool[schema]["type"], "object", "{place}");
            for (name, property) in tool[schema]["properties"].as_object().expect("properties") {
                assert!(property["type"].is_string(), "{place}/{name}: {property}");
            }
            check(&tool[schema], &place);
        }
    }
}

#[test]
fn a_tool_call_may_come_before_any_greeting() {
    let home = Home::new();
    let mut server = home.server().start(Era::Stateless);
    let id = server.remember("The kettle is descaled with vinegar");
    assert_eq!(server.recall("kettle vinegar")[0].id, id);
}

#[test]
fn every_byte_of_the_output_is_protocol_however_much_is_logged() {
    for era in Era::ALL {
        let home = Home::new();
        let mut server = home.server().variable("RUST_LOG", "trace").open(era);
        let id = server.remember("Ada keeps her bicycle in the cellar");
        server.recall("where is the bicycle?");
        server.call("graph", &json!({"about": "Ada"}));
        server.forget(&[&id]);
        server.status();
        for garbage in GARBAGE {
            server.write(garbage);
        }
        server.status();
        let ended = server.end_of_input();
        assert!(ended.log.contains("TRACE"), "the log is on: {}", ended.log);
        assert!(messages(&ended).len() >= 7);
    }
}

#[test]
fn garbage_does_not_end_a_session() {
    for era in Era::ALL {
        let home = Home::new();
        let mut server = home.server().open(era);
        let id = server.remember("The spare key hangs behind the clock");
        for garbage in GARBAGE {
            server.write(garbage);
            assert_eq!(server.recall("spare key")[0].id, id, "after {garbage:?}");
        }
    }
}

#[test]
fn an_unknown_method_and_an_unknown_tool_are_refused_in_words() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let id = server.send("no/such/method", json!({}));
    let error = server.reply(id).expect_err("there is no such method");
    assert_eq!(error["code"], -32601, "{error}");
    let id = server.send("tools/call", json!({"name": "remembr", "arguments": {}}));
    let said = match server.reply(id) {
        Ok(result) => result.to_string(),
        Err(error) => error.to_string(),
    };
    assert!(said.contains("remember"), "it names the tools: {said}");
}

#[test]
fn the_end_of_input_ends_the_process_with_zero_in_time() {
    for era in Era::ALL {
        let home = Home::new();
        let mut server = home.server().open(era);
        server.remember("The garden gate sticks in winter");
        let ended = server.end_of_input();
        assert!(
            ended.status.success(),
            "{era:?}: {:?}: {}",
            ended.status,
            ended.log
        );
        assert!(ended.took < ENDING_MAX, "{era:?}: {:?}", ended.took);
        messages(&ended);
    }
}

#[test]
fn a_client_that_leaves_at_once_ends_the_process_with_zero_in_time() {
    let home = Home::new();
    let ended = home.server().start(Era::Handshake).end_of_input();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
    assert!(ended.took < ENDING_MAX, "{:?}", ended.took);
    assert!(ended.output.is_empty());
}

#[test]
fn what_was_asked_before_the_end_of_input_is_done() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let n_asked = 10;
    for number in 0..n_asked {
        let text = format!("Shelf {number} of the cellar holds jars of plums");
        server.begin("remember", &json!({"text": text}));
    }
    let ended = server.end_of_input();
    assert!(ended.status.success(), "{:?}: {}", ended.status, ended.log);
    let replies = messages(&ended);
    let kept = replies
        .iter()
        .filter(|it| it["result"]["structuredContent"]["items"].is_array());
    assert_eq!(kept.count(), n_asked, "{replies:#?}");
}

#[test]
fn signals_end_the_process_cleanly_in_time() {
    for signal in ["TERM", "INT"] {
        let home = Home::new();
        let mut server = home.server().open(Era::Handshake);
        let id = server.remember("The boiler is serviced every October");
        let ended = server.end_by_signal(signal);
        assert!(
            ended.status.success(),
            "{signal}: {:?}: {}",
            ended.status,
            ended.log
        );
        assert!(ended.took < ENDING_MAX, "{signal}: {:?}", ended.took);
        let mut again = home.server().open(Era::Handshake);
        assert_eq!(again.recall("boiler")[0].id, id, "after {signal}");
    }
}

/// Opening takes the lock of the log once, so whoever holds it makes opening as slow as can be.
#[test]
fn the_first_answer_does_not_wait_for_the_memory() {
    for era in Era::ALL {
        let home = Home::new();
        let mut before = home.server().open(era);
        let id = before.remember("The ladder belongs to the neighbours");
        assert!(before.end_of_input().status.success());
        let log = File::options().read(true).write(true).open(home.log());
        let log = log.expect("the log is beside the memory");
        log.lock().expect("nobody else has the log");
        let mut server = home.server().start(era);
        server.greet();
        server.request("tools/list", json!({}));
        let recall = server.begin("recall", &json!({"query": "ladder"}));
        drop(log);
        let answer = server.finish(recall);
        assert_eq!(
            answer.value()["hits"][0]["id"],
            *id,
            "{era:?}: {}",
            answer.text()
        );
    }
}

#[test]
fn a_memory_that_stays_locked_is_told_in_words_and_opened_when_it_is_free() {
    let home = Home::new();
    let mut before = home.server().open(Era::Handshake);
    before.remember("The ladder belongs to the neighbours");
    assert!(before.end_of_input().status.success());
    let log = File::options().read(true).write(true).open(home.log());
    let log = log.expect("the log is beside the memory");
    log.lock().expect("nobody else has the log");
    let mut server = home
        .server()
        .variable("PALIMPSEST_STORE__LOCK_WAIT_MS", "200")
        .open(Era::Handshake);
    let refusal = server.call("recall", &json!({"query": "ladder"})).refusal();
    assert!(
        refusal.contains("lock"),
        "it says what it waits for: {refusal}"
    );
    drop(log);
    assert_eq!(server.recall("ladder").len(), 1, "the next call opens it");
}

#[test]
fn a_server_ends_when_its_parent_is_gone() {
    if !Path::new("/proc/self/stat").exists() {
        return skipped("a_server_ends_when_its_parent_is_gone", "no /proc here");
    }
    let home = Home::new();
    // A shell between us and the server. We hold the other end of its input, so no end comes of it.
    let script = "\"$0\" \"$@\" <&0 & echo $! >server.pid; wait; exit";
    let mut between = home.server().prepared_by_shell(script).open(Era::Handshake);
    let path = home.folder().join("server.pid");
    let process_id = until("the shell tells the server's process", ANSWER_MAX, || {
        let text = fs::read_to_string(&path).ok()?;
        text.strip_suffix('\n').map(str::to_owned)
    });
    assert!(is_running(&process_id));
    between.kill();
    until("the server is gone", ANSWER_MAX, || {
        (!is_running(&process_id)).then_some(())
    });
}

/// Whether a process is there, and not only waiting to be buried.
fn is_running(process_id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process_id}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
