use palimpsest_memory::{Fusion, Settings};

use super::chosen_settings;

fn check(sets: &[&str], expected: Result<Settings, &str>) {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    match (chosen_settings(None, &sets), expected) {
        (Ok(found), Ok(expected)) => assert_eq!(found, expected, "{sets:?}"),
        (Err(found), Err(expected)) => {
            let found = found.to_string();
            assert!(found.contains(expected), "{sets:?}: {found}");
        }
        (found, expected) => panic!("{sets:?}: {found:?}, {expected:?}"),
    }
}

#[test]
fn a_setting_is_chosen_by_its_name_and_the_others_stay() {
    check(&[], Ok(Settings::default()));
    let few = Settings {
        n_candidates: 7,
        ..Settings::default()
    };
    check(&["n_candidates=7"], Ok(few));
    let rrf = Settings {
        fusion: Fusion::Rrf { k: 30.0 },
        ..Settings::default()
    };
    check(&["fusion.method=rrf", "fusion.k=30"], Ok(rrf));
}

#[test]
fn a_name_or_value_that_cannot_be_is_refused_in_words() {
    check(&["n_candidate=7"], Err("n_candidates"));
    check(&["fusion.k=30"], Err("fusion.vector_weight"));
    check(&["n_candidates=many"], Err("many"));
    check(&["n_candidates"], Err("NAME=VALUE"));
}

#[test]
fn a_file_is_read_before_single_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.toml");
    std::fs::write(
        &path,
        "n_candidates = 9\nrecall_limit = 5\n[fusion]\nvector_weight = 0.5\n",
    )
    .unwrap();
    let settings = chosen_settings(Some(&path), &["recall_limit=6".to_owned()]).unwrap();
    assert_eq!((settings.n_candidates, settings.recall_limit), (9, 6));
    let fusion = Fusion::MinMax {
        vector_weight: 0.5,
        keyword_weight: 0.6,
    };
    assert_eq!(settings.fusion, fusion);
}
