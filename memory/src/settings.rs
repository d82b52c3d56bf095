//! What the owner of a memory can choose. Each value's home is `configs/palimpsest.toml`.

/// The choices of this room.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// How vector and keyword scores become one.
    pub fusion: Fusion,
    /// Candidates taken from each index, 1 to 10,000.
    pub n_candidates: usize,
    /// Hits of a recall that names no limit, 1 to 100.
    pub recall_limit: usize,
    /// Tokens of a recall that names no budget, 100 to 100,000.
    pub recall_tokens_max: usize,
    /// From which cosine a memory is reported as similar, 0 to 1.
    pub similar_threshold: f32,
}

/// How vector and keyword scores become one.
#[derive(Debug, Clone, Copy, PartialEq)]
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
            n_candidates: 200,
            recall_limit: 10,
            recall_tokens_max: 2_000,
            similar_threshold: 0.85,
        }
    }
}
