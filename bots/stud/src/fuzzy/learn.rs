//! Learning of tendency values from how far estimates were off.

use crate::fuzzy::config::{Config, Sets};
use crate::fuzzy::infer::{RULES, Tendencies};
use crate::fuzzy::sets::{Triangle, centroid};
use std::collections::VecDeque;

/// How much a tendency should change after one estimate, -10 to 10, by table 3: up where the hand
/// was better than estimated, down where it was worse. Both strengths from -1 to 1.
#[must_use]
pub fn modification(estimated: f64, actual: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 2]; 2] = [[ZERO, POSITIVE], [NEGATIVE, ZERO]];
    let degrees = |x: f64| {
        sets.strength
            .map(|set: Triangle| set.degree(x.clamp(-1.0, 1.0)))
    };
    rules(&RULES, &degrees(estimated), &degrees(actual), sets)
}

/// How much a tendency does change, by table 4, from the mean of its newest modifications and the
/// newest alone.
#[must_use]
pub fn change(mean: f64, newest: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 3]; 3] = [
        [NEGATIVE, NEGATIVE, ZERO],
        [NEGATIVE, ZERO, POSITIVE],
        [ZERO, POSITIVE, POSITIVE],
    ];
    let degrees = |x: f64| {
        sets.modification
            .map(|set: Triangle| set.degree(x.clamp(-10.0, 10.0)))
    };
    rules(&RULES, &degrees(mean), &degrees(newest), sets)
}

const NEGATIVE: usize = 0;
const ZERO: usize = 1;
const POSITIVE: usize = 2;

/// Mamdani's method for two inputs; 0 where no rule fires.
fn rules<const N: usize>(
    rules: &[[usize; N]; N],
    first: &[f64; N],
    second: &[f64; N],
    sets: &Sets,
) -> f64 {
    let mut outputs = sets.modification.map(|set| (set, 0.0));
    for (first, rules) in first.iter().zip(rules) {
        for (second, &output) in second.iter().zip(rules) {
            let height: &mut f64 = &mut outputs[output].1;
            *height = height.max(first.min(*second));
        }
    }
    centroid(&outputs).unwrap_or(0.0)
}

/// Tendency values with what they are learnt from.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// The tendencies.
    pub tendencies: Tendencies,
    /// The newest modifications of each, oldest first.
    history: [VecDeque<f64>; RULES],
}

impl Learner {
    /// All tendencies at their first value.
    #[must_use]
    pub fn new(config: &Config) -> Learner {
        Learner {
            tendencies: Tendencies([config.tendency; RULES]),
            history: Default::default(),
        }
    }

    /// Learns from one estimate made by `rule`. The mean is of the newest [`Config::history`]
    /// modifications, or of those there are. Tendencies stay within 0 to 100.
    ///
    /// # Panics
    /// There is no such rule.
    pub fn learn(&mut self, rule: usize, estimated: f64, actual: f64, config: &Config) {
        let newest = modification(estimated, actual, &config.sets);
        let history = &mut self.history[rule];
        history.push_back(newest);
        while config.history < history.len() {
            history.pop_front();
        }
        #[expect(clippy::cast_precision_loss, reason = "a few")]
        let mean = history.iter().sum::<f64>() / history.len() as f64;
        let tendency = &mut self.tendencies.0[rule];
        *tendency = (*tendency + change(mean, newest, &config.sets)).clamp(0.0, 100.0);
    }
}
