//! Logs of every format version, as files. They are read for as long as the format is known, and
//! the newest is what is written today.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use palimpsest_hdf5::{Backend, OpenMode, RamBackend};

use super::{open, texts};
use crate::{
    Change, Entity, EntityId, MemoryId, MemoryRecord, ModelId, Operation, Planned, Relation, Seq,
    Store, Timestamp, Verb, WindowVector,
};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/version-1/memory.h5.log")
}

fn file_path() -> PathBuf {
    path().with_extension("")
}

const MODEL: ModelId = ModelId([7; 32]);

fn vector() -> WindowVector {
    WindowVector {
        token_start: 0,
        embedding: [0.6, 0.8].into(),
    }
}

/// A memory with something in every field.
fn record(id: MemoryId, at: Timestamp) -> MemoryRecord {
    MemoryRecord {
        id,
        text: "Ada writes the first program \u{2014} in Z\u{fc}rich".into(),
        scope: "project/one".into(),
        kind: "fact".into(),
        topic: Some("program".into()),
        source: Some("a letter".into()),
        tags: vec!["history".into(), "letters".into()],
        entities: vec![EntityId(1), EntityId(2)],
        importance: 0.75,
        created_at: at,
        valid_from: Some(Timestamp(-4_000_000_000_000_000)),
        valid_to: None,
        superseded_by: None,
    }
}

/// The commits of the fixture: one of each kind of change.
fn operations() -> Vec<(Verb, Vec<Change>)> {
    let entity = |id, name: &str| {
        Change::PutEntity(Arc::new(Entity {
            id: EntityId(id),
            scope: "project/one".into(),
            name: name.into(),
            kind: Some("person".into()),
            aliases: vec![format!("{name} L.").into()],
        }))
    };
    let relation = Relation {
        from: EntityId(1),
        relation: "writes_to".into(),
        to: EntityId(2),
        weight: 1.0,
        memory: MemoryId(1),
    };
    let first = record(MemoryId(1), Timestamp(1_000_000));
    let second = MemoryRecord {
        id: MemoryId(2),
        text: "Charles answers".into(),
        topic: None,
        ..first.clone()
    };
    vec![
        (
            Verb::Remember,
            vec![
                entity(1, "Ada"),
                entity(2, "Charles"),
                Change::Put(Arc::new(first)),
                Change::PutRelation(Arc::new(relation)),
            ],
        ),
        (
            Verb::Embed,
            vec![Change::Embed {
                memory: MemoryId(1),
                model: MODEL,
                windows: vec![vector()],
            }],
        ),
        (Verb::Remember, vec![Change::Put(Arc::new(second))]),
        (
            Verb::Forget,
            vec![Change::Retire {
                id: MemoryId(2),
                reason: Some("sent twice".into()),
            }],
        ),
    ]
}

/// A memory of the fixture's commits; the machine in memory has the same random numbers each time.
fn machine() -> (RamBackend, Store) {
    let machine = RamBackend::new();
    let store = open(machine.clone()).unwrap();
    for ((verb, changes), now) in operations().into_iter().zip(1..) {
        let operation = Operation { verb, changes };
        let plan = move |_: &crate::Tip| Planned {
            operation: Some(operation.clone()),
            answer: (),
        };
        store.commit(Timestamp(now * 1_000_000), plan).unwrap();
    }
    (machine, store)
}

fn bytes_at(machine: &RamBackend, path: &str) -> Vec<u8> {
    let file = machine.open(Path::new(path), OpenMode::Read).unwrap();
    let mut bytes = vec![0; usize::try_from(file.len_bytes().unwrap()).unwrap()];
    file.read_at(&mut bytes, 0).unwrap();
    bytes
}

/// The log that is written today.
fn written() -> Vec<u8> {
    let (machine, _store) = machine();
    bytes_at(&machine, "/home/memory.h5.log")
}

/// Puts a fixture in the place of a memory's file, and opens it.
fn opened(fixture: &Path, name: &str) -> Store {
    let machine = RamBackend::new();
    machine.create_folder(Path::new("/home")).unwrap();
    let file = machine.open(&Path::new("/home").join(name), OpenMode::Create);
    let bytes = std::fs::read(fixture).unwrap();
    file.unwrap().write_at(&bytes, 0).unwrap();
    open(machine).unwrap()
}

/// A change of these bytes is a new format: give it a number, a folder and a chapter in
/// `FORMAT.md`, and go on reading the old one. `UPDATE_FIXTURES=1` writes the file while a version
/// has not been released.
#[test]
fn the_log_of_today_has_the_bytes_of_its_fixture() {
    let written = written();
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::create_dir_all(path().parent().unwrap()).unwrap();
        std::fs::write(path(), &written).unwrap();
    }
    let fixture = std::fs::read(path()).unwrap();
    let first_difference = written
        .iter()
        .zip(&fixture)
        .position(|(one, other)| one != other);
    assert_eq!((first_difference, written.len()), (None, fixture.len()));
}

#[test]
fn a_log_of_version_1_is_read() {
    check(&opened(&path(), "memory.h5.log"));
}

/// The file alone, as a clean close leaves it.
#[test]
fn a_memory_file_of_version_1_is_read() {
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        let (machine, store) = machine();
        assert!(store.close(Timestamp(9_000_000)).unwrap());
        std::fs::write(file_path(), bytes_at(&machine, "/home/memory.h5")).unwrap();
    }
    check(&opened(&file_path(), "memory.h5"));
}

/// Whether the memory is that of [`operations`].
fn check(store: &Store) {
    let snapshot = store.snapshot().unwrap();
    assert_eq!(
        (snapshot.seq(), snapshot.committed_at()),
        (Seq(4), Timestamp(4_000_000))
    );
    let first = record(MemoryId(1), Timestamp(1_000_000));
    assert_eq!(*snapshot.memory(MemoryId(1)).unwrap(), first);
    assert_eq!(snapshot.vectors(MODEL, MemoryId(1)), [vector()]);
    assert_eq!(snapshot.memory(MemoryId(2)), None);
    let history = snapshot.history(MemoryId(2));
    assert_eq!(&*history[0].memory.text, "Charles answers");
    assert_eq!(history[0].retired_because.as_deref(), Some("sent twice"));
    let ada = snapshot.find_entity("project/one", "ada").unwrap();
    assert_eq!((ada.id, &*ada.name), (EntityId(1), "Ada"));
    let edges = snapshot.edges(EntityId(1));
    assert_eq!(
        (&*edges[0].relation.relation, edges[0].relation.to),
        ("writes_to", EntityId(2))
    );
    assert_eq!(texts(store).unwrap().len(), 1);
}
