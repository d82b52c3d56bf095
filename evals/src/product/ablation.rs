//! What each term of recall is worth: the settings with one of them the other way round.

use palimpsest_memory::{Fusion, Ranking, Settings};

/// Damping of the first ranks where ranks are fused.
const RRF_K: f64 = 60.0;
/// The weight of a term that is off and is switched on.
const SMALL_WEIGHT: f64 = 0.1;

/// A change of the ranking that switches one term.
type Switch = fn(&mut Ranking);

/// The name of each change, and the settings with it. Changes that change nothing are left out.
pub(crate) fn ablations(settings: &Settings) -> Vec<(String, Settings)> {
    let switches: [(&str, Switch); 9] = [
        ("without stems", |it| it.stems = false),
        ("with stop words", |it| it.skips_stop_words = false),
        ("without words of sources", |it| it.source_words = false),
        ("without source", |it| it.source_weight = 0.0),
        ("without context", |it| it.context_weight = 0.0),
        ("without time", |it| it.time_weight = 0.0),
        ("without entities", |it| it.entity_weight = 0.0),
        ("with recency 0.1", |it| it.recency_weight = SMALL_WEIGHT),
        ("with diversity 0.1", |it| {
            it.diversity_weight = SMALL_WEIGHT;
        }),
    ];
    let switched = switches.into_iter().map(|(name, switch)| {
        let mut changed = settings.clone();
        switch(&mut changed.ranking);
        (name.to_owned(), changed)
    });
    let plain = Settings {
        ranking: Ranking::PLAIN,
        ..settings.clone()
    };
    let by_ranks = Settings {
        fusion: Fusion::Rrf { k: RRF_K },
        ..settings.clone()
    };
    let others = [
        ("without any term".to_owned(), plain),
        ("with ranks fused".to_owned(), by_ranks),
    ];
    switched
        .chain(others)
        .filter(|(_, changed)| changed != settings)
        .collect()
}

#[cfg(test)]
mod tests {
    //! One change each.

    use super::ablations;
    use palimpsest_memory::{Ranking, Settings};

    #[test]
    fn each_change_is_another_one_and_changes_something() {
        let settings = Settings::default();
        let changed = ablations(&settings);
        assert_eq!(changed.len(), 11);
        for (idx, (name, one)) in changed.iter().enumerate() {
            assert_ne!(*one, settings, "{name}");
            assert!(
                changed[..idx].iter().all(|(_, other)| other != one),
                "{name}"
            );
        }
    }

    #[test]
    fn what_is_off_already_is_left_out() {
        let settings = Settings {
            ranking: Ranking::PLAIN,
            ..Settings::default()
        };
        let names: Vec<String> = ablations(&settings).into_iter().map(|it| it.0).collect();
        assert_eq!(
            names,
            ["with recency 0.1", "with diversity 0.1", "with ranks fused"]
        );
    }
}
