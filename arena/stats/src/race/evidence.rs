//! Evidence for each pair of arms: the differences of their blocks, and the smallest levels at
//! which the differences have shown an order so far.

use crate::Untestable;
use crate::sequential::{OneSided, Running};
use std::cmp::Ordering;

/// The smallest levels so far at which an arm was shown to be better than the other arm of the
/// pair, or not much worse. Each number is ln of the level, or 0 if nothing was shown.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    /// ln of the level at which the arm was shown to be better.
    ahead: f64,
    /// ln of the level at which the arm was shown to be worse by at most the margin.
    not_behind: f64,
}

/// The data of a pair of arms.
#[derive(Debug, Clone, Default)]
struct Pair {
    /// Differences of the processed blocks: arm with the smaller index minus the other.
    differences: Running,
    /// Evidence for each arm, the one with the smaller index first.
    shown: [Shown; 2],
}

/// The scores of all arms, and the evidence for each pair.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub margin: f64,
    /// `pairs[b][a]` is the pair of `b` with an arm `a` of smaller index.
    pairs: Vec<Vec<Pair>>,
    /// Scores of each arm.
    arms: Vec<Running>,
}

impl Evidence {
    pub(super) fn new(arms: usize, margin: f64) -> Self {
        Self {
            margin,
            pairs: (0..arms).map(|b| vec![Pair::default(); b]).collect(),
            arms: vec![Running::default(); arms],
        }
    }

    /// Processes the blocks that a round has used, for all pairs of arms for which `is_asked` is
    /// true.
    pub(super) fn process_blocks(
        &mut self,
        scores: &[Vec<f64>],
        used: &[u32],
        bound: &OneSided,
        is_asked: impl Fn(usize) -> bool,
    ) -> Result<(), Untestable> {
        let used = |arm: usize| &scores[arm][..used[arm] as usize];
        for (arm, running) in self.arms.iter_mut().enumerate() {
            let new = &used(arm)[running.n..];
            new.iter().for_each(|&score| running.push(score));
        }
        for (b, row) in self.pairs.iter_mut().enumerate() {
            for (a, pair) in row.iter_mut().enumerate() {
                let known = pair.differences.n;
                let both = used(a).iter().zip(used(b)).skip(known);
                if is_asked(a) && is_asked(b) && 0 < both.len() {
                    both.for_each(|(x, y)| pair.differences.push(x - y));
                    pair.update(bound, self.margin)?;
                }
            }
        }
        Ok(())
    }

    /// Sets the evidence in a unit test: each statement is shown at every level, or at none.
    #[cfg(test)]
    pub(super) fn show(&mut self, a: usize, b: usize, ahead: bool, not_behind: bool) {
        let ln_p = |is_shown| if is_shown { f64::NEG_INFINITY } else { 0.0 };
        self.pairs[a.max(b)][a.min(b)].shown[usize::from(b < a)] = Shown {
            ahead: ln_p(ahead),
            not_behind: ln_p(not_behind),
        };
    }

    fn pair(&self, a: usize, b: usize) -> &Pair {
        &self.pairs[a.max(b)][a.min(b)]
    }

    fn shown(&self, a: usize, b: usize) -> Shown {
        self.pair(a, b).shown[usize::from(b < a)]
    }

    /// Returns `true` if `a` was shown at this level to be better than `b`.
    pub(super) fn ahead(&self, a: usize, b: usize, ln_level: f64) -> bool {
        self.shown(a, b).ahead <= ln_level
    }

    /// Returns `true` if `a` was shown at this level to be worse than `b` by at most the margin.
    pub(super) fn not_behind(&self, a: usize, b: usize, ln_level: f64) -> bool {
        self.shown(a, b).not_behind <= ln_level
    }

    /// Returns mean and standard deviation of `a` minus `b` over the processed blocks, or `None` if
    /// there is no standard deviation.
    pub(super) fn difference(&self, a: usize, b: usize) -> Option<(f64, f64)> {
        let differences = self.pair(a, b).differences;
        let sign = if a < b { 1.0 } else { -1.0 };
        Some((sign * differences.mean, differences.sd()?))
    }

    /// Returns the mean score of an arm; 0 before its first block.
    pub(super) fn mean(&self, arm: usize) -> f64 {
        self.arms[arm].mean
    }

    /// Compares two arms by decreasing mean, then by index.
    pub(super) fn by_mean(&self, a: usize, b: usize) -> Ordering {
        self.mean(b).total_cmp(&self.mean(a)).then(a.cmp(&b))
    }
}

impl Pair {
    fn update(&mut self, bound: &OneSided, margin: f64) -> Result<(), Untestable> {
        let mut mirrored = self.differences;
        mirrored.mean = -mirrored.mean;
        for (shown, running) in self.shown.iter_mut().zip([self.differences, mirrored]) {
            let ahead = bound.ln_p_above(&running, 0.0)?;
            shown.ahead = shown.ahead.min(ahead);
            // Without a margin, both statements are the same.
            let not_behind = match margin {
                0.0 => ahead,
                _ => bound.ln_p_above(&running, -margin)?,
            };
            shown.not_behind = shown.not_behind.min(not_behind);
        }
        Ok(())
    }
}
