//! What the owner of a memory can choose. Each value's home is `configs/palimpsest.toml`.

use serde::{Deserialize, Serialize};

use crate::Error;

/// The choices of this room. They can be written down whole, so that a record of a measurement holds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How vector and keyword scores become one.
    pub fusion: Fusion,
    /// What a memory is found and ranked by beside that.
    pub ranking: Ranking,
    /// Candidates taken from each index, 1 to 10,000.
    pub n_candidates: usize,
    /// Hits of a recall that names no limit, 1 to 100.
    pub recall_limit: usize,
    /// Tokens of a recall that names no budget, 100 to 100,000.
    pub recall_tokens_max: usize,
    /// From which cosine of vectors a memory is reported as similar, 0 to 1.
    pub similar_threshold: f32,
    /// What the strategy of the semantic shift takes for new.
    pub novelty: Novelty,
}

/// What is new beside what was remembered last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Novelty {
    /// From which cosine a text says what a memory says already, 0 to 1.
    pub threshold: f32,
    /// With how many of the latest memories of its scope a text is compared, 1 to 1,000.
    pub n_memories: usize,
}

impl Novelty {
    fn check(&self) -> Result<(), Error> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Error::OutOfRange {
                argument: "novelty_threshold",
                found: self.threshold.to_string(),
                expected: "give a number from 0 to 1",
            });
        }
        if !(1..=1_000).contains(&self.n_memories) {
            return Err(Error::OutOfRange {
                argument: "novelty_memories",
                found: self.n_memories.to_string(),
                expected: "give 1 to 1,000",
            });
        }
        Ok(())
    }
}

impl Default for Novelty {
    fn default() -> Self {
        Self {
            threshold: 0.9,
            n_memories: 20,
        }
    }
}

/// What a memory is found and ranked by beside its vector and its words as they stand. Each can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// A word of the question finds its other forms too (English).
    pub stems: bool,
    /// `the`, `what` and their like (English) are passed over in the question.
    pub skips_stop_words: bool,
    /// A word of the question is also found in who said it.
    pub source_words: bool,
    /// What a memory gains when the question names who said it, 0 to 10; a perfect match by words and by meaning is 1.
    pub source_weight: f64,
    /// What a perfect match gives to the memory that was remembered after it, 0 to 10.
    pub context_weight: f64,
    /// What a memory gains that is of a time which the question speaks of ("last Friday"; English), 0 to 10.
    pub time_weight: f64,
    /// What a memory gains that speaks of an entity which the question names, 0 to 10.
    pub entity_weight: f64,
    /// By what part of its score the greatest importance lifts a memory, and the least lowers it, 0 to 1.
    pub importance_weight: f64,
    /// By what part of its score a memory of this moment is lifted, 0 to 1; one of 30 days ago by half of that.
    pub recency_weight: f64,
    /// How much likeness to the hits above it takes from a hit, 0 to 1 (maximal marginal relevance).
    pub diversity_weight: f64,
}

impl Ranking {
    /// Nothing but vectors and words as they stand.
    pub const PLAIN: Self = Self {
        stems: false,
        skips_stop_words: false,
        source_words: false,
        source_weight: 0.0,
        context_weight: 0.0,
        time_weight: 0.0,
        entity_weight: 0.0,
        importance_weight: 0.0,
        recency_weight: 0.0,
        diversity_weight: 0.0,
    };

    fn check(&self) -> Result<(), Error> {
        let refused = |argument, weight: f64, expected| {
            Err(Error::OutOfRange {
                argument,
                found: weight.to_string(),
                expected,
            })
        };
        let weights = [
            ("source_weight", self.source_weight),
            ("context_weight", self.context_weight),
            ("time_weight", self.time_weight),
            ("entity_weight", self.entity_weight),
        ];
        for (argument, weight) in weights {
            if !(0.0..=10.0).contains(&weight) {
                return refused(argument, weight, "give a number from 0 to 10");
            }
        }
        let parts = [
            ("importance_weight", self.importance_weight),
            ("recency_weight", self.recency_weight),
            ("diversity_weight", self.diversity_weight),
        ];
        for (argument, part) in parts {
            if !(0.0..=1.0).contains(&part) {
                return refused(argument, part, "give a number from 0 to 1");
            }
        }
        Ok(())
    }
}

impl Default for Ranking {
    fn default() -> Self {
        Self {
            stems: true,
            skips_stop_words: true,
            source_words: true,
            source_weight: 0.5,
            context_weight: 0.4,
            time_weight: 0.5,
            entity_weight: 0.2,
            importance_weight: 0.2,
            recency_weight: 0.0,
            diversity_weight: 0.0,
        }
    }
}

/// How vector and keyword scores become one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Fusion {
    /// Each list scaled to 0..1 by its least and greatest score, then a weighted sum.
    MinMax {
        /// Weight of the vector score.
        vector_weight: f64,
        /// Weight of the keyword score.
        keyword_weight: f64,
    },
    /// Reciprocal rank fusion: the sum of 1 / (`k` + rank).
    Rrf {
        /// Damping of the first ranks; usually 60.
        k: f64,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            fusion: Fusion::MinMax {
                vector_weight: 0.4,
                keyword_weight: 0.6,
            },
            ranking: Ranking::default(),
            n_candidates: 200,
            recall_limit: 10,
            recall_tokens_max: 2_000,
            similar_threshold: 0.85,
            novelty: Novelty::default(),
        }
    }
}

impl Settings {
    /// Checks every value's range, as [`Memory::open`](crate::Memory::open) does.
    ///
    /// # Errors
    /// The first value that is out of range, and what is taken.
    pub fn check(&self) -> Result<(), Error> {
        let refused = |argument, found: String, expected| {
            Err(Error::OutOfRange {
                argument,
                found,
                expected,
            })
        };
        match self.fusion {
            Fusion::MinMax {
                vector_weight,
                keyword_weight,
            } => {
                let range = 0.0..=f64::MAX;
                if !range.contains(&vector_weight) || !range.contains(&keyword_weight) {
                    let found = format!("{vector_weight} and {keyword_weight}");
                    return refused("fusion weights", found, "give numbers from 0");
                }
                let whole = vector_weight + keyword_weight;
                if whole <= 0.0 || !whole.is_finite() {
                    return refused(
                        "fusion weights",
                        whole.to_string(),
                        "give weights with a finite sum above 0",
                    );
                }
            }
            Fusion::Rrf { k } => {
                if !(0.0..=f64::MAX).contains(&k) {
                    return refused("fusion k", k.to_string(), "give a number from 0");
                }
            }
        }
        self.ranking.check()?;
        self.novelty.check()?;
        if !(1..=10_000).contains(&self.n_candidates) {
            return refused(
                "n_candidates",
                self.n_candidates.to_string(),
                "give 1 to 10,000",
            );
        }
        if !(1..=100).contains(&self.recall_limit) {
            return refused(
                "recall_limit",
                self.recall_limit.to_string(),
                "give 1 to 100",
            );
        }
        if !(100..=100_000).contains(&self.recall_tokens_max) {
            let found = self.recall_tokens_max.to_string();
            return refused("recall_tokens_max", found, "give 100 to 100,000");
        }
        if !(0.0..=1.0).contains(&self.similar_threshold) {
            let found = self.similar_threshold.to_string();
            return refused("similar_threshold", found, "give a number from 0 to 1");
        }
        Ok(())
    }
}
