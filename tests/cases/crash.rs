//! kill -9 of the real process in the middle of writing.

use std::collections::BTreeMap;
use std::time::Duration;

use palimpsest_tests::{Era, Home, Reply, RequestId, Seeded, Server, found, kept_ids};
use serde_json::{Value, json};

const N_KILLS: usize = 200;
const SEED: u64 = 0x5EED_0001;

/// Items of a call; all of them are kept, or none.
const N_ITEMS: usize = 3;

/// Calls in flight when the process is killed, at most.
const N_CALLS_MAX: u64 = 6;

/// From the last answer that is waited for to the kill.
const KILL_AFTER_US_MAX: u64 = 5_000;

/// What was asked of the memory, and what it acknowledged.
#[derive(Default)]
struct Ledger {
    /// By the number of a call: the ids that were acknowledged.
    acknowledged: BTreeMap<usize, Vec<String>>,
    n_calls: usize,
}

/// One text of a call. The words are letters alone, so that they are whole tokens.
fn text(call: usize, item: usize) -> String {
    format!("{} carries parcel {item}", call_word(call))
}

/// A word that stands for a call, and in no other call's texts.
fn call_word(call: usize) -> String {
    format!("courier{call}")
}

fn items(call: usize) -> Vec<Value> {
    (0..N_ITEMS)
        .map(|item| json!({"text": text(call, item)}))
        .collect()
}

fn as_usize(count: u64) -> usize {
    usize::try_from(count).expect("a handful")
}

/// Writes, is killed at a random moment, and notes what was acknowledged before. The moment is told
/// in answers first and in time after, so that it is in the middle on slow and on fast machines.
fn write_and_be_killed(mut server: Server, ledger: &mut Ledger, random: &mut Seeded) {
    let n_calls = 1 + random.below(N_CALLS_MAX);
    let n_awaited = random.below(n_calls + 1);
    let delay = Duration::from_micros(random.below(KILL_AFTER_US_MAX));
    let mut asked = BTreeMap::new();
    for _ in 0..n_calls {
        let call = ledger.n_calls;
        asked.insert(
            server.begin("remember", &json!({"items": items(call)})),
            call,
        );
        ledger.n_calls += 1;
    }
    let awaited: Vec<RequestId> = asked.keys().copied().take(as_usize(n_awaited)).collect();
    let mut replies: BTreeMap<RequestId, Reply> = awaited
        .into_iter()
        .map(|id| (id, server.reply(id)))
        .collect();
    std::thread::sleep(delay);
    server.kill();
    replies.append(&mut server.replies_left());
    for (id, reply) in replies {
        if let Some(call) = asked.get(&id) {
            let result = reply.expect("a remember is no protocol error");
            ledger
                .acknowledged
                .insert(*call, kept_ids(&result["structuredContent"]));
        }
    }
}

/// Checks that every call was kept whole or not at all, and whole where it was acknowledged.
fn check(server: &mut Server, ledger: &Ledger, calls: impl Iterator<Item = usize>) -> usize {
    let mut n_kept = 0;
    for call in calls {
        let arguments = json!({"query": call_word(call), "mode": "keyword", "limit": 10});
        let mut memories = found(server.call("recall", &arguments).value());
        memories.sort_by(|left, right| left.text.cmp(&right.text));
        let texts: Vec<_> = memories.iter().map(|memory| memory.text.clone()).collect();
        let whole: Vec<_> = (0..N_ITEMS).map(|item| text(call, item)).collect();
        match ledger.acknowledged.get(&call) {
            Some(ids) => {
                let found: Vec<_> = memories.iter().map(|memory| memory.id.clone()).collect();
                assert_eq!(texts, whole, "call {call} was acknowledged");
                assert_eq!(found, *ids, "call {call} keeps its ids");
            }
            None => assert!(
                texts.is_empty() || texts == whole,
                "call {call} is half: {texts:?}"
            ),
        }
        n_kept += texts.len();
    }
    n_kept
}

#[test]
fn two_hundred_kills_lose_nothing_acknowledged_and_leave_no_half() {
    let home = Home::new();
    let mut ledger = Ledger::default();
    let mut random = Seeded::new(SEED);
    for kill in 0..N_KILLS {
        let mut server = home.server().open(Era::ALL[kill % Era::ALL.len()]);
        let newest = ledger.n_calls.saturating_sub(as_usize(N_CALLS_MAX));
        check(&mut server, &ledger, newest..ledger.n_calls);
        write_and_be_killed(server, &mut ledger, &mut random);
    }
    let mut server = home.server().open(Era::Handshake);
    let n_kept = check(&mut server, &ledger, 0..ledger.n_calls);
    assert_eq!(
        server.status()["memories"],
        n_kept,
        "and nothing else is there"
    );
    // The moments were spread over the writing: some calls were kept, some were not.
    let n_acknowledged = ledger.acknowledged.len();
    let spread = N_KILLS / 10..ledger.n_calls - N_KILLS / 10;
    assert!(
        spread.contains(&n_acknowledged),
        "{n_acknowledged} of {} calls",
        ledger.n_calls
    );
}

/// The other processes go on, whatever moment the killed one dies at.
#[test]
fn a_killed_writer_does_not_stop_or_mislead_another() {
    const N_ROUNDS: usize = 30;
    let home = Home::new();
    let mut ledger = Ledger::default();
    let mut random = Seeded::new(SEED + 1);
    let mut witness = home.server().open(Era::Handshake);
    for round in 0..N_ROUNDS {
        let before = ledger.n_calls;
        let victim = home.server().open(Era::Stateless);
        write_and_be_killed(victim, &mut ledger, &mut random);
        let text = format!("The lighthouse keeper saw ship {round} pass");
        let id = witness.remember(&text);
        assert_eq!(witness.recall_ids(std::slice::from_ref(&id))[0].text, text);
        check(&mut witness, &ledger, before..ledger.n_calls);
    }
    drop(witness);
    let mut again = home.server().open(Era::Handshake);
    let n_kept = check(&mut again, &ledger, 0..ledger.n_calls);
    assert_eq!(again.status()["memories"], n_kept + N_ROUNDS);
}
