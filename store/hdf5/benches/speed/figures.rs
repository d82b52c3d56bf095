//! Times of repeats, and what is said of them.

use std::fmt;

/// One median for each round.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    medians_ns: Vec<f64>,
}

/// The median of the rounds, and how far they lie apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    median_ns: f64,
    /// From the least median to the greatest.
    spread_ns: (f64, f64),
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

impl Figures {
    /// Adds a round: the times of its repeats.
    pub(crate) fn add_round(&mut self, mut times_ns: Vec<f64>) {
        self.medians_ns.push(median(&mut times_ns));
    }

    /// How much slower `other` was, round for round, so that what disturbs both is left out: the
    /// median, the least and the greatest.
    pub(crate) fn ratios_of(&self, other: &Self) -> Option<[f64; 3]> {
        let rounds = other.medians_ns.iter().zip(&self.medians_ns);
        let mut ratios: Vec<_> = rounds.map(|(other, own)| other / own).collect();
        if ratios.is_empty() {
            return None;
        }
        let median = median(&mut ratios);
        Some([median, ratios[0], ratios[ratios.len() - 1]])
    }

    /// None before the first round.
    pub(crate) fn measured(&self) -> Option<Measured> {
        let mut medians = self.medians_ns.clone();
        if medians.is_empty() {
            return None;
        }
        let median_ns = median(&mut medians);
        Some(Measured {
            median_ns,
            spread_ns: (medians[0], medians[medians.len() - 1]),
        })
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = if self.median_ns < 1e6 {
            (1e3, "us")
        } else {
            (1e6, "ms")
        };
        let (min, max) = self.spread_ns;
        let [median, min, max] = [self.median_ns, min, max].map(|it| it / unit);
        write!(f, "{median:.1} {name} ({min:.1} to {max:.1})")
    }
}
