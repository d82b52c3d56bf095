//! The store as its callers see it, on a file system in memory.

mod crash;
mod damage;
mod fixture;
mod gate;
mod protocol;
mod refusal;
mod run;
mod sharing;

use std::sync::Arc;
use std::time::Duration;

use palimpsest_hdf5::{Backend, RamBackend};

use crate::commit::{Failure, Request};
use crate::{
    Change, Committed, Error, MemoryId, MemoryRecord, Operation, Planned, Seq, Snapshot, Store,
    StoreOptions, Timestamp, Tip, Verb,
};

pub(crate) fn open(backend: impl Backend + 'static) -> Result<Store, Error> {
    open_at(backend, "/home/memory.h5")
}

pub(crate) fn open_at(backend: impl Backend + 'static, path: &str) -> Result<Store, Error> {
    let lock_wait = Duration::from_secs(10);
    let path = path.into();
    Store::open(Arc::new(backend), StoreOptions { path, lock_wait })
}

/// The operation that keeps `text` as a new memory.
pub(crate) fn keeping(tip: &Tip, text: &str) -> Operation {
    let record = MemoryRecord {
        id: tip.next_memory,
        text: text.into(),
        scope: "test".into(),
        kind: "note".into(),
        topic: None,
        source: None,
        tags: Vec::new(),
        entities: Vec::new(),
        importance: 0.5,
        created_at: tip.at,
        valid_from: None,
        valid_to: None,
        superseded_by: None,
    };
    Operation {
        verb: Verb::Remember,
        changes: vec![Change::Put(Arc::new(record))],
    }
}

/// Keeps `text`; its identifier.
pub(crate) fn keep(store: &Store, text: &str) -> Result<MemoryId, Error> {
    let text = text.to_owned();
    let Committed { answer, .. } = store.commit(Timestamp(1), move |tip| Planned {
        operation: Some(keeping(tip, &text)),
        answer: tip.next_memory,
    })?;
    Ok(answer)
}

/// Keeps `texts` in one group, as when as many threads commit at once.
pub(crate) fn keep_together(store: &Store, texts: &[&str]) -> Vec<Result<Snapshot, Failure>> {
    let queue = &store.shared.queue;
    let request = |text: &&str| {
        let text = (*text).to_owned();
        let plan = Box::new(move |tip: &Tip| Some(keeping(tip, &text)));
        let (request, outcome) = Request::new(Timestamp(1), plan, "log".into());
        queue.push(request);
        outcome
    };
    let outcomes: Vec<_> = texts.iter().map(request).collect();
    store
        .shared
        .write(|writer| store.shared.run_group(writer, queue, store.lock_wait));
    outcomes
        .iter()
        .map(|outcome| outcome.take().expect("the group took them all"))
        .collect()
}

/// Every text that is kept, in the order of the commits.
pub(crate) fn texts(store: &Store) -> Result<Vec<String>, Error> {
    let snapshot = store.snapshot()?;
    let ids = 1..;
    let texts = ids.map_while(|id| Some(snapshot.memory(MemoryId(id))?.text.to_string()));
    Ok(texts.collect())
}

#[test]
fn what_one_process_commits_every_process_sees() {
    let machine = RamBackend::new();
    let one = open(machine.clone()).unwrap();
    let two = open(machine.another_process()).unwrap();
    for i in 0..6 {
        let writer = if i % 2 == 0 { &one } else { &two };
        keep(writer, &i.to_string()).unwrap();
        let expected: Vec<String> = (0..=i).map(|i| i.to_string()).collect();
        assert_eq!(texts(&one).unwrap(), expected);
        assert_eq!(texts(&two).unwrap(), expected);
    }
    let three = open(machine.another_process()).unwrap();
    assert_eq!(texts(&three).unwrap().len(), 6);
}

#[test]
fn commits_are_numbered_from_1_and_their_times_never_go_back() {
    let machine = RamBackend::new();
    let stores = [
        open(machine.clone()).unwrap(),
        open(machine.another_process()).unwrap(),
    ];
    assert_eq!(stores[0].snapshot().unwrap().seq(), Seq::ZERO);
    for (i, (now, expected)) in [(5, 5), (3, 5), (9, 9), (i64::MIN, 9)]
        .into_iter()
        .enumerate()
    {
        let plan = |tip: &Tip| Planned {
            operation: Some(keeping(tip, "x")),
            answer: tip.at,
        };
        let committed = stores[i % 2].commit(Timestamp(now), plan).unwrap();
        assert_eq!(committed.answer, Timestamp(expected));
        assert_eq!(committed.snapshot.seq(), Seq(i as u64 + 1));
        let seen = stores[1 - i % 2].snapshot().unwrap();
        assert_eq!(
            (seen.seq(), seen.committed_at()),
            (Seq(i as u64 + 1), Timestamp(expected))
        );
    }
}

#[test]
fn a_plan_without_an_operation_writes_nothing() {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    let before = store.status().unwrap();
    let nothing = |tip: &Tip| Planned {
        operation: None,
        answer: tip.seq,
    };
    assert_eq!(store.commit(Timestamp(1), nothing).unwrap().answer, Seq(1));
    assert_eq!(store.status().unwrap().log_len_bytes, before.log_len_bytes);
    assert_eq!(store.snapshot().unwrap().seq(), Seq::ZERO);
}
