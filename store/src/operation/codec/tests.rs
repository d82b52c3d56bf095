//! Rules of the codec: what is encoded decodes to itself, and hostile bytes are refused.

#![allow(
    clippy::indexing_slicing,
    reason = "a test that panics has failed, as it should"
)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::*;
use crate::Seq;

fn text() -> impl Strategy<Value = Arc<str>> {
    any::<String>().prop_map(Arc::from)
}

fn id() -> impl Strategy<Value = u64> {
    prop_oneof![1..5_u64, 1..u64::MAX]
}

fn share() -> impl Strategy<Value = f32> {
    0.0..=1.0_f32
}

fn memory() -> impl Strategy<Value = MemoryRecord> {
    let names = (
        text(),
        text(),
        text(),
        option::of(text()),
        option::of(text()),
    );
    let lists = (vec(text(), 0..3), vec(id(), 0..3));
    let times = (any::<i64>(), any::<Option<i64>>(), any::<Option<i64>>());
    let parts = (id(), names, lists, share(), times, option::of(id()));
    parts.prop_map(
        |(id, names, lists, importance, times, superseded_by)| MemoryRecord {
            id: MemoryId(id),
            text: names.0,
            scope: names.1,
            kind: names.2,
            topic: names.3,
            source: names.4,
            tags: lists.0,
            entities: lists.1.into_iter().map(EntityId).collect(),
            importance,
            created_at: Timestamp(times.0),
            valid_from: times.1.map(Timestamp),
            valid_to: times.2.map(Timestamp),
            superseded_by: superseded_by.map(MemoryId),
        },
    )
}

fn embed() -> impl Strategy<Value = Change> {
    let component = prop_oneof![0.001..1.0_f32, -1.0..-0.001_f32];
    let windows = (1..9_usize)
        .prop_flat_map(move |dim| vec((any::<u32>(), vec(component.clone(), dim)), 1..4));
    (id(), any::<[u8; 32]>(), windows).prop_map(|(memory, model, windows)| Change::Embed {
        memory: MemoryId(memory),
        model: ModelId(model),
        windows: windows
            .into_iter()
            .map(|(token_start, vector)| WindowVector {
                token_start,
                embedding: vector.into(),
            })
            .collect(),
    })
}

fn change() -> impl Strategy<Value = Change> {
    let retire = (id(), option::of(text())).prop_map(|(id, reason)| Change::Retire {
        id: MemoryId(id),
        reason,
    });
    let entity = (id(), text(), text(), option::of(text()), vec(text(), 0..3));
    let entity = entity.prop_map(|(id, scope, name, kind, aliases)| {
        Change::PutEntity(Arc::new(Entity {
            id: EntityId(id),
            scope,
            name,
            kind,
            aliases,
        }))
    });
    let relation = (id(), text(), id(), share(), id());
    let relation = relation.prop_map(|(from, relation, to, weight, memory)| {
        Change::PutRelation(Arc::new(Relation {
            from: EntityId(from),
            relation,
            to: EntityId(to),
            weight,
            memory: MemoryId(memory),
        }))
    });
    let put = memory().prop_map(|memory| Change::Put(Arc::new(memory)));
    prop_oneof![put, retire, embed(), entity, relation]
}

fn operation() -> impl Strategy<Value = Operation> {
    let verb = prop_oneof![Just(Verb::Remember), Just(Verb::Forget), Just(Verb::Embed)];
    (verb, vec(change(), 0..5)).prop_map(|(verb, changes)| Operation { verb, changes })
}

proptest! {
    #[test]
    fn what_is_encoded_decodes_to_itself(operation in operation()) {
        prop_assert!(operation.check().is_ok());
        prop_assert_eq!(Operation::decode(&operation.encode()).unwrap(), operation);
    }

    #[test]
    fn every_truncation_is_refused(operation in operation()) {
        let bytes = operation.encode();
        for len in 0..bytes.len() {
            prop_assert!(Operation::decode(&bytes[..len]).is_err(), "{len} bytes decoded");
        }
    }

    #[test]
    fn a_flipped_byte_decodes_to_what_it_says_or_is_refused(
        operation in operation(), flips in vec((any::<prop::sample::Index>(), 1..=255_u8), 1..20),
    ) {
        let bytes = operation.encode();
        for (index, mask) in flips {
            let mut flipped = bytes.clone();
            flipped[index.index(bytes.len())] ^= mask;
            if let Ok(decoded) = Operation::decode(&flipped) {
                prop_assert!(decoded.check().is_ok(), "{decoded:?}");
                prop_assert_eq!(decoded.encode(), flipped);
            }
        }
    }

    #[test]
    fn bytes_after_the_end_are_refused(operation in operation(), more in vec(any::<u8>(), 1..9)) {
        let mut bytes = operation.encode();
        bytes.extend(more);
        let decoded = Operation::decode(&bytes);
        let trailing = PayloadProblem::TrailingBytes;
        let refused = matches!(decoded, Err(Error::Payload { problem, .. }) if problem == trailing);
        prop_assert!(refused);
    }
}

/// One operation of each change, whose bytes are the format: they may never change.
fn specimen() -> Operation {
    Operation {
        verb: Verb::Embed,
        changes: vec![
            Change::Retire {
                id: MemoryId(7),
                reason: Some("no".into()),
            },
            Change::Embed {
                memory: MemoryId(Seq(2).0),
                model: ModelId([9; 32]),
                windows: vec![WindowVector {
                    token_start: 3,
                    embedding: Arc::from([1.0, -0.5]),
                }],
            },
        ],
    }
}

#[test]
fn the_bytes_are_those_that_format_md_lays_down() {
    let mut bytes = vec![3, 2, 0, 0, 0];
    bytes.extend([
        2, 15, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, b'n', b'o',
    ]);
    bytes.extend([3, 60, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend([9; 32]);
    bytes.extend([2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]);
    bytes.extend([0, 0, 0x80, 0x3f, 0, 0, 0, 0xbf]);
    assert_eq!(specimen().encode(), bytes);
}

#[track_caller]
fn check_refused(offset: usize, value: u8, expect: &str) {
    let mut bytes = specimen().encode();
    bytes[offset] = value;
    let error = Operation::decode(&bytes).expect_err("damaged bytes");
    assert_eq!(error.to_string(), expect);
}

#[test]
fn an_error_names_the_structure_and_the_offset() {
    let newer = "a newer Palimpsest wrote it, so update this one";
    let at = |structure: &str, byte: usize| {
        format!("unknown {structure} tag 99 at byte {byte} of a frame's payload: {newer}")
    };
    check_refused(0, 99, &at("verb", 0));
    check_refused(5, 99, &at("change", 5));
    check_refused(25, 99, &at("change", 25));
    check_refused(18, 99, &at("retirement", 18));
    let corrupt = |structure: &str, byte: usize, problem: &str| {
        format!("corrupt {structure} before byte {byte} of a frame's payload: {problem}")
    };
    check_refused(
        10,
        0,
        &corrupt("retirement", 18, "an identifier was never given"),
    );
    check_refused(23, 0xff, &corrupt("retirement", 25, "a text is not UTF-8"));
    check_refused(4, 0xff, &corrupt("operation", 5, "it is cut short"));
    let vector = "its vectors are none, of several lengths, too long, zero, or not finite";
    check_refused(70, 0, &corrupt("embedding", 74, vector));
    check_refused(85, 0x7f, &corrupt("embedding", 90, vector));
}
