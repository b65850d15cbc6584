//! Which of several actions to try next: UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed
//! Bandit Problem").

use libm::{log, sqrt};

/// What is known of one action.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arm {
    /// How often it was tried.
    pub tries: u32,
    /// What it brought in all; each reward is in [0, 1].
    pub total: f64,
}

impl Arm {
    /// What it brought on average, 0 before the first try.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.tries == 0 { 0.0 } else { self.total / f64::from(self.tries) }
    }
}

/// A choice between actions of unknown worth.
#[derive(Clone, Debug, Default)]
pub struct Bandit {
    arms: Vec<Arm>,
    tries: u32,
}

impl Bandit {
    /// Forgets everything and takes `arms` actions.
    pub fn reset(&mut self, arms: usize) {
        self.arms.clear();
        self.arms.resize(arms, Arm::default());
        self.tries = 0;
    }

    /// The action to try next: each once in their order, then the one of the largest mean + `c` sqrt(2 ln n / tries), n
    /// being all tries; the first of several. 0 where there are no actions.
    #[must_use]
    pub fn choose(&self, c: f64) -> usize {
        if let Some(untried) = self.arms.iter().position(|arm| arm.tries == 0) {
            return untried;
        }
        let spread = 2.0 * log(f64::from(self.tries));
        self.largest(|arm| arm.mean() + c * sqrt(spread / f64::from(arm.tries)))
    }

    /// Notes what a try of `arm` brought, a number in [0, 1].
    pub fn reward(&mut self, arm: usize, reward: f64) {
        let arm = &mut self.arms[arm];
        arm.tries += 1;
        arm.total += reward;
        self.tries += 1;
    }

    /// The action tried most often, of several such the one of the largest mean: where the trying has led to.
    #[must_use]
    pub fn best(&self) -> usize {
        self.largest(|arm| f64::from(arm.tries) + 0.5 * arm.mean())
    }

    /// What is known of the actions.
    #[must_use]
    pub fn arms(&self) -> &[Arm] {
        &self.arms
    }

    /// Tries in all.
    #[must_use]
    pub fn tries(&self) -> u32 {
        self.tries
    }

    fn largest(&self, worth: impl Fn(&Arm) -> f64) -> usize {
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
    fn every_action_is_tried_then_the_better_ones_more() {
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
        let tries: Vec<u32> = bandit.arms().iter().map(|arm| arm.tries).collect();
        assert!(tries[1] > tries[2] && tries[2] > tries[0], "{tries:?}");
        assert_eq!((bandit.best(), bandit.tries()), (1, 300));
    }

    /// After 5 and 2 tries of means 0.6 and 0.5: 0.6 + sqrt(2 ln 7 / 5) = 1.482 and 0.5 + sqrt(2 ln 7 / 2) = 1.895.
    #[test]
    fn the_bound_is_that_of_the_paper() {
        let mut bandit = Bandit::default();
        bandit.reset(2);
        for (arm, reward) in [(0, 0.6), (1, 0.5)] {
            (0..if arm == 0 { 5 } else { 2 }).for_each(|_| bandit.reward(arm, reward));
        }
        assert_eq!(bandit.choose(1.0), 1);
        // The lines cross where 0.1 = c (1.395 - 0.882).
        assert_eq!((bandit.choose(0.19), bandit.choose(0.20)), (0, 1));
    }

    #[test]
    fn without_actions_nothing_breaks() {
        let bandit = Bandit::default();
        assert_eq!((bandit.choose(1.0), bandit.best()), (0, 0));
    }
}
