//! How likely it is that the memory knows an answer. Knows no index and no text.
//!
//! A question that the memory cannot answer has neither a near meaning in it nor a text that holds most of
//! its words. Both tell the two kinds apart by themselves, and together better: the logistic function
//! below, fitted on the tuned half of LoCoMo, each question asked of its own conversation and of another.
//! `palimpsest-evals answerable` measures it. It is low where words and meaning part ways ("phobias", "afraid
//! of spiders"): a hint for whoever reads the hits, and no reason to leave any out.

use super::fuse::Fused;

const INTERCEPT: f64 = -6.3;
/// Of the greatest cosine.
const SIMILARITY_WEIGHT: f64 = 5.0;
/// Of the greatest part of the question's words, by idf, that one text holds.
const COVERAGE_WEIGHT: f64 = 11.8;

/// A longer query is no question: no text holds most of its words.
const WORDS_MAX: usize = 40;

/// From what was found, 0 to 1; `None` where nothing was found by meaning, or the query is no question.
pub(crate) fn confidence(query: &str, found: &[Fused]) -> Option<f64> {
    if query.split_whitespace().nth(WORDS_MAX).is_some() {
        return None;
    }
    let similarities = found
        .iter()
        .filter_map(|it| Some(it.why.vector?.similarity));
    let coverages = found
        .iter()
        .filter_map(|it| Some(it.why.keyword.as_ref()?.coverage));
    let similarity = similarities.reduce(f64::max)?;
    // Where no text holds any of its words there is no hit by words.
    let coverage = coverages.fold(0.0, f64::max);
    let logit = INTERCEPT + SIMILARITY_WEIGHT * similarity + COVERAGE_WEIGHT * coverage;
    Some(1.0 / (1.0 + (-logit).exp()))
}

#[cfg(test)]
mod tests {
    //! What makes it surer.

    use crate::test_rig::{HandModel, LONG, Rig, query, text, with};
    use crate::{Mode, Recall};

    fn rig() -> Rig {
        let rig = Rig::new(HandModel::ready());
        rig.memory.settle(LONG).expect("the store is sound");
        for words in [
            "the blue key hangs in the hall",
            "tea is green",
            "trains run late in the rain",
        ] {
            rig.keep(text(words));
        }
        rig.memory.settle(LONG).expect("the store is sound");
        rig
    }

    #[test]
    fn it_is_sure_of_what_it_holds_and_says_so_of_what_it_does_not() {
        let rig = rig();
        let known = rig.recall(query("where hangs the blue key"));
        let unknown = rig.recall(query("which surgeon operated on the knee of grandfather"));
        assert!(known.confidence > Some(0.9), "{:?}", known.confidence);
        assert!(unknown.confidence < Some(0.1), "{:?}", unknown.confidence);
    }

    #[test]
    fn a_word_that_no_memory_holds_makes_it_less_sure() {
        let rig = rig();
        let sure = |words| rig.recall(query(words)).confidence.expect("by both");
        assert!(sure("the blue key") > sure("the blue key of Zanzibar"));
    }

    #[test]
    fn by_words_or_by_meaning_alone_it_says_nothing() {
        let rig = rig();
        for mode in [Mode::Keyword, Mode::Semantic] {
            let recalled = rig.recall(with(query("the surgeon and tea"), |it: &mut Recall| {
                it.mode = mode;
            }));
            assert_eq!(recalled.confidence, None);
        }
    }
}
