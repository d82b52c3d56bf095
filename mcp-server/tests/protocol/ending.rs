//! How a session ends: always cleanly, and never later than its client waits.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::spawn;
use std::time::Duration;

use serde_json::{Value, json};

use crate::session::{ENDING_WAIT, ERAS, Era, Session, command};

fn signal(name: &str, process_id: u32) {
    let status = Command::new("kill")
        .args([name, &process_id.to_string()])
        .status()
        .expect("kill starts");
    assert!(status.success());
}

#[test]
fn the_end_of_input_ends_the_process_with_0() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::begin(home.path(), era);
        session.call("maintain", &json!({ "action": "status" }));
        session.end_input();
        let (status, ..) = session.ended();
        assert_eq!(status.code(), Some(0), "{era:?}");
    }
}

#[test]
fn input_that_ends_before_it_began_ends_the_process_with_0() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::start(&mut command(home.path()), Era::Session);
    session.end_input();
    let (status, printed, _) = session.ended();
    assert_eq!((status.code(), printed), (Some(0), Vec::new()));
}

#[test]
fn calls_in_flight_at_the_end_of_input_are_answered() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::begin(home.path(), Era::Stateless);
    let ids: Vec<u64> = (0..5)
        .map(|n| {
            let text = format!("Locker {n} holds the rope of boat {n}.");
            let params = json!({ "name": "remember", "arguments": { "text": text } });
            session.send("tools/call", params)
        })
        .collect();
    session.end_input();
    let (status, printed, _) = session.ended();
    assert_eq!(status.code(), Some(0));
    let mut answered: Vec<u64> = printed
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|answer| answer["result"]["structuredContent"]["items"][0]["decision"] == "stored")
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    answered.sort_unstable();
    assert_eq!(answered, ids);

    let mut session = Session::begin(home.path(), Era::Stateless);
    let status = session.call("maintain", &json!({ "action": "status" }));
    assert_eq!(status["structuredContent"]["memories"], 5);
}

#[cfg(unix)]
#[test]
fn signals_end_the_process_with_0() {
    for name in ["-TERM", "-INT", "-HUP"] {
        let home = tempfile::tempdir().expect("a folder");
        let session = Session::begin(home.path(), Era::Session);
        signal(name, session.process_id());
        let (status, ..) = session.ended();
        assert_eq!(status.code(), Some(0), "{name}");
    }
}

/// Standard input of another kind than a pipe is read on a thread that cannot be interrupted.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_process_though_its_input_is_no_pipe() {
    let home = tempfile::tempdir().expect("a folder");
    let (ours, theirs) = std::os::unix::net::UnixStream::pair().expect("a socket");
    let mut child = command(home.path())
        .stdin(Stdio::from(std::os::fd::OwnedFd::from(theirs)))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let ask = json!({
        "jsonrpc": "2.0", "id": 1, "method": "server/discover",
        "params": { "_meta": crate::session::meta() },
    });
    std::io::Write::write_all(&mut &ours, format!("{ask}\n").as_bytes()).expect("written");
    let mut line = String::new();
    output.read_line(&mut line).expect("an answer");
    signal("-TERM", child.id());
    let (sender, ended) = channel();
    spawn(move || sender.send(child.wait()));
    let status = ended
        .recv_timeout(ENDING_WAIT)
        .expect("it ended")
        .expect("waited");
    assert_eq!(status.code(), Some(0));
    drop(ours);
}

#[cfg(unix)]
#[test]
fn an_output_that_nobody_reads_ends_the_process_with_0() {
    let home = tempfile::tempdir().expect("a folder");
    let mut child = command(home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut input = child.stdin.take().expect("piped");
    let ask = json!({
        "jsonrpc": "2.0", "id": 1, "method": "server/discover",
        "params": { "_meta": crate::session::meta() },
    });
    std::io::Write::write_all(&mut input, format!("{ask}\n").as_bytes()).expect("written");
    let (sender, ended) = channel();
    spawn(move || sender.send(child.wait()));
    let status = ended
        .recv_timeout(ENDING_WAIT)
        .expect("it ended")
        .expect("waited");
    assert_eq!(status.code(), Some(0));
    drop(input);
}

/// The input stays open, because somebody else holds it; the parent is what is gone.
#[cfg(unix)]
#[test]
fn the_death_of_the_parent_ends_the_process() {
    let home = tempfile::tempdir().expect("a folder");
    let (read, write) = std::io::pipe().expect("a pipe");
    let server = command(home.path());
    let mut parent = Command::new("sh");
    parent
        .args(["-c", "exec 3<&0; \"$@\" <&3 & wait", "sh"])
        .arg(server.get_program())
        .args(server.get_args())
        .envs(
            server
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .stdin(read)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut parent = parent.spawn().expect("sh starts");
    let mut output = BufReader::new(parent.stdout.take().expect("piped"));
    let ask = json!({
        "jsonrpc": "2.0", "id": 1, "method": "server/discover",
        "params": { "_meta": crate::session::meta() },
    });
    std::io::Write::write_all(&mut &write, format!("{ask}\n").as_bytes()).expect("written");
    let mut line = String::new();
    output.read_line(&mut line).expect("an answer");
    assert!(line.contains("supportedVersions"), "{line}");

    parent.kill().expect("killed");
    parent.wait().expect("waited");
    let (sender, ended) = channel();
    spawn(move || {
        let mut rest = Vec::new();
        sender.send(std::io::Read::read_to_end(&mut output, &mut rest))
    });
    let rest = ended.recv_timeout(ENDING_WAIT).expect("the server ended");
    assert_eq!(rest.expect("read"), 0);
    drop(write);
}

/// Another process holds the lock: the call waits for it, the end of the session does not.
#[test]
fn a_call_that_waits_for_a_lock_does_not_hold_the_end_up() {
    let home = tempfile::tempdir().expect("a folder");
    let mut session = Session::begin(home.path(), Era::Session);
    session.call("maintain", &json!({ "action": "status" }));
    let log = home.path().join("memory.h5.log");
    let log = File::options()
        .read(true)
        .write(true)
        .open(log)
        .expect("the log is there");
    log.lock().expect("locked");
    let params = json!({ "name": "remember", "arguments": { "text": "The lock is held today." } });
    session.send("tools/call", params);
    session.end_input();
    let (status, ..) = session.ended();
    assert_eq!(status.code(), Some(0));
}

#[test]
fn every_byte_of_standard_output_is_the_protocol_even_when_all_is_logged() {
    for era in ERAS {
        let home = tempfile::tempdir().expect("a folder");
        let mut session = Session::start(command(home.path()).env("RUST_LOG", "trace"), era);
        session.greet();
        session.ask("tools/list", json!({}));
        session.call(
            "remember",
            &json!({ "text": "The log of the lighthouse is blue." }),
        );
        session.call("recall", &json!({ "query": "lighthouse" }));
        session.call("recall", &json!({}));
        session.write("garbage\n");
        session.ask("tools/burn", json!({}));
        session.end_input();
        let (status, printed, logged) = session.ended();
        assert_eq!(status.code(), Some(0));
        assert!(
            logged.contains("TRACE"),
            "nothing was logged: {logged:.200}"
        );
        assert!(!logged.contains('\u{1b}'), "the log has colours");
        for line in &printed {
            let message: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            assert!(
                message.get("result").is_some() || message.get("error").is_some(),
                "{line}"
            );
        }
    }
}

/// What a client waits for is answered while the memory is still being opened.
#[test]
fn the_first_answer_does_not_wait_for_the_memory() {
    let home = tempfile::tempdir().expect("a folder");
    drop({
        let mut session = Session::begin(home.path(), Era::Session);
        session.call(
            "remember",
            &json!({ "text": "The harbour master is called Brigid." }),
        );
        session
    });
    let log = home.path().join("memory.h5.log");
    let log = File::options()
        .read(true)
        .write(true)
        .open(log)
        .expect("the log is there");
    log.lock().expect("locked");
    let mut session = Session::start(&mut command(home.path()), Era::Session);
    // Less than the 10 s for which opening waits for the lock.
    session.patience = Duration::from_secs(5);
    session.greet();
    session.ask("tools/list", json!({}));
    let params = json!({ "name": "recall", "arguments": { "query": "harbour" } });
    let id = session.send("tools/call", params);
    drop(log);
    let answer = session.next().expect("an answer");
    assert_eq!(answer["id"], id);
    let hits = &answer["result"]["structuredContent"]["hits"];
    assert_eq!(
        hits[0]["text"], "The harbour master is called Brigid.",
        "{answer}"
    );
}
