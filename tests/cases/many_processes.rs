//! Many writers: calls in flight from one client, and several server processes on one memory.

use std::collections::BTreeSet;

use palimpsest_tests::{Era, Found, Home, RequestId, Server, kept_ids};
use serde_json::json;

const N_IN_FLIGHT: usize = 20;
const N_PROCESSES: usize = 4;
const N_WRITES_EACH: usize = 250;

/// A text that no other text is like, so that the gate has no reason to merge.
fn text(writer: usize, number: usize) -> String {
    format!(
        "Crate {number} of warehouse {writer} weighs {} kilograms",
        100 + number
    )
}

fn sorted(mut found: Vec<Found>) -> Vec<Found> {
    found.sort();
    found
}

#[test]
fn twenty_writes_in_flight_from_one_client_are_twenty_memories() {
    for era in Era::ALL {
        let home = Home::new();
        let mut server = home.server().open(era);
        let asked: Vec<RequestId> = (0..N_IN_FLIGHT)
            .map(|number| server.begin("remember", &json!({"text": text(0, number)})))
            .collect();
        let kept = asked.into_iter().enumerate().map(|(number, id)| {
            let id = kept_ids(server.finish(id).value()).remove(0);
            Found {
                id,
                text: text(0, number),
            }
        });
        let kept: Vec<Found> = sorted(kept.collect());
        let ids: Vec<String> = kept.iter().map(|memory| memory.id.clone()).collect();
        assert_eq!(
            ids.iter().collect::<BTreeSet<_>>().len(),
            N_IN_FLIGHT,
            "{era:?}"
        );
        assert_eq!(
            server.recall_ids(&ids),
            kept,
            "{era:?}: each is recalled as it was given"
        );
        server.end_of_input();
        let mut again = home.server().open(era);
        assert_eq!(again.recall_ids(&ids), kept, "{era:?}: and after a restart");
    }
}

#[test]
fn equal_texts_in_flight_become_one_memory() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let asked: Vec<RequestId> = (0..N_IN_FLIGHT)
        .map(|_| {
            server.begin(
                "remember",
                &json!({"text": "The alarm code is on the blue card"}),
            )
        })
        .collect();
    let mut decisions = Vec::new();
    let mut ids = BTreeSet::new();
    for id in asked {
        let answer = server.finish(id);
        ids.extend(kept_ids(answer.value()));
        decisions.push(answer.value()["items"][0]["decision"].clone());
    }
    assert_eq!(ids.len(), 1, "{ids:?}");
    let n_stored = decisions
        .iter()
        .filter(|decision| *decision == "stored")
        .count();
    assert_eq!(n_stored, 1, "{decisions:?}");
}

/// Writes its part, keeping a few calls in flight as clients do, and answers what was kept.
fn write_part(server: &mut Server, writer: usize) -> Vec<Found> {
    const N_TOGETHER: usize = 5;
    let mut kept = Vec::new();
    let numbers: Vec<usize> = (0..N_WRITES_EACH).collect();
    for together in numbers.chunks(N_TOGETHER) {
        let asked: Vec<(String, RequestId)> = together
            .iter()
            .map(|number| {
                let text = text(writer, *number);
                let id = server.begin("remember", &json!({"text": text}));
                (text, id)
            })
            .collect();
        for (text, id) in asked {
            let id = kept_ids(server.finish(id).value()).remove(0);
            kept.push(Found { id, text });
        }
    }
    kept
}

#[test]
fn four_processes_lose_nothing_and_see_each_other_without_a_restart() {
    let home = Home::new();
    let mut servers: Vec<Server> = (0..N_PROCESSES)
        .map(|process| home.server().open(Era::ALL[process % Era::ALL.len()]))
        .collect();
    let kept: Vec<Found> = std::thread::scope(|scope| {
        let writers: Vec<_> = servers
            .iter_mut()
            .enumerate()
            .map(|(writer, server)| scope.spawn(move || write_part(server, writer)))
            .collect();
        let parts = writers
            .into_iter()
            .map(|it| it.join().expect("a writer ends well"));
        parts.flatten().collect()
    });
    let kept = sorted(kept);
    let ids: Vec<String> = kept.iter().map(|memory| memory.id.clone()).collect();
    assert_eq!(
        ids.iter().collect::<BTreeSet<_>>().len(),
        N_PROCESSES * N_WRITES_EACH
    );
    for (process, server) in servers.iter_mut().enumerate() {
        assert_eq!(server.recall_ids(&ids), kept, "process {process} sees all");
        let status = server.status();
        assert_eq!(status["memories"], N_PROCESSES * N_WRITES_EACH, "{status}");
    }
    // And a later write of each is seen by the others at once.
    for writer in 0..N_PROCESSES {
        let id = servers[writer].remember(&text(writer, N_WRITES_EACH));
        for server in &mut servers {
            assert_eq!(server.recall_ids(std::slice::from_ref(&id)).len(), 1);
        }
    }
    drop(servers);
    let mut again = home.server().open(Era::Handshake);
    assert_eq!(
        again.recall_ids(&ids),
        kept,
        "a fifth process, later, sees all"
    );
}
