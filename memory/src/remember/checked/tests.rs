use palimpsest_store::Timestamp;

use super::{CheckedItem, ITEMS_MAX, TEXT_LEN_BYTES_MAX, check};
use crate::{EntityMention, Error, Item, RelationMention, Remember};

fn request(item: Item) -> Remember {
    Remember {
        scope: "scope".to_owned(),
        items: vec![item],
    }
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
    let items = |n_items| Remember {
        scope: "scope".to_owned(),
        items: vec![Item::default(); n_items],
    };
    assert!(matches!(check(items(0)), Err(Error::NoItems)));
    assert!(check(items(ITEMS_MAX)).is_ok());
    assert!(matches!(
        check(items(ITEMS_MAX + 1)),
        Err(Error::TooManyItems { n_items: 51, .. })
    ));
}

#[test]
fn a_text_takes_one_mebibyte() {
    let text = |len| {
        request(Item {
            text: "é".repeat(len / 2),
            ..Item::default()
        })
    };
    assert!(check(text(TEXT_LEN_BYTES_MAX)).is_ok());
    let refused = check(text(TEXT_LEN_BYTES_MAX + 2));
    assert!(matches!(refused, Err(Error::TextTooLong { item: 0, .. })));
}

#[test]
fn a_value_out_of_range_is_refused_by_name_and_item() {
    let blank = || " \t".to_owned();
    let long = || "x".repeat(1_025);
    let refused: [(&str, Item); 16] = [
        (
            "importance",
            Item {
                importance: Some(1.01),
                ..Item::default()
            },
        ),
        (
            "importance",
            Item {
                importance: Some(-0.01),
                ..Item::default()
            },
        ),
        (
            "importance",
            Item {
                importance: Some(f32::NAN),
                ..Item::default()
            },
        ),
        (
            "importance",
            Item {
                importance: Some(f32::INFINITY),
                ..Item::default()
            },
        ),
        (
            "valid_to",
            Item {
                valid_from: Some(Timestamp(5)),
                valid_to: Some(Timestamp(5)),
                ..Item::default()
            },
        ),
        (
            "valid_to",
            Item {
                valid_from: Some(Timestamp(i64::MAX)),
                valid_to: Some(Timestamp(i64::MIN)),
                ..Item::default()
            },
        ),
        (
            "entities.name",
            Item {
                entities: vec![EntityMention {
                    name: blank(),
                    kind: None,
                }],
                ..Item::default()
            },
        ),
        (
            "entities.kind",
            Item {
                entities: vec![EntityMention {
                    name: "A".into(),
                    kind: Some(long()),
                }],
                ..Item::default()
            },
        ),
        (
            "relations.from",
            Item {
                relations: vec![relation(" ", "knows", "Bob")],
                ..Item::default()
            },
        ),
        (
            "relations.relation",
            Item {
                relations: vec![relation("Alice", "", "Bob")],
                ..Item::default()
            },
        ),
        (
            "relations.to",
            Item {
                relations: vec![relation("Alice", "knows", "\n")],
                ..Item::default()
            },
        ),
        (
            "tags",
            Item {
                tags: vec![long()],
                ..Item::default()
            },
        ),
        (
            "tags",
            Item {
                tags: vec!["tag".to_owned(); 201],
                ..Item::default()
            },
        ),
        (
            "source",
            Item {
                source: Some(long()),
                ..Item::default()
            },
        ),
        (
            "topic",
            Item {
                topic: Some(long()),
                ..Item::default()
            },
        ),
        (
            "replaces",
            Item {
                replaces: vec![palimpsest_store::MemoryId(1); 201],
                ..Item::default()
            },
        ),
    ];
    for (name, item) in refused {
        match check(request(item)) {
            Err(Error::ItemOutOfRange {
                item: 0, argument, ..
            }) => assert_eq!(argument, name),
            other => panic!("{name}: {other:?}"),
        }
    }
    for scope in [String::new(), blank(), long()] {
        let refused = check(Remember {
            scope,
            items: vec![Item::default()],
        });
        assert!(matches!(
            refused,
            Err(Error::OutOfRange {
                argument: "scope",
                ..
            })
        ));
    }
}

#[test]
fn names_are_cleaned_and_the_text_is_kept_as_it_is() {
    let item = checked(Item {
        text: " Cafe\u{301}  au  lait\n".to_owned(),
        tags: ["b", " a ", "a", "", "cafe\u{301}"]
            .map(str::to_owned)
            .to_vec(),
        topic: Some(" ".to_owned()),
        source: Some(" the  user ".to_owned()),
        ..Item::default()
    });
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
        let request = Remember {
            scope: scope.to_owned(),
            items: vec![Item::default()],
        };
        assert_eq!(&*check(request).expect("any name is a scope").scope, scope);
    }
}
