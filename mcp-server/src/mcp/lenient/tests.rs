//! What models send, and what it was meant to be.

use palimpsest_memory::{EntityMention, MemoryId, RelationMention};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{
    entities, ids, integer, is_absent, number, relations, text, texts, truth, whole_texts,
};

#[test]
fn lists_are_taken_in_every_form_that_models_send() {
    let cases = [
        (json!(["a", "b"]), Some(vec!["a", "b"])),
        (json!("[\"a\", \"b\"]"), Some(vec!["a", "b"])),
        (json!("a, b"), Some(vec!["a", "b"])),
        (json!("a"), Some(vec!["a"])),
        (json!("['a', 'b']"), Some(vec!["a", "b"])),
        (json!(["a", null, " ", " a "]), Some(vec!["a"])),
        (json!(["a, b"]), Some(vec!["a, b"])),
        (json!([1, true]), Some(vec!["1", "true"])),
        (json!(7), Some(vec!["7"])),
        (json!([]), Some(vec![])),
        (json!({ "a": 1 }), None),
        (json!([{ "a": 1 }]), None),
        (json!(true), None),
    ];
    for (given, expected) in cases {
        let expected = expected.map(|texts| texts.into_iter().map(str::to_owned).collect());
        assert_eq!(texts(&given), expected, "{given}");
    }
}

#[test]
fn a_text_with_commas_is_one_text_where_texts_are_kept() {
    let cases = [
        (json!("one, two"), Some(vec![json!("one, two")])),
        (
            json!(["one, two", "three"]),
            Some(vec![json!("one, two"), json!("three")]),
        ),
        (json!("[\"one\"]"), Some(vec![json!("one")])),
        (
            json!("{\"text\": \"one\"}"),
            Some(vec![json!({ "text": "one" })]),
        ),
        (
            json!({ "text": "one" }),
            Some(vec![json!({ "text": "one" })]),
        ),
        (json!(false), None),
    ];
    for (given, expected) in cases {
        assert_eq!(whole_texts(&given), expected, "{given}");
    }
}

#[test]
fn identifiers_are_taken_as_numbers_and_as_texts() {
    let cases = [
        (json!(["12", 3]), Some(vec![12, 3])),
        (json!("12, #3"), Some(vec![12, 3])),
        (json!(12), Some(vec![12])),
        (json!(12.0), Some(vec![12])),
        (json!("18446744073709551615"), Some(vec![u64::MAX])),
        (json!([12, "12"]), Some(vec![12])),
        (json!(-1), None),
        (json!(1.5), None),
        (json!(1e300), None),
        (json!("abc"), None),
        (json!(["1", "abc"]), None),
        (json!([[1]]), None),
    ];
    for (given, expected) in cases {
        let expected: Option<Vec<MemoryId>> =
            expected.map(|ids| ids.into_iter().map(MemoryId).collect());
        assert_eq!(ids(&given), expected, "{given}");
    }
}

#[test]
fn numbers_and_truths_are_taken_as_texts_too() {
    let integers = [
        (json!("7"), Some(7)),
        (json!(" 7.0 "), Some(7)),
        (json!(7.0), Some(7)),
        (json!(-7), None),
        (json!("seven"), None),
        (json!(true), None),
        (json!([7]), None),
    ];
    for (given, expected) in integers {
        assert_eq!(integer(&given), expected, "{given}");
    }
    let numbers = [
        (json!("0.5"), Some(0.5)),
        (json!(1), Some(1.0)),
        (json!("inf"), None),
        (json!("NaN"), None),
        (json!("half"), None),
    ];
    for (given, expected) in numbers {
        assert_eq!(number(&given), expected, "{given}");
    }
    let truths = [
        (json!("True"), Some(true)),
        (json!(0), Some(false)),
        (json!("maybe"), None),
        (json!(2), None),
    ];
    for (given, expected) in truths {
        assert_eq!(truth(&given), expected, "{given}");
    }
}

#[test]
fn a_text_is_taken_from_what_can_be_written_in_one_way() {
    let cases = [
        (json!("a"), Some("a")),
        (json!(42), Some("42")),
        (json!(true), Some("true")),
        (json!(["a"]), Some("a")),
        (json!(["a", "b"]), None),
        (json!({ "text": "a" }), None),
    ];
    for (given, expected) in cases {
        assert_eq!(text(&given).as_deref(), expected, "{given}");
    }
    assert!([json!(null), json!(" \n"), json!([])].iter().all(is_absent));
    assert!(![json!(0), json!(false), json!({})].iter().any(is_absent));
}

#[test]
fn relations_are_taken_as_objects_and_as_triples() {
    let ada = RelationMention {
        from: "Ada".to_owned(),
        relation: "works_at".to_owned(),
        to: "Acme".to_owned(),
    };
    let taken = [
        json!([{ "from": "Ada", "relation": "works_at", "to": "Acme" }]),
        json!({ "source": "Ada", "type": "works_at", "target": "Acme" }),
        json!([{ "subject": "Ada", "predicate": "works_at", "object": "Acme" }]),
        json!("[{\"from\": \"Ada\", \"relationType\": \"works_at\", \"to\": \"Acme\"}]"),
        json!([["Ada", "works_at", "Acme"]]),
        json!(["Ada", "works_at", "Acme"]),
    ];
    for given in taken {
        assert_eq!(relations(&given), Some(vec![ada.clone()]), "{given}");
    }
    let refused = [
        json!("Ada works at Acme"),
        json!("Ada, works_at, Acme"),
        json!([{ "from": "Ada", "to": "Acme" }]),
        json!([{ "from": " ", "relation": "r", "to": "Acme" }]),
        json!([["Ada", "works_at"]]),
    ];
    for given in refused {
        assert_eq!(relations(&given), None, "{given}");
    }
    assert_eq!(relations(&json!([])), Some(Vec::new()));
}

#[test]
fn entities_are_taken_as_names_and_as_objects() {
    let given = json!(["Ada", { "name": "Acme", "entityType": "company" }]);
    let expected = [("Ada", None), ("Acme", Some("company"))].map(|(name, kind)| EntityMention {
        name: name.to_owned(),
        kind: kind.map(str::to_owned),
    });
    assert_eq!(entities(&given), Some(expected.to_vec()));
    assert_eq!(entities(&json!([{ "kind": "company" }])), None);
}

/// Any JSON, three levels deep.
pub(in crate::mcp) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "[\\[\\]{},\"'0-9a-z: ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{0,6}", inner, 0..4)
                .prop_map(|object| object.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_read_or_refused(value in any_json()) {
        let _read = (
            text(&value), texts(&value), whole_texts(&value), ids(&value), integer(&value),
            number(&value), truth(&value), entities(&value), relations(&value),
        );
    }
}
