//! What a snapshot promises, rule by rule. The properties beside this ask everything of everything.

use super::*;

/// Readers ask an old snapshot while a writer goes on applying.
#[test]
fn a_snapshot_does_not_change_while_others_commit() {
    let words = |id: u64| format!("alpha {} shared{}", id % 7, id % 3);
    let old = (1..=200).map(|id| commit((id, put(id, &words(id), "user"))));
    let view = View::empty().apply(old.collect());
    let snapshot = Snapshot::new(view.clone());
    let everything = |snapshot: &Snapshot| {
        let hits = snapshot.keyword_search(
            KeywordQuery::exact("alpha 3 shared1"),
            &Filter::default(),
            20,
        );
        (
            hits,
            snapshot.list(&Filter::default(), 300),
            snapshot.history(MemoryId(5)),
        )
    };
    let expect = everything(&snapshot);
    std::thread::scope(|scope| {
        let reader = || (0..20).all(|_| everything(&snapshot) == expect);
        let readers = [scope.spawn(reader), scope.spawn(reader)];
        let mut view = view;
        for seq in 201..=600 {
            let retire = Change::Retire {
                id: MemoryId(seq - 200),
                reason: Some("gone".into()),
            };
            let again = put(seq % 200, "alpha 3 shared1", "user");
            let change = if seq % 2 == 0 { retire } else { again };
            view = view.apply(vec![commit((seq, change))]);
        }
        assert_ne!(everything(&Snapshot::new(view)), expect);
        assert!(readers.into_iter().all(|reader| reader.join().unwrap()));
    });
}

/// Worked by hand: N = 3, lengths 2, 1 and 3, so 2 on average.
#[test]
fn bm25_is_the_formula_that_the_contract_gives() {
    let texts = [
        put(1, "red cat", "user"),
        put(2, "cat", "user"),
        put(3, "a red red", "user"),
    ];
    let other_scope = put(4, "red red red red", "other");
    let commits = (1..)
        .zip(texts.into_iter().chain([other_scope]))
        .map(commit);
    let snapshot = Snapshot::new(View::empty().apply(commits.collect()));
    let filter = Filter {
        scopes: vec!["user".to_owned()],
        ..Filter::default()
    };
    let hits = snapshot.keyword_search(KeywordQuery::exact("Red, red?"), &filter, 9);
    // idf = ln((3 - 2 + 0.5) / (2 + 0.5) + 1) = ln 1.6; the query says it twice.
    let idf = 2.0 * 1.6_f64.ln();
    let third = idf * 2.0 * 2.2 / (2.0 + 1.2 * (0.25 + 0.75 * 3.0 / 2.0));
    let first = idf * 2.2 / (1.0 + 1.2 * (0.25 + 0.75 * 2.0 / 2.0));
    let ids: Vec<_> = hits.iter().map(|hit| hit.id.0).collect();
    assert_eq!(ids, [3, 1]);
    assert!(
        (hits[0].score - third).abs() < 1e-12,
        "{} {third}",
        hits[0].score
    );
    assert!(
        (hits[1].score - first).abs() < 1e-12,
        "{} {first}",
        hits[1].score
    );
    assert_eq!(hits[0].terms.len(), 1);
    assert_eq!(hits[0].terms[0].term, "red");
}

/// An undo puts a retired memory again with the text that it had: its vectors count again.
#[test]
fn vectors_follow_their_text_and_not_its_version() {
    let embed = Change::Embed {
        memory: MemoryId(1),
        model: ModelId([7; 32]),
        windows: vec![WindowVector {
            token_start: 0,
            embedding: Arc::from([1.0, 2.0]),
        }],
    };
    let retire = || Change::Retire {
        id: MemoryId(1),
        reason: None,
    };
    let same = || put(1, "same", "user");
    let changes = [
        (embed.clone(), 0),
        (same(), 0),
        (embed.clone(), 1),
        (put(1, "same", "other"), 1),
        (retire(), 0),
        (embed.clone(), 0),
        (same(), 1),
        (put(1, "new text", "user"), 0),
        (embed, 1),
        (same(), 0),
    ];
    let mut view = View::empty();
    for (seq, (change, n_vectors)) in (1..).zip(changes) {
        view = view.apply(vec![commit((seq, change))]);
        let found = Snapshot::new(view.clone()).vectors(ModelId([7; 32]), MemoryId(1));
        assert_eq!(found.len(), n_vectors, "after commit {seq}");
    }
}

/// Memories 1, 2, ... with these sources, scopes and texts.
fn said(memories: &[(Option<&str>, &str, &str)]) -> View {
    let changes = memories.iter().zip(1..).map(|((source, scope, text), id)| {
        let Change::Put(memory) = put(id, text, scope) else {
            unreachable!("put puts");
        };
        let mut memory = Arc::unwrap_or_clone(memory);
        memory.source = source.map(Arc::from);
        Change::Put(Arc::new(memory))
    });
    View::empty().apply((1..).zip(changes).map(commit).collect())
}

#[test]
fn a_source_is_named_by_all_its_words_where_it_has_a_visible_memory() {
    let view = said(&[
        (Some("Ann"), "user", "one"),
        (Some("Ann Lee"), "user", "two"),
        (Some("Bob"), "a", "three"),
        (Some("café"), "user", "four"),
    ]);
    let user = Filter {
        scopes: vec!["user".to_owned()],
        ..Filter::default()
    };
    let named = |snapshot: &Snapshot, text: &str, filter: &Filter| -> Vec<(String, String)> {
        let named = snapshot.sources_named(text, filter).into_iter();
        named
            .map(|it| (it.source.to_string(), text[it.at].to_owned()))
            .collect()
    };
    let pair = |source: &str, at: &str| (source.to_owned(), at.to_owned());
    let snapshot = Snapshot::new(view.clone());
    assert_eq!(
        named(&snapshot, "Did ANN Lee's dog meet Bob?", &user),
        [pair("Ann", "ANN"), pair("Ann Lee", "ANN Lee's")]
    );
    assert_eq!(
        named(
            &snapshot,
            "Did Bob, or the Cafe\u{301}?",
            &Filter::default()
        ),
        [pair("Bob", "Bob,"), pair("café", "Cafe\u{301}?")]
    );
    assert_eq!(named(&snapshot, "Annabel Lee", &user), []);
    let retire = Change::Retire {
        id: MemoryId(1),
        reason: None,
    };
    let later = Snapshot::new(view.apply(vec![commit((5, retire))]));
    assert_eq!(named(&later, "Ann", &user), [], "nothing of hers is left");
    assert_eq!(
        named(&snapshot, "Ann", &user).len(),
        1,
        "it does not change"
    );
    assert_eq!(named(&later.at(Seq(2)).unwrap(), "Ann", &user).len(), 1);
}

#[test]
fn neighbours_are_of_the_same_scope_and_visible() {
    let view = said(&[
        (None, "user", "one"),
        (None, "user", "two"),
        (None, "a", "elsewhere"),
        (None, "user", "four"),
        (None, "user", "five"),
    ]);
    let retire = Change::Retire {
        id: MemoryId(2),
        reason: None,
    };
    let earlier = Snapshot::new(view.clone());
    let later = Snapshot::new(view.apply(vec![commit((6, retire))]));
    let ids = |snapshot: &Snapshot, id: u64, n: usize| -> [Vec<u64>; 2] {
        let id = MemoryId(id);
        let before = snapshot.remembered_before(id, n).map(|it| it.id.0);
        let after = snapshot.remembered_after(id, n).map(|it| it.id.0);
        [before.collect(), after.collect()]
    };
    assert_eq!(ids(&earlier, 4, 2), [vec![2, 1], vec![5]]);
    assert_eq!(ids(&later, 4, 2), [vec![1], vec![5]]);
    assert_eq!(ids(&later, 4, 1), [vec![1], vec![5]]);
    assert_eq!(ids(&later, 5, 3), [vec![4, 1], vec![]]);
    assert_eq!(ids(&later, 2, 3), [vec![], vec![]], "it is gone itself");
    let nearest = earlier.remembered_before(MemoryId(4), 1).next();
    assert_eq!(nearest.map(|it| it.n_words), Some(1));
}
