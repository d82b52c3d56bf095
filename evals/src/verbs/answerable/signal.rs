//! How well a confidence tells what is answered from what is not. Knows no memory.

use super::{Asked, AskedOf};

const N_BINS: u32 = 5;

/// The confidences of questions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Signal {
    /// Of those that are answered, sorted.
    answered: Vec<f64>,
    /// Of all others, sorted.
    unanswered: Vec<f64>,
    /// Of the abstention questions among the others.
    abstentions: Vec<f64>,
}

/// Questions of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bin {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) n_asked: usize,
    pub(super) mean: f64,
    /// The share that is answered.
    pub(super) answered: f64,
}

impl Signal {
    /// Of the questions that `is_wanted` picks.
    pub(super) fn of(asked: &[Asked], is_wanted: impl Fn(&Asked) -> bool) -> Self {
        let confidences = |holds: &dyn Fn(AskedOf) -> bool| {
            let wanted = asked.iter().filter(|it| is_wanted(it) && holds(it.of));
            let mut confidences: Vec<f64> = wanted.map(|it| it.confidence).collect();
            confidences.sort_by(f64::total_cmp);
            confidences
        };
        Self {
            answered: confidences(&|of| of == AskedOf::Own),
            unanswered: confidences(&|of| of != AskedOf::Own),
            abstentions: confidences(&|of| of == AskedOf::Abstention),
        }
    }

    pub(super) fn n_asked(&self) -> usize {
        self.answered.len() + self.unanswered.len()
    }

    /// The chance that an answered question has the greater confidence; ties count half.
    pub(super) fn auc(&self) -> f64 {
        let wins = self.answered.iter().map(|confidence| {
            let n_less = self.unanswered.partition_point(|it| it < confidence);
            let n_not_more = self.unanswered.partition_point(|it| it <= confidence);
            f64::midpoint(real(n_less), real(n_not_more))
        });
        wins.sum::<f64>() / (real(self.answered.len()) * real(self.unanswered.len()))
    }

    /// Of what is below `threshold` the share that is not answered.
    pub(super) fn precision(&self, threshold: f64) -> f64 {
        let (right, wrong) = (
            below(&self.unanswered, threshold),
            below(&self.answered, threshold),
        );
        right / (right + wrong)
    }

    /// Of what is not answered the share below `threshold`.
    pub(super) fn recall(&self, threshold: f64) -> f64 {
        below(&self.unanswered, threshold) / real(self.unanswered.len())
    }

    /// As [`Self::recall`], of the abstention questions alone.
    pub(super) fn recall_of_abstentions(&self, threshold: f64) -> f64 {
        below(&self.abstentions, threshold) / real(self.abstentions.len())
    }

    /// Questions by their confidence. Empty bins are left out.
    pub(super) fn bins(&self) -> Vec<Bin> {
        let edge = |bin: u32| f64::from(bin) / f64::from(N_BINS);
        let bins = (0..N_BINS).map(|bin| {
            let (from, to) = (edge(bin), edge(bin + 1));
            let is_last = bin + 1 == N_BINS;
            let within = |it: &&f64| **it >= from && (**it < to || is_last);
            let answered: Vec<f64> = self.answered.iter().filter(within).copied().collect();
            let others: Vec<f64> = self.unanswered.iter().filter(within).copied().collect();
            let n_asked = answered.len() + others.len();
            let sum: f64 = answered.iter().chain(&others).sum();
            Bin {
                from,
                to,
                n_asked,
                mean: sum / real(n_asked),
                answered: real(answered.len()) / real(n_asked),
            }
        });
        bins.filter(|bin| bin.n_asked > 0).collect()
    }
}

/// How many are below.
fn below(sorted: &[f64], threshold: f64) -> f64 {
    real(sorted.partition_point(|it| *it < threshold))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of questions are far below 2^52"
)]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    //! Figures by hand.

    use super::{Asked, AskedOf, Bin, Signal};

    fn asked(of: AskedOf, confidence: f64) -> Asked {
        Asked {
            set: "a set".to_owned(),
            id: String::new(),
            of,
            confidence,
        }
    }

    fn signal() -> Signal {
        let all = [
            asked(AskedOf::Own, 0.9),
            asked(AskedOf::Own, 0.5),
            asked(AskedOf::Own, 0.1),
            asked(AskedOf::Other, 0.5),
            asked(AskedOf::Other, 0.2),
            asked(AskedOf::Abstention, 0.05),
            asked(AskedOf::Abstention, 1.0),
        ];
        Signal::of(&all, |_| true)
    }

    #[test]
    fn figures_are_those_of_the_definitions() {
        let signal = signal();
        assert_eq!(signal.n_asked(), 7);
        // .9 is above three of four, .5 above two and a half, .1 above one.
        assert!((signal.auc() - 6.5 / 12.0).abs() < 1e-12);
        assert!((signal.precision(0.3) - 2.0 / 3.0).abs() < 1e-12);
        assert!((signal.recall(0.3) - 0.5).abs() < 1e-12);
        assert!((signal.recall_of_abstentions(0.3) - 0.5).abs() < 1e-12);
        assert!(
            (signal.recall(0.2) - 0.25).abs() < 1e-12,
            "0.2 is not below itself"
        );
    }

    #[test]
    fn each_question_is_in_one_bin() {
        let bins = signal().bins();
        let n_asked: Vec<usize> = bins.iter().map(|bin| bin.n_asked).collect();
        assert_eq!(n_asked, [2, 1, 2, 2]);
        let last = Bin {
            from: 0.8,
            to: 1.0,
            n_asked: 2,
            mean: 0.95,
            answered: 0.5,
        };
        assert_eq!(bins.last(), Some(&last));
    }
}
