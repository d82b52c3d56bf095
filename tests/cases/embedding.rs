//! Memory without its model, before its model, and beside it: keywords always, meaning when it is there.

use std::time::Duration;

use palimpsest_tests::{Era, Home, Seeded, model_or_skip};
use serde_json::json;

/// Loading the model and embedding a handful of texts, on a machine that does other things too.
const EMBEDDING_MAX: Duration = Duration::from_secs(120);

const TEXT: &str = "My physician told me to cut down on salt";
/// Shares no word with that text, nor with the others.
const MEANING: &str = "Which dietary advice did a doctor give?";

#[test]
fn without_a_model_keywords_answer_and_warnings_name_the_command() {
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let kept = server.call("remember", &json!({"text": TEXT}));
    assert_eq!(
        kept.value()["items"][0]["searchable"],
        "keywords",
        "{}",
        kept.text()
    );
    let recalled = server.call("recall", &json!({"query": "physician salt"}));
    assert_eq!(recalled.value()["hits"][0]["text"], TEXT);
    for answer in [kept, recalled] {
        let names_it = answer
            .warnings()
            .iter()
            .any(|it| it.contains("palimpsest model fetch"));
        assert!(names_it, "{}", answer.text());
    }
    assert_eq!(server.status()["model"]["state"], "missing");
}

#[test]
fn a_model_folder_that_is_damaged_is_told_and_keywords_answer() {
    let home = Home::new();
    let folder = home.folder().join("model");
    std::fs::create_dir(&folder).expect("a folder can be made");
    for name in ["model.safetensors", "tokenizer.json", "config.json"] {
        std::fs::write(folder.join(name), "{}").expect("a file can be written");
    }
    let mut server = home.server().model(&folder).open(Era::Handshake);
    server.remember(TEXT);
    let recalled = palimpsest_tests::until("the model is found wanting", EMBEDDING_MAX, || {
        let recalled = server.call("recall", &json!({"query": "physician"}));
        let warnings = recalled.warnings();
        let is_told = warnings.iter().any(|it| it.contains("cannot be used"));
        is_told.then_some(recalled)
    });
    assert_eq!(recalled.value()["hits"][0]["text"], TEXT);
}

#[test]
fn recall_answers_by_keywords_while_the_model_loads_and_says_so() {
    const N_TRIES: usize = 5;
    let Some(model) = model_or_skip("recall_answers_by_keywords_while_the_model_loads") else {
        return;
    };
    let home = Home::new();
    let mut server = home.server().open(Era::Handshake);
    let id = server.remember(TEXT);
    server.end_of_input();
    // The answer races with the model, and wins nearly always.
    let mut n_told = 0;
    for attempt in 0..N_TRIES {
        let mut server = home.server().model(&model).start(Era::ALL[attempt % 2]);
        server.greet();
        let recalled = server.call("recall", &json!({"query": "physician salt"}));
        assert_eq!(recalled.value()["hits"][0]["id"], *id);
        n_told += usize::from(recalled.warnings().iter().any(|it| it.contains("loading")));
    }
    assert!(
        n_told > 0,
        "none of {N_TRIES} first answers says that the model is still loading"
    );
}

#[test]
fn the_first_remember_is_durable_before_its_vector_which_another_process_gives() {
    const N_ROUNDS: u64 = 5;
    let Some(model) = model_or_skip("the_first_remember_is_durable_before_its_vector") else {
        return;
    };
    let mut random = Seeded::new(0x5EED_0002);
    for round in 0..N_ROUNDS {
        let home = Home::new();
        let mut cold = home.server().model(&model).start(Era::Handshake);
        cold.greet();
        let kept = cold.call("remember", &json!({"text": TEXT}));
        if round == 0 {
            assert_eq!(
                kept.value()["items"][0]["searchable"],
                "keywords",
                "{}",
                kept.text()
            );
        } else {
            // Later rounds die at other moments: while it loads, embeds, or commits the vector.
            std::thread::sleep(Duration::from_millis(random.below(round * 200)));
        }
        cold.kill();
        let mut other = home.server().model(&model).open(Era::Stateless);
        assert_eq!(
            other.recall("physician salt")[0].text,
            TEXT,
            "round {round}"
        );
        other.wait_until_embedded(EMBEDDING_MAX);
        let arguments = json!({"query": MEANING, "mode": "semantic"});
        let recalled = other.call("recall", &arguments);
        assert_eq!(recalled.value()["hits"][0]["text"], TEXT, "round {round}");
        assert_eq!(other.status()["memories"], 1, "round {round}");
    }
}

#[test]
fn meaning_finds_what_shares_no_word() {
    let Some(model) = model_or_skip("meaning_finds_what_shares_no_word") else {
        return;
    };
    let home = Home::new();
    let mut server = home.server().model(&model).open(Era::Handshake);
    let others = [
        "The train to Bergen leaves at noon",
        "Our cat is called Pixel",
        TEXT,
    ];
    for text in others {
        server.remember(text);
    }
    server.wait_until_embedded(EMBEDDING_MAX);
    for mode in ["hybrid", "semantic"] {
        let recalled = server.call("recall", &json!({"query": MEANING, "mode": mode}));
        assert_eq!(recalled.value()["hits"][0]["text"], TEXT, "{mode}");
        assert!(
            recalled.warnings().is_empty(),
            "{mode}: {}",
            recalled.text()
        );
    }
}

/// A vector that one process gave serves the others, and a text that is long is found by its end.
#[test]
fn a_needle_deep_in_a_long_text_is_found_by_meaning_in_another_process() {
    let Some(model) = model_or_skip("a_needle_deep_in_a_long_text_is_found_by_meaning") else {
        return;
    };
    let home = Home::new();
    let mut writer = home.server().model(&model).open(Era::Handshake);
    let mut reader = home.server().open(Era::Stateless);
    let needle = format!(
        "{TEXT}. At the clinic she measured my blood pressure twice, and twice it was too high. She \
         wants me to eat more vegetables, fewer crisps and no bacon, to walk half an hour every \
         morning, and to come back in six weeks with a list of all my meals. "
    );
    let hay = "The committee approved the minutes of its last meeting without a vote. ".repeat(120);
    let long = format!("{hay}{needle}{hay}");
    let id = writer.remember(&long);
    for number in 0..20 {
        writer.remember(&format!(
            "Agenda item {number} was postponed by the committee"
        ));
    }
    writer.wait_until_embedded(EMBEDDING_MAX);
    let arguments = json!({"query": "physician", "max_tokens": 10_000});
    let recalled = reader.call("recall", &arguments);
    assert_eq!(
        recalled.value()["hits"][0]["id"],
        *id,
        "by a keyword, without a model"
    );
    drop(writer);
    let mut later = home.server().model(&model).open(Era::Handshake);
    later.wait_until_embedded(EMBEDDING_MAX);
    let recalled = later.call(
        "recall",
        &json!({"query": MEANING, "mode": "semantic", "max_tokens": 10_000}),
    );
    assert_eq!(recalled.value()["hits"][0]["id"], *id);
}
