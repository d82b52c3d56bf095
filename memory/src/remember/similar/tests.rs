//! What is like a new memory, with and without vectors.

use crate::Decision;
use crate::test_rig::{Rig, text, with};

/// Pairs that differ by little and mean something else.
const NEAR: [(&str, &str); 6] = [
    (
        "The staging server is at 10.0.0.17 behind the proxy",
        "The staging server is at 10.0.0.18 behind the proxy",
    ),
    (
        "We deploy version 2.4.1 of the gateway on Friday",
        "We deploy version 2.4.2 of the gateway on Friday",
    ),
    (
        "The user does like to be called in the morning",
        "The user does not like to be called in the morning",
    ),
    (
        "Run number 17 of the nightly build failed at once",
        "Run number 18 of the nightly build failed at once",
    ),
    (
        "他住在北京市海淀区中关村大街",
        "他住在北京市海淀区上关村大街",
    ),
    (
        "Alice manages Bob in the platform team",
        "Bob manages Alice in the platform team",
    ),
];

#[test]
fn near_duplicates_are_kept_and_reported() {
    for rig in [Rig::without_model(), Rig::with_model()] {
        for (first, second) in NEAR {
            let first_id = rig.keep(text(first)).id.expect("it is kept");
            let answer = rig.keep(text(second));
            assert_eq!(answer.decision, Decision::Stored, "{second}");
            let like_it: Vec<_> = answer.similar.iter().map(|it| (it.id, &*it.text)).collect();
            assert_eq!(like_it, [(first_id, first)], "{second}");
            assert!(answer.similar[0].score <= 1.0 + 1e-6);
        }
    }
}

#[test]
fn what_is_not_like_it_is_not_reported() {
    for rig in [Rig::without_model(), Rig::with_model()] {
        rig.keep(text("The staging server is at 10.0.0.17 behind the proxy"));
        assert_eq!(
            rig.keep(text("Alice is vegan and the cook knows")).similar,
            []
        );
    }
}

#[test]
fn only_earlier_memories_that_still_hold_in_the_same_scope_are_similar() {
    let rig = Rig::without_model();
    let on = |of| with(text(of), |it| it.topic = Some("port".to_owned()));
    rig.keep(on("The port of the web server is 8080"));
    let second = rig.keep(on("The port of the web server is 8081"));
    assert_eq!(second.similar, [], "the one that it superseded");
    let request =
        crate::Remember::explicit("work", vec![text("The port of the web server is 8082")]);
    let elsewhere = rig.memory.remember(request).expect("it is in range");
    assert_eq!(elsewhere.items[0].similar, [], "another scope's");
    let items = vec![
        text("The port of the web server is 8083"),
        text("The port of the web server is 8084"),
    ];
    let both = rig.remember(items).expect("both are in range").items;
    assert_eq!(both[0].similar.len(), 1);
    assert_eq!(
        both[1].similar.len(),
        2,
        "the item before it in the same call"
    );
}
