//! Fetching from a hub: one on this machine, made for the test.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;

use super::*;
use crate::model::hub::Hub;

type Answer = fn(&str) -> Vec<u8>;

/// A hub on this machine that answers `n` requests with `answer` of their paths.
fn serve(n: usize, answer: Answer) -> (Hub, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let endpoint = format!("http://{}", listener.local_addr().expect("it is bound"));
    let server = std::thread::spawn(move || {
        let mut paths = Vec::new();
        for _ in 0..n {
            let (mut stream, _) = listener.accept().expect("a client comes");
            let mut lines = BufReader::new(&mut stream)
                .lines()
                .map(|line| line.unwrap());
            let request = lines.next().expect("a request line");
            let path = request.split(' ').nth(1).expect("a path").to_owned();
            lines
                .by_ref()
                .find(String::is_empty)
                .expect("the end of the headers");
            stream
                .write_all(&answer(&path))
                .expect("the client is there");
            paths.push(path);
        }
        paths
    });
    (Hub { endpoint }, server)
}

fn respond(status: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

#[test]
fn the_pinned_revision_is_asked_for_and_lands() {
    let (hub, server) = serve(2, |path| {
        let file = CONTENTS.iter().find(|(name, _)| path.ends_with(name));
        respond("200 OK", file.expect("one of ours").1)
    });
    let place = Place::new();
    place
        .fetch(Others::Replace, &[Box::new(hub)])
        .expect("it has the model");
    let paths = server.join().expect("no panic");
    assert_eq!(
        paths[0],
        "/sentence-transformers/all-MiniLM-L6-v2/resolve/\
         1110a243fdf4706b3f48f1d95db1a4f5529b4d41/weights.bin"
    );
    assert_eq!(place.landed(), ["small", "weights.bin", "words.json"]);
}

#[test]
fn nothing_lands_from_a_hub_that_answers_otherwise() {
    let cases: [(Answer, &str); 3] = [
        (|_| respond("404 Not Found", b""), "404"),
        (
            |_| respond("200 OK", b"<html>please log in</html>"),
            "SHA-256",
        ),
        (|_| respond("200 OK", &[b'x'; 10_000]), "more than 26 bytes"),
    ];
    for (answer, expect) in cases {
        let (hub, server) = serve(1, answer);
        let place = Place::new();
        let error = place
            .fetch(Others::Replace, &[Box::new(hub)])
            .expect_err(expect);
        assert!(error.to_string().contains(expect), "{error}");
        assert!(place.landed().is_empty());
        drop(server);
    }
}

#[test]
fn a_hub_that_is_not_there_is_an_error_with_its_address() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let endpoint = format!("http://{}", listener.local_addr().expect("it is bound"));
    drop(listener);
    let place = Place::new();
    let hub: [Box<dyn Source>; 1] = [Box::new(Hub {
        endpoint: endpoint.clone(),
    })];
    let error = place
        .fetch(Others::Replace, &hub)
        .expect_err("nobody listens")
        .to_string();
    let asked = format!("{endpoint}/sentence-transformers/");
    assert!(error.contains(&asked), "{error}");
}
