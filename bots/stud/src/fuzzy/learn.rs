//! Learning of tendency values from the errors of estimates.

use crate::fuzzy::config::{Config, Sets};
use crate::fuzzy::infer::{RULES, Tendencies};
use crate::fuzzy::sets::{Triangle, apply_rules};
use std::collections::VecDeque;

/// Returns the suggested change of a tendency, -10 to 10, after one estimate, by table 3 of the
/// paper. It is positive if the actual strength was higher than the estimated one. Both strengths
/// are from -1 to 1.
pub fn modification(estimated: f64, actual: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 2]; 2] = [[ZERO, POSITIVE], [NEGATIVE, ZERO]];
    let [estimated, actual] = [estimated, actual].map(|x| degrees(sets.strength, x, 1.0));
    apply_rules(&RULES, estimated, actual, sets.modification)
}

/// Returns the change of a tendency, by table 4 of the paper, from the mean of the latest
/// modifications and the newest of them.
pub fn change(mean: f64, newest: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 3]; 3] = [
        [NEGATIVE, NEGATIVE, ZERO],
        [NEGATIVE, ZERO, POSITIVE],
        [ZERO, POSITIVE, POSITIVE],
    ];
    let [mean, newest] = [mean, newest].map(|x| degrees(sets.modification, x, 10.0));
    apply_rules(&RULES, mean, newest, sets.modification)
}

const NEGATIVE: usize = 0;
const ZERO: usize = 1;
const POSITIVE: usize = 2;

/// Returns the membership degrees of `x`, limited to the range from `-limit` to `limit`.
fn degrees<const N: usize>(sets: [Triangle; N], x: f64, limit: f64) -> [f64; N] {
    sets.map(|set| set.degree(x.clamp(-limit, limit)))
}

/// Tendency values, and the modifications from which they are learned.
#[derive(Debug)]
pub struct Learner {
    /// Current value of each tendency.
    pub tendencies: Tendencies,
    /// Latest modifications of each tendency, the oldest first.
    history: [VecDeque<f64>; RULES],
}

impl Learner {
    /// Creates a learner in which all tendencies have the initial value of the settings.
    pub fn new(config: &Config) -> Learner {
        Learner {
            tendencies: Tendencies([config.tendency; RULES]),
            history: Default::default(),
        }
    }

    /// Changes the tendency of `rule` after one estimate, by the mean of its latest
    /// [`Config::history`] modifications (of all if there are fewer). Tendencies stay within 0 to
    /// 100.
    ///
    /// # Panics
    /// Panics if `rule` is not the index of a rule.
    pub fn learn(&mut self, rule: usize, estimated: f64, actual: f64, config: &Config) {
        let newest = modification(estimated, actual, &config.sets);
        let history = &mut self.history[rule];
        history.push_back(newest);
        while config.history < history.len() {
            history.pop_front();
        }
        let mean = history.iter().sum::<f64>() / history.len() as f64;
        let tendency = &mut self.tendencies.0[rule];
        *tendency = (*tendency + change(mean, newest, &config.sets)).clamp(0.0, 100.0);
    }
}
