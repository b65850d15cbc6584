//! Selection of the next action to try with UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time
//! Analysis of the Multiarmed Bandit Problem").

use crate::normal::expected_excess;
use libm::{log, sqrt};

/// The results of tries, for example of one action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trials {
    /// Number of tries.
    pub count: u32,
    /// Sum of the points.
    pub total: f64,
    /// Sum of the squared points.
    pub squares: f64,
}

impl Trials {
    /// Adds the points of a try.
    pub fn add(&mut self, points: f64) {
        self.count += 1;
        self.total += points;
        self.squares += points * points;
    }

    /// Returns the mean points, or 0 before the first try.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.total / f64::from(self.count)
        }
    }

    /// Returns an unbiased estimate of the variance of the mean: the variance of one try divided by
    /// the number of tries. Returns `None` for fewer than two tries.
    #[must_use]
    pub fn variance_of_mean(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        let count = f64::from(self.count);
        let deviations = self.squares - self.total * self.total / count;
        Some(deviations.max(0.0) / (count - 1.0) / count)
    }

    /// Returns the variance of the mean of rewards from 0 to 1. Two additional tries with the
    /// rewards 0 and 1 are assumed, so that a few equal rewards do not count as certainty.
    fn cautious_variance(&self) -> f64 {
        let count = f64::from(self.count) + 2.0;
        let mean = (self.total + 1.0) / count;
        ((self.squares + 1.0) / count - mean * mean).max(0.0) / count
    }
}

/// A choice between actions with unknown mean rewards.
#[derive(Clone, Debug, Default)]
pub struct Bandit {
    arms: Vec<Trials>,
    tries: u32,
}

impl Bandit {
    /// Discards all results and starts with `arms` actions.
    pub fn reset(&mut self, arms: usize) {
        self.arms.clear();
        self.arms.resize(arms, Trials::default());
        self.tries = 0;
    }

    /// Returns the next action to try. Each action is tried once, in order. Then the first action
    /// with the largest mean + `c` sqrt(2 ln n / tries) is chosen, where n is the total number of
    /// tries. Returns 0 if there are no actions.
    #[must_use]
    pub fn choose(&self, c: f64) -> usize {
        if let Some(untried) = self.arms.iter().position(|arm| arm.count == 0) {
            return untried;
        }
        let spread = 2.0 * log(f64::from(self.tries));
        self.largest(|arm| arm.mean() + c * sqrt(spread / f64::from(arm.count)))
    }

    /// Adds the reward of a try, from 0 to 1.
    pub fn reward(&mut self, arm: usize, reward: f64) {
        self.arms[arm].add(reward);
        self.tries += 1;
    }

    /// Returns an upper bound of the expected loss from choosing the best action so far: the sum of
    /// its expected deficits to all other actions, tried or not. The differences are assumed to
    /// have normal distributions.
    #[must_use]
    pub fn regret(&self) -> f64 {
        let best = self.best();
        let Some(first) = self.arms.get(best) else {
            return 0.0;
        };
        let other = |(index, arm): (usize, &Trials)| {
            if index == best {
                return 0.0;
            }
            let spread = sqrt(first.cautious_variance() + arm.cautious_variance());
            let behind = (first.mean() - arm.mean()) / spread;
            spread * expected_excess(behind)
        };
        self.arms.iter().enumerate().map(other).sum()
    }

    /// Returns the action with the most tries; of equal ones, the one with the largest mean.
    #[must_use]
    pub fn best(&self) -> usize {
        self.largest(|arm| f64::from(arm.count) + 0.5 * arm.mean())
    }

    /// Returns the results of the actions.
    #[must_use]
    pub fn arms(&self) -> &[Trials] {
        &self.arms
    }

    /// Returns the total number of tries.
    #[must_use]
    pub fn tries(&self) -> u32 {
        self.tries
    }

    fn largest(&self, worth: impl Fn(&Trials) -> f64) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, arm) in self.arms.iter().enumerate() {
            let worth = worth(arm);
            if worth > best.1 {
                best = (index, worth);
            }
        }
        best.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_match_the_textbook_formulas() {
        let mut trials = Trials::default();
        assert_eq!((trials.mean(), trials.variance_of_mean()), (0.0, None));
        for points in [1.0, 2.0, 3.0, 4.0] {
            trials.add(points);
        }
        // The sample variance is 5/3, divided by four.
        assert_eq!(trials.mean(), 2.5);
        assert!((trials.variance_of_mean().unwrap() - 5.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn every_action_is_tried_once_and_better_actions_more_often() {
        let mut bandit = Bandit::default();
        bandit.reset(3);
        let worth = [0.2, 0.8, 0.5];
        let mut first = Vec::new();
        for turn in 0..300 {
            let arm = bandit.choose(0.5);
            if turn < 3 {
                first.push(arm);
            }
            bandit.reward(arm, worth[arm]);
        }
        assert_eq!(first, [0, 1, 2]);
        let tries: Vec<u32> = bandit.arms().iter().map(|arm| arm.count).collect();
        assert!(tries[1] > tries[2] && tries[2] > tries[0], "{tries:?}");
        assert_eq!((bandit.best(), bandit.tries()), (1, 300));
    }

    /// Means 0.6 and 0.5 after 5 and 2 tries give 0.6 + sqrt(2 ln 7 / 5) = 1.482 and 0.5 + sqrt(2
    /// ln 7 / 2) = 1.895.
    #[test]
    fn the_upper_bound_matches_the_formula_of_the_paper() {
        let mut bandit = Bandit::default();
        bandit.reset(2);
        for (arm, reward) in [(0, 0.6), (1, 0.5)] {
            (0..if arm == 0 { 5 } else { 2 }).for_each(|_| bandit.reward(arm, reward));
        }
        assert_eq!(bandit.choose(1.0), 1);
        // The bounds are equal if 0.1 = c (1.395 - 0.882).
        assert_eq!((bandit.choose(0.19), bandit.choose(0.20)), (0, 1));
    }

    #[test]
    fn regret_decreases_with_the_number_of_tries() {
        let mut bandit = Bandit::default();
        bandit.reset(2);
        let mut last = f64::INFINITY;
        for tries in [10, 40, 160, 640] {
            while bandit.tries() < tries {
                // Means 0.6 and 0.5 with maximum variance.
                let arm = (bandit.tries() % 2) as usize;
                let done = bandit.arms()[arm].count;
                let of_ten = if arm == 0 { 6 } else { 5 };
                bandit.reward(arm, if done * 7 % 10 < of_ten { 1.0 } else { 0.0 });
            }
            let regret = bandit.regret();
            assert!(
                regret < last && regret > 0.0,
                "{tries}: {regret} after {last}"
            );
            last = regret;
        }
        // A difference of 0.1 with standard error 0.039: E max(0, N(-0.1, 0.039)) = 0.00004.
        assert!(last < 1e-4, "{last}");
        bandit.reset(1);
        bandit.reward(0, 0.5);
        assert_eq!(bandit.regret(), 0.0);
    }

    #[test]
    fn an_empty_bandit_returns_index_0() {
        let bandit = Bandit::default();
        assert_eq!((bandit.choose(1.0), bandit.best()), (0, 0));
    }
}
