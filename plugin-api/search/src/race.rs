//! Which of several actions is best, where all can be tried in the same circumstances: they are
//! compared try by try, so that what is luck to all of them alike does not count, and those that
//! are out of it are tried no more.

use crate::normal::{expected_above, upper_tail};
use libm::sqrt;

/// A comparison of actions that are tried together, try by try.
#[derive(Clone, Debug, Default)]
pub struct Race {
    /// What each action has brought in all, and what it starts with.
    runners: Vec<Runner>,
    /// Sums of the squares of differences, of each runner to each.
    squares: Vec<f64>,
    /// Those still tried, in their order.
    open: Vec<usize>,
    laps: u32,
}

#[derive(Clone, Copy, Debug)]
struct Runner {
    total: f64,
    lead: f64,
}

/// Laps before anybody is out of it.
const LAPS_MIN: u32 = 24;
/// How likely a runner may be ahead in truth to be dropped all the same.
const DROPPED: f64 = 0.005;

impl Race {
    /// Forgets everything; the actions start with so much on their mean rewards.
    pub fn reset(&mut self, leads: impl IntoIterator<Item = f64>) {
        self.runners.clear();
        self.runners
            .extend(leads.into_iter().map(|lead| Runner { total: 0.0, lead }));
        self.open.clear();
        self.open.extend(0..self.runners.len());
        self.squares.clear();
        self.squares
            .resize(self.runners.len() * self.runners.len(), 0.0);
        self.laps = 0;
    }

    /// Those still to be tried.
    #[must_use]
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// Notes what a try of each of the open actions brought, in their order, numbers in [0, 1].
    pub fn lap(&mut self, rewards: &[f64]) {
        let count = self.runners.len();
        self.laps += 1;
        for (&one, &reward) in self.open.iter().zip(rewards) {
            self.runners[one].total += reward;
            for (&other, &against) in self.open.iter().zip(rewards) {
                self.squares[one * count + other] += (reward - against) * (reward - against);
            }
        }
    }

    /// The action that is ahead, of all that are open; 0 where there are none.
    #[must_use]
    pub fn best(&self) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for &runner in &self.open {
            let worth = self.worth(runner);
            if worth > best.1 {
                best = (runner, worth);
            }
        }
        best.0
    }

    /// Drops those that are hardly the best, and says what the one that is ahead is expected to
    /// lose against whichever is best in truth, at most.
    pub fn settle(&mut self) -> f64 {
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
                self.worth(best) - self.worth(runner),
                self.spread(best, runner),
            );
            if upper_tail(behind / spread) < DROPPED {
                return false;
            }
            regret += spread * expected_above(behind / spread);
            true
        });
        self.open = open;
        regret
    }

    fn worth(&self, runner: usize) -> f64 {
        let Runner { total, lead } = self.runners[runner];
        total / f64::from(self.laps.max(1)) + lead
    }

    /// Standard error of the difference of two means; as if one more try had differed by the whole
    /// range, so that few tries alike are not taken for certainty.
    fn spread(&self, one: usize, other: usize) -> f64 {
        let laps = f64::from(self.laps) + 1.0;
        let mean = (self.runners[one].total - self.runners[other].total) / laps;
        let squares = (self.squares[one * self.runners.len() + other] + 1.0) / laps;
        sqrt((squares - mean * mean).max(0.0) / laps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_always_a_little_better_is_told_apart_from_luck() {
        let mut race = Race::default();
        race.reset([0.0; 3]);
        // Luck moves all three alike and far; the second is ahead by a hundredth.
        for lap in 0..40 {
            let luck = if lap % 2 == 0 { 0.1 } else { 0.9 };
            let rewards: Vec<f64> = race
                .open()
                .iter()
                .map(|&one| luck + [0.0, 0.01, -0.5][one])
                .collect();
            race.lap(&rewards);
            race.settle();
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
        let regret = race.settle();
        assert_eq!(race.open(), [1]);
        assert_eq!(regret, 0.0);
    }

    #[test]
    fn what_an_action_starts_with_decides_between_equals() {
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
