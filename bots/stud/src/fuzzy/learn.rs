//! Learning of tendency values from the errors of estimates.

use crate::fuzzy::config::{Config, Sets};
use crate::fuzzy::infer::{RULES, Tendencies};
use crate::fuzzy::sets::{Triangle, centroid};
use std::collections::VecDeque;

/// Returns the suggested change of a tendency, -10 to 10, after one estimate, by table 3 of the
/// paper. It is positive if the actual strength was higher than the estimated one. Both strengths
/// are from -1 to 1.
#[must_use]
pub fn modification(estimated: f64, actual: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 2]; 2] = [[ZERO, POSITIVE], [NEGATIVE, ZERO]];
    apply_rules(&RULES, sets.strength, 1.0, [estimated, actual], sets)
}

/// Returns the change of a tendency, by table 4 of the paper, from the mean of the latest
/// modifications and the newest of them.
#[must_use]
pub fn change(mean: f64, newest: f64, sets: &Sets) -> f64 {
    const RULES: [[usize; 3]; 3] = [
        [NEGATIVE, NEGATIVE, ZERO],
        [NEGATIVE, ZERO, POSITIVE],
        [ZERO, POSITIVE, POSITIVE],
    ];
    apply_rules(&RULES, sets.modification, 10.0, [mean, newest], sets)
}

const NEGATIVE: usize = 0;
const ZERO: usize = 1;
const POSITIVE: usize = 2;

/// Applies Mamdani's method to two inputs from `-limit` to `limit`, with the sets `input`. Returns 0
/// if no rule applies.
fn apply_rules<const N: usize>(
    rules: &[[usize; N]; N],
    input: [Triangle; N],
    limit: f64,
    values: [f64; 2],
    sets: &Sets,
) -> f64 {
    let [first, second] = values.map(|x| input.map(|set| set.degree(x.clamp(-limit, limit))));
    let mut outputs = sets.modification.map(|set| (set, 0.0));
    for (first, rules) in first.iter().zip(rules) {
        for (second, &output) in second.iter().zip(rules) {
            let height: &mut f64 = &mut outputs[output].1;
            *height = height.max(first.min(*second));
        }
    }
    centroid(&outputs).unwrap_or(0.0)
}

/// Tendency values, and the modifications from which they are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    /// Current value of each tendency.
    pub tendencies: Tendencies,
    /// Latest modifications of each tendency, the oldest first.
    history: [VecDeque<f64>; RULES],
}

impl Learner {
    /// Creates a learner in which all tendencies have the initial value of the settings.
    #[must_use]
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
