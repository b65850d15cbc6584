//! Selection of the best action, if all actions can be tried under the same circumstances. Actions
//! are compared try by try, so common luck cancels. Actions that are unlikely to be best are
//! dropped.

use crate::normal::{expected_excess, upper_tail};
use libm::sqrt;

/// A comparison of actions that are tried together.
#[derive(Clone, Debug, Default)]
pub struct Race {
    /// Total reward of each action.
    totals: Vec<f64>,
    /// The constant that is added to the mean reward of each action.
    leads: Vec<f64>,
    /// Sums of the squared differences of rewards for each pair of actions.
    squares: Vec<f64>,
    /// Actions that are still tried, in order.
    open: Vec<usize>,
    laps: u32,
}

/// Minimum number of laps before an action is dropped. A lap is one try of each open action.
const LAPS_MIN: u32 = 24;
/// Maximum probability that a dropped action is better than the best one.
const DROP_PROBABILITY_MAX: f64 = 0.005;

impl Race {
    /// Discards all results and starts with one action per element of `leads`. The element is a
    /// constant that is added to the mean reward of the action.
    pub fn reset(&mut self, leads: impl IntoIterator<Item = f64>) {
        self.leads.clear();
        self.leads.extend(leads);
        let count = self.leads.len();
        self.totals.clear();
        self.totals.resize(count, 0.0);
        self.open.clear();
        self.open.extend(0..count);
        self.squares.clear();
        self.squares.resize(count * count, 0.0);
        self.laps = 0;
    }

    /// Returns the actions that are still tried.
    #[must_use]
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// Adds the rewards of one try of each open action, in order, each from 0 to 1.
    pub fn lap(&mut self, rewards: &[f64]) {
        let count = self.leads.len();
        self.laps += 1;
        for (&one, &reward) in self.open.iter().zip(rewards) {
            self.totals[one] += reward;
            for (&other, &against) in self.open.iter().zip(rewards) {
                self.squares[one * count + other] += (reward - against) * (reward - against);
            }
        }
    }

    /// Returns the open action with the best result, or 0 if there are none.
    #[must_use]
    pub fn best(&self) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for &runner in &self.open {
            let worth = self.mean_with_lead(runner);
            if worth > best.1 {
                best = (runner, worth);
            }
        }
        best.0
    }

    /// Drops actions that are unlikely to be best. Returns an upper bound of the expected loss from
    /// choosing the best action so far, or infinity before `LAPS_MIN` laps.
    pub fn drop_unlikely(&mut self) -> f64 {
        if self.laps < LAPS_MIN {
            return f64::INFINITY;
        }
        let best = self.best();
        let mut regret = 0.0;
        let mut open = std::mem::take(&mut self.open);
        open.retain(|&runner| {
            if runner == best {
                return true;
            }
            let (behind, spread) = (
                self.mean_with_lead(best) - self.mean_with_lead(runner),
                self.standard_error(best, runner),
            );
            if upper_tail(behind / spread) < DROP_PROBABILITY_MAX {
                return false;
            }
            regret += spread * expected_excess(behind / spread);
            true
        });
        self.open = open;
        regret
    }

    fn mean_with_lead(&self, runner: usize) -> f64 {
        self.totals[runner] / f64::from(self.laps.max(1)) + self.leads[runner]
    }

    /// Returns the standard error of the difference of two means. One additional try with the
    /// maximum difference is assumed, so that a few equal results do not count as certainty.
    fn standard_error(&self, one: usize, other: usize) -> f64 {
        let laps = f64::from(self.laps) + 1.0;
        let mean = (self.totals[one] - self.totals[other]) / laps;
        let squares = (self.squares[one * self.leads.len() + other] + 1.0) / laps;
        sqrt((squares - mean * mean).max(0.0) / laps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consistently_better_action_is_found_despite_common_luck() {
        let mut race = Race::default();
        race.reset([0.0; 3]);
        // Luck changes all three rewards equally and strongly; the second action is ahead by 0.01.
        for lap in 0..40 {
            let luck = if lap % 2 == 0 { 0.1 } else { 0.9 };
            let rewards: Vec<f64> = race
                .open()
                .iter()
                .map(|&one| luck + [0.0, 0.01, -0.5][one])
                .collect();
            race.lap(&rewards);
            race.drop_unlikely();
        }
        assert_eq!(
            (race.best(), race.open()),
            (1, [0, 1].as_slice()),
            "the third is out of it"
        );
        for _ in 0..2000 {
            let rewards: Vec<f64> = race.open().iter().map(|&one| [0.5, 0.51][one]).collect();
            race.lap(&rewards);
        }
        let regret = race.drop_unlikely();
        assert_eq!(race.open(), [1]);
        assert_eq!(regret, 0.0);
    }

    #[test]
    fn prior_values_decide_between_equal_actions() {
        let mut race = Race::default();
        race.reset([0.0, 0.02]);
        assert_eq!(race.best(), 1);
        race.lap(&[0.5, 0.5]);
        assert_eq!(race.best(), 1);
        race.lap(&[0.6, 0.5]);
        assert_eq!(race.best(), 0);
        race.reset([]);
        assert_eq!((race.best(), race.open().len()), (0, 0));
    }
}
