use super::page;
use crate::contract::{FusionMethod, Level};
use crate::embeddings::Tokens;
use crate::evaluation::{Hybrid, Method, Plain, Retrieval, VariantOutcome, VectorList};
use crate::record::tests::record;

fn hybrid(vector_weight: f64) -> VariantOutcome {
    let plain = Plain::contract(Retrieval::Hybrid(Hybrid {
        tokens: Tokens::First128,
        fusion: FusionMethod::Rrf,
        vector_weight,
        list: VectorList::Full,
    }));
    VariantOutcome {
        name: plain.name(),
        level: Level::Turn,
        method: Method::Plain(plain),
        ranks: vec![Some(2)],
        latency: None,
    }
}

#[test]
fn a_page_has_tables_and_plots_and_needs_nothing_beside_it() {
    let mut one = record();
    one.dataset.label = "<script>alert(1)</script>".to_owned();
    let mut sweep = record();
    sweep.outcomes = [0.0, 0.5, 1.0].map(hybrid).to_vec();
    let html = page(&[one, sweep]);
    for expected in [
        "<td>BM25</td>",
        "by the weight of the vector list",
        "within the first k",
        "RRF, 128 tokens",
    ] {
        assert!(html.contains(expected), "{expected} is missing");
    }
    for foreign in ["<script", "http://", "https://", "src=", "href="] {
        assert!(!html.contains(foreign), "the page holds {foreign}");
    }
    assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count());
}
