//! What a request may hold.

use palimpsest_store::{MemoryId, Timestamp};

use super::{CheckedItem, ITEMS_MAX, TEXT_LEN_BYTES_MAX, check};
use crate::test_rig::with;
use crate::{EntityMention, Error, Item, RelationMention, Remember};

fn request(item: Item) -> Remember {
    Remember::explicit("scope", vec![item])
}

fn checked(item: Item) -> CheckedItem {
    check(request(item))
        .expect("the item is in range")
        .items
        .remove(0)
}

fn relation(from: &str, relation: &str, to: &str) -> RelationMention {
    RelationMention {
        from: from.to_owned(),
        relation: relation.to_owned(),
        to: to.to_owned(),
    }
}

#[test]
fn a_call_takes_one_to_fifty_items() {
    let items = |n_items| Remember::explicit("scope", vec![Item::default(); n_items]);
    assert!(matches!(check(items(0)), Err(Error::NoItems)));
    assert!(check(items(ITEMS_MAX)).is_ok());
    assert!(matches!(
        check(items(ITEMS_MAX + 1)),
        Err(Error::TooManyItems { n_items: 51, .. })
    ));
}

#[test]
fn a_text_takes_one_mebibyte() {
    let text = |len| request(with(Item::default(), |it| it.text = "é".repeat(len / 2)));
    assert!(check(text(TEXT_LEN_BYTES_MAX)).is_ok());
    let refused = check(text(TEXT_LEN_BYTES_MAX + 2));
    assert!(matches!(refused, Err(Error::TextTooLong { item: 0, .. })));
}

type Refused = (&'static str, fn(&mut Item));

/// What is refused, by the name that the error gives it.
const REFUSED: &[Refused] = &[
    ("importance", |it| it.importance = Some(1.01)),
    ("importance", |it| it.importance = Some(-0.01)),
    ("importance", |it| it.importance = Some(f32::NAN)),
    ("importance", |it| it.importance = Some(f32::INFINITY)),
    ("valid_to", |it| set_times(it, 5, 5)),
    ("valid_to", |it| set_times(it, i64::MAX, i64::MIN)),
    ("entities.name", |it| {
        it.entities = vec![entity(" \t", None)];
    }),
    ("entities.kind", |it| {
        it.entities = vec![entity("Alice", Some(too_long()))];
    }),
    ("relations.from", |it| {
        it.relations = vec![relation(" ", "knows", "Bob")];
    }),
    ("relations.relation", |it| {
        it.relations = vec![relation("Alice", "", "Bob")];
    }),
    ("relations.to", |it| {
        it.relations = vec![relation("Alice", "knows", "\n")];
    }),
    ("tags", |it| it.tags = vec![too_long()]),
    ("tags", |it| it.tags = vec!["tag".to_owned(); 201]),
    ("source", |it| it.source = Some(too_long())),
    ("topic", |it| it.topic = Some(too_long())),
    ("replaces", |it| it.replaces = vec![MemoryId(1); 201]),
];

fn set_times(item: &mut Item, from: i64, to: i64) {
    item.valid_from = Some(Timestamp(from));
    item.valid_to = Some(Timestamp(to));
}

fn too_long() -> String {
    "x".repeat(1_025)
}

fn entity(name: &str, kind: Option<String>) -> EntityMention {
    let name = name.to_owned();
    EntityMention { name, kind }
}

#[test]
fn a_value_out_of_range_is_refused_by_name_and_item() {
    for (name, change) in REFUSED {
        match check(request(with(Item::default(), change))) {
            Err(Error::ItemOutOfRange {
                item: 0, argument, ..
            }) => assert_eq!(argument, *name),
            other => panic!("{name}: {other:?}"),
        }
    }
    for scope in [String::new(), " \t".to_owned(), too_long()] {
        let items = vec![Item::default()];
        match check(Remember::explicit(scope, items)) {
            Err(Error::OutOfRange { argument, .. }) => assert_eq!(argument, "scope"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn names_are_cleaned_and_the_text_is_kept_as_it_is() {
    let item = checked(with(Item::default(), |it| {
        it.text = " Cafe\u{301}  au  lait\n".to_owned();
        it.tags = ["b", " a ", "a", "", "cafe\u{301}"]
            .map(str::to_owned)
            .to_vec();
        it.topic = Some(" ".to_owned());
        it.source = Some(" the  user ".to_owned());
    }));
    assert_eq!(&*item.text, " Cafe\u{301}  au  lait\n");
    assert_eq!(item.text_normal, "Caf\u{e9} au lait");
    assert_eq!(
        item.tags.iter().map(|tag| &**tag).collect::<Vec<_>>(),
        ["a", "b", "caf\u{e9}"]
    );
    assert_eq!(item.topic, None);
    assert_eq!(item.source.as_deref(), Some("the user"));
}

#[test]
fn any_script_is_a_scope() {
    for scope in ["a/b", "a-b:c", "Übung", "日本語", "🦀", "../x"] {
        let request = Remember::explicit(scope, vec![Item::default()]);
        assert_eq!(&*check(request).expect("any name is a scope").scope, scope);
    }
}
