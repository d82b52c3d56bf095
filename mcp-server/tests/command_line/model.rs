//! `model fetch`, as far as it needs no network.

use crate::home::{Home, model_or_skip, shown};

#[test]
fn a_folder_without_the_model_is_refused_and_nothing_lands() {
    let home = Home::new();
    std::fs::create_dir(home.path("given")).expect("it is new");
    let run = home.run(&["model", "fetch", "--from", "given"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stderr.contains("given/model.safetensors is not there"),
        "{run:?}"
    );
    assert!(run.stderr.contains("--from FOLDER"), "{run:?}");
    assert_eq!(home.entries("cache/palimpsest/models"), [""; 0]);
    assert_eq!(run.stdout, "");
}

#[test]
fn the_model_lands_in_the_cache_and_is_found_there() {
    let Some(model) = model_or_skip("the_model_lands_in_the_cache_and_is_found_there") else {
        return;
    };
    let home = Home::new();
    let fetched = home.json(&["model", "fetch", "--from", &shown(&model)]);
    let cache = home.path("cache/palimpsest/models/all-MiniLM-L6-v2");
    assert_eq!(fetched["fetched"], true);
    assert_eq!(fetched["path"], shown(&cache));
    let again = home.json(&["model", "fetch"]);
    assert_eq!(again["fetched"], false);
    home.json(&["remember", "the model is where it belongs"]);
    assert_eq!(home.json(&["status"])["model"]["state"], "ready");

    std::fs::write(cache.join("config.json"), "{}").expect("it can be damaged");
    let mended = home.run(&["model", "fetch", "--from", &shown(&model)]);
    assert_eq!(mended.code, 0, "{mended:?}");
    assert!(
        mended.stderr.contains("the cached model is damaged"),
        "{mended:?}"
    );
    assert_eq!(home.json(&["model", "fetch"])["fetched"], false);
}
