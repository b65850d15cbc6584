//! Evidence for each pair of arms: the differences of their blocks, and the smallest levels at
//! which these have so far shown an order.

use crate::Untestable;
use crate::sequential::{OneSided, Running};

/// ln of the smallest level so far, for one arm of a pair against the other; 0 if nothing was
/// shown.
#[derive(Debug, Clone, Copy, Default)]
struct Shown {
    /// Level at which the arm was shown to be better.
    ahead: f64,
    /// Level at which the arm was shown to be worse by at most the margin.
    not_behind: f64,
}

/// The data of a pair of arms, the arm with the smaller index first.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    /// Number of processed blocks of both arms, including blocks without a score.
    taken: usize,
    /// Differences first minus second.
    differences: Running,
    first: Shown,
    second: Shown,
}

#[derive(Debug, Clone)]
pub(super) struct Evidence {
    margin: f64,
    /// Pairs of each arm with the arms of larger index, row by row.
    pairs: Vec<Pair>,
    arms: Vec<(usize, Running)>,
}

impl Evidence {
    pub(super) fn new(arms: usize, margin: f64) -> Self {
        let pairs = vec![Pair::default(); arms * (arms - 1) / 2];
        Self {
            margin,
            pairs,
            arms: vec![(0, Running::default()); arms],
        }
    }

    pub(super) fn margin(&self) -> f64 {
        self.margin
    }

    /// Returns the index of the pair (`a`, `b`) in `pairs`; `a` must be less than `b`.
    fn at(&self, a: usize, b: usize) -> usize {
        a * (2 * self.arms.len() - a - 1) / 2 + (b - a - 1)
    }

    /// Processes the blocks that a round has used, for all pairs of arms for which `is_asked` is
    /// true.
    pub(super) fn take_in(
        &mut self,
        scores: &[Vec<Option<f64>>],
        used: &[u32],
        bound: &OneSided,
        is_asked: impl Fn(usize) -> bool,
    ) -> Result<(), Untestable> {
        let used: Vec<usize> = used
            .iter()
            .map(|&n| usize::try_from(n).unwrap_or(usize::MAX))
            .collect();
        for (arm, (taken, running)) in self.arms.iter_mut().enumerate() {
            scores[arm][*taken..used[arm]]
                .iter()
                .flatten()
                .for_each(|&score| running.push(score));
            *taken = used[arm];
        }
        let asked: Vec<usize> = (0..self.arms.len()).filter(|&arm| is_asked(arm)).collect();
        for (k, &a) in asked.iter().enumerate() {
            for &b in &asked[k + 1..] {
                let (at, margin) = (self.at(a, b), self.margin);
                let pair = &mut self.pairs[at];
                let both = used[a].min(used[b]);
                if pair.taken < both {
                    differences(&scores[a][pair.taken..both], &scores[b][pair.taken..both])
                        .for_each(|d| pair.differences.push(d));
                    pair.taken = both;
                    pair.look(bound, margin)?;
                }
            }
        }
        Ok(())
    }

    /// Sets the evidence for a test: shown at any level, or at none.
    #[cfg(test)]
    pub(super) fn show(&mut self, a: usize, b: usize, ahead: bool, not_behind: bool) {
        let at = self.at(a.min(b), a.max(b));
        let shown = if a < b {
            &mut self.pairs[at].first
        } else {
            &mut self.pairs[at].second
        };
        let ln_p = |is_shown| if is_shown { f64::NEG_INFINITY } else { 0.0 };
        *shown = Shown {
            ahead: ln_p(ahead),
            not_behind: ln_p(not_behind),
        };
    }

    fn shown(&self, a: usize, b: usize) -> Shown {
        if a < b {
            self.pairs[self.at(a, b)].first
        } else {
            self.pairs[self.at(b, a)].second
        }
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
        let (sign, at) = if a < b {
            (1.0, self.at(a, b))
        } else {
            (-1.0, self.at(b, a))
        };
        let differences = self.pairs[at].differences;
        Some((sign * differences.mean, differences.sd()?))
    }

    /// Returns the mean score of an arm, or `None` if no block gave a score.
    pub(super) fn mean(&self, arm: usize) -> Option<f64> {
        let running = self.running(arm);
        (0 < running.n).then_some(running.mean)
    }

    /// Returns the running statistics of an arm's scores.
    pub(super) fn running(&self, arm: usize) -> &Running {
        &self.arms[arm].1
    }
}

impl Pair {
    fn look(&mut self, bound: &OneSided, margin: f64) -> Result<(), Untestable> {
        let mut mirrored = self.differences;
        mirrored.mean = -mirrored.mean;
        for (shown, running) in [
            (&mut self.first, &self.differences),
            (&mut self.second, &mirrored),
        ] {
            let ahead = bound.ln_p_above(running, 0.0)?;
            let not_behind = if margin == 0.0 {
                ahead
            } else {
                bound.ln_p_above(running, -margin)?
            };
            shown.ahead = shown.ahead.min(ahead);
            shown.not_behind = shown.not_behind.min(not_behind);
        }
        Ok(())
    }
}

/// Returns the differences of the blocks in which both arms have a score.
pub(super) fn differences(a: &[Option<f64>], b: &[Option<f64>]) -> impl Iterator<Item = f64> {
    a.iter()
        .zip(b)
        .filter_map(|(a, b)| Some((*a)? - (*b)?))
        .filter(|d| d.is_finite())
}

/// Returns a comparison that sorts arms by decreasing mean. Ties are ordered by index; arms without
/// a mean come last.
pub(super) fn by_mean(means: &[Option<f64>]) -> impl Fn(&usize, &usize) -> std::cmp::Ordering {
    let key = |arm: usize| means[arm].unwrap_or(f64::NEG_INFINITY);
    move |&a, &b| key(b).total_cmp(&key(a)).then(a.cmp(&b))
}
