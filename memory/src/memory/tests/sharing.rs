//! Many threads, several processes, and a restart.

use std::thread;

use palimpsest_store::MemoryId;

use super::{keep, open_on_disk};
use crate::test_rig::{HandModel, LONG, Rig, query, text, with};
use crate::{Decision, Forget};

#[test]
fn equal_texts_from_many_threads_are_one_memory() {
    let rig = Rig::with_model();
    let texts = ["Alice is vegan", "Bob is tall", "Carol sings"];
    let kept: Vec<Decision> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| texts.map(|it| rig.keep(text(it)).decision)))
            .collect();
        threads
            .into_iter()
            .flat_map(|it| it.join().expect("no thread panics"))
            .collect()
    });
    let n_stored = kept
        .iter()
        .filter(|decision| **decision == Decision::Stored)
        .count();
    assert_eq!(n_stored, texts.len());
    assert_eq!(rig.texts(), texts.map(str::to_owned).into());
    assert_eq!(
        rig.memory.status().expect("the store is sound").n_memories,
        texts.len() as u64
    );
}

#[test]
fn threads_write_and_read_one_memory_at_once() {
    let rig = Rig::with_model();
    thread::scope(|scope| {
        for writer in 0..4 {
            let rig = &rig;
            scope.spawn(move || {
                for n in 0..25 {
                    let id = rig.id(text(&format!("writer {writer} says sentence {n}")));
                    let found = rig.found(with(
                        query(&format!("writer {writer} sentence {n}")),
                        |it| it.limit = Some(1),
                    ));
                    assert!(!found.is_empty(), "{id} was acknowledged");
                }
            });
        }
    });
    assert_eq!(rig.texts().len(), 100);
    assert!(rig.memory.settle(LONG).expect("the store is sound"));
}

#[test]
fn another_process_sees_what_was_acknowledged() {
    let one = Rig::without_model();
    let two = one.another_process(HandModel::missing());
    for n in 0..10 {
        let (writer, reader) = if n % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        let id = writer.id(text(&format!("sentence number {n}")));
        assert_eq!(reader.found(query(&format!("{n}"))), [id]);
    }
    assert_eq!(
        two.keep(text("sentence number 0")).decision,
        Decision::Merged
    );
}

#[test]
fn a_restart_keeps_everything() {
    let folder = tempfile::tempdir().expect("there is a temporary folder");
    let memory = open_on_disk(folder.path(), None);
    let ids = keep(&memory, &["Alice is vegan", "Bob is tall"]);
    memory
        .forget(Forget {
            ids: vec![MemoryId(ids[1])],
            scopes: vec![],
            reason: None,
        })
        .expect("it is there");
    let before = memory.list(None, 10).expect("the store is sound");
    drop(memory);
    let memory = open_on_disk(folder.path(), None);
    assert_eq!(memory.list(None, 10).expect("the store is sound"), before);
    assert_eq!(
        memory
            .history(MemoryId(ids[1]))
            .expect("the store is sound")
            .len(),
        1
    );
}
