//! What a strategy decides by the text alone.

use super::*;
use crate::test_rig::{Rig, SCOPE};
use crate::{Item, Remember};

#[test]
fn every_strategy_has_its_name() {
    for strategy in Strategy::ALL {
        assert_eq!(Strategy::from_name(strategy.name()), Some(strategy));
    }
    assert_eq!(Strategy::from_name("all"), None);
    for speakers in Speakers::ALL {
        assert_eq!(Speakers::from_name(speakers.name()), Some(speakers));
    }
    assert_eq!(Role::from_name(" Assistant "), Some(Role::Agent));
    assert_eq!(Role::from_name("system"), None);
}

#[test]
fn an_empty_memory_saves_what_it_would() {
    let texts = [
        "ok",
        "",
        "no, I meant Ann",
        "That's wrong",
        "The boat leaks",
        "...",
    ];
    for strategy in Strategy::ALL {
        for role in [Role::User, Role::Agent] {
            for text in texts {
                let turn = Turn {
                    role,
                    text: text.to_owned(),
                };
                let item = Item {
                    text: text.to_owned(),
                    source: Some(role.name().to_owned()),
                    ..Item::default()
                };
                let request = Remember {
                    strategy,
                    ..Remember::explicit(SCOPE, vec![item])
                };
                let answer = Rig::without_model().memory.remember(request);
                let is_saved = answer.expect("it is in range").items[0].id.is_some();
                assert_eq!(
                    saved_when_empty(strategy, &turn),
                    is_saved,
                    "{strategy:?} {turn:?}"
                );
            }
        }
    }
}
