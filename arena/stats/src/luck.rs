//! Luck adjustment by control variates: removes the measured effect of chance from scores.
//!
//! For every score there are one or more luck values whose mean is zero for every way of playing
//! ([`Group::luck`]). Subtracting a fixed multiple of a luck value does not change the mean of a
//! score. It reduces the variance if the multiple is near the regression coefficient.
//!
//! The coefficient is estimated for each bot and line-up, and shrunk towards the coefficient of all
//! groups together. It is never estimated from the block whose score it adjusts. [`remove`] uses
//! the blocks of other folds; [`RunningFit`] uses earlier blocks, for rules that examine scores
//! sequentially. Therefore adjusted scores are unbiased, even if the luck values are poor, and
//! scores of different blocks remain practically independent.
//!
//! A coefficient from a few small values, as of players who are rarely all-in, must not be applied
//! to large ones. [`remove`] therefore also tries coefficients that are shrunk towards 1, because
//! luck is measured in points, and takes those that remove more variance.
//!
//! Shrinkage as in ridge regression: Hoerl and Kennard 1970. Control variates with a fitted
//! coefficient: Lavenberg and Welch 1981. Luck as a control variate: MIVAT, White and Bowling 2009.
//! Folds as in cross-fitting: Chernozhukov and others 2018.

use crate::{Untestable, solve_symmetric};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Number of folds.
const FOLDS: usize = 10;
/// Minimum number of clusters for a fit. In simulations of equal bots at level 5 %, tests rejected
/// 6 % with 20 clusters and 5 % with 60.
pub(crate) const CLUSTERS_MIN: usize = 40;

/// Weight, in blocks, of the coefficient of all groups in the coefficient of each group.
const SHARED_WEIGHT: f64 = 100.0;

/// Weight of the coefficient 1 among the blocks of all groups, in blocks whose luck varies as much
/// as their scores. The prior is used if it removes more variance. In simulations with 40 blocks of
/// hold'em, adjustments without it multiplied the variance by up to 10¹⁶.
const PRIOR_WEIGHT: f64 = 4.0;

/// The scores of one bot in one line-up.
#[derive(Clone, Copy, Debug)]
pub struct Group<'s> {
    /// Score of each block. Blocks with `None` are ignored.
    pub scores: &'s [Option<f64>],
    /// Luck values, indexed by kind, then block.
    pub luck: &'s [Vec<f64>],
    /// Cluster of each block. Blocks with the same number, in any group, share their deals.
    pub clusters: &'s [usize],
}

/// Luck-adjusted scores.
#[derive(Clone, Debug, PartialEq)]
pub struct LuckAdjusted {
    /// Adjusted scores, indexed like the groups.
    pub scores: Vec<Vec<Option<f64>>>,
    /// Coefficient of each kind of luck, estimated over all groups.
    pub multiples: Vec<f64>,
    /// Fraction of the variance within groups that the adjustment removed; negative if the variance
    /// increased.
    pub share: f64,
    /// For each kind of luck, the `share` of an adjustment with only this kind.
    pub alone: Vec<f64>,
}

/// Sums of products of 1, scores and luck values. Index 0 is the 1, so row 0 has the number of
/// blocks and the sums. Index 1 is the score, the others are the kinds of luck.
#[derive(Clone, Debug)]
struct Products(Vec<Vec<f64>>);

impl Products {
    fn new(kinds: usize) -> Products {
        Products(vec![vec![0.0; kinds + 2]; kinds + 2])
    }

    fn count(&self) -> f64 {
        self.0[0][0]
    }

    /// Adds a block: 1, its score and its luck values.
    fn add(&mut self, values: &[f64]) {
        for (row, value) in self.0.iter_mut().zip(values) {
            for (sum, other) in row.iter_mut().zip(values) {
                *sum += value * other;
            }
        }
    }

    /// Adds `weight` times the numbers of `other`.
    fn add_scaled(mut self, weight: f64, other: &Products) -> Products {
        let own = self.0.iter_mut().flatten();
        own.zip(other.0.iter().flatten())
            .for_each(|(own, other)| *own += weight * other);
        self
    }

    /// Returns the sums of products about the means; all are 0 for fewer than two blocks.
    fn centred(mut self) -> Products {
        let (count, sums) = (self.count(), self.0[0].clone());
        if count < 2.0 {
            return Products::new(sums.len() - 2);
        }
        for (row, sum) in self.0.iter_mut().zip(&sums).skip(1) {
            for (square, other) in row.iter_mut().zip(&sums).skip(1) {
                *square -= sum * other / count;
            }
        }
        self
    }

    /// Returns the regression coefficients of the score on each kind of luck, from centred products
    /// of a group. The products of all groups, `league`, are added with a total weight of
    /// [`SHARED_WEIGHT`] blocks. The more blocks a bot has played, the more its own relation between
    /// score and luck dominates.
    fn multiples_with(self, league: &Products) -> Vec<f64> {
        let weight = SHARED_WEIGHT / league.count().max(1.0);
        self.add_scaled(weight, league).multiples()
    }

    /// Adds `weight` blocks with the coefficient 1 for each kind of luck that varies. In these
    /// blocks luck varies as much as the score.
    fn with_prior(mut self, weight: f64) -> Products {
        let prior = weight * self.0[1][1] / self.count().max(1.0);
        for (kind, row) in self.0.iter_mut().enumerate().skip(2) {
            if row[kind] > 0.0 {
                row[kind] += prior;
                row[1] += prior;
            }
        }
        self
    }

    /// Returns the regression coefficients of the score on each kind of luck, from centred
    /// products. The coefficient is 0 for kinds without variance, such as the quality of the deal
    /// if all bots get the same cards in turn.
    fn multiples(&self) -> Vec<f64> {
        let kinds = || 2..self.0.len();
        let cell = |row: usize, column: usize| {
            let varies = |kind: usize| self.0[kind][kind] > 0.0;
            if varies(row) && (column == 1 || varies(column)) {
                self.0[row][column]
            } else {
                f64::from(row == column)
            }
        };
        let row = |row: usize| kinds().map(|column| cell(row, column)).collect();
        let matrix: Vec<Vec<f64>> = kinds().map(row).collect();
        let right: Vec<f64> = kinds().map(|row| cell(row, 1)).collect();
        solve_symmetric(&matrix, &right).unwrap_or_else(|| vec![0.0; right.len()])
    }
}

/// Returns the sum of the luck values, each multiplied by its coefficient.
fn luck_of(luck: &[f64], multiples: &[f64]) -> f64 {
    luck.iter().zip(multiples).map(|(x, y)| x * y).sum()
}

/// Removes luck from scores. Different clusters must be independent. The coefficients for a block
/// come from the folds that do not contain its cluster.
///
/// # Errors
/// Returns an error if there are fewer than `CLUSTERS_MIN` clusters, or if luck was not measured
/// in every group, or if it is always zero.
pub fn remove(groups: &[Group<'_>]) -> Result<LuckAdjusted, Untestable> {
    let kinds = groups
        .iter()
        .map(|group| group.luck.len())
        .min()
        .unwrap_or(0);
    let mut folds: HashMap<usize, usize> = HashMap::new();
    for &cluster in groups.iter().flat_map(|group| group.clusters) {
        let next = folds.len() % FOLDS;
        folds.entry(cluster).or_insert(next);
    }
    if kinds == 0 {
        return Err(Untestable::UnmeasuredLuck);
    }
    if groups
        .iter()
        .flat_map(|group| group.luck)
        .flatten()
        .all(|value| *value == 0.0)
    {
        return Err(Untestable::ZeroLuck);
    }
    Untestable::require_blocks(folds.len(), CLUSTERS_MIN)?;
    Ok(LuckAdjusted {
        alone: (0..kinds)
            .map(|kind| remove_kinds(groups, kind..kind + 1, &folds).share)
            .collect(),
        ..remove_kinds(groups, 0..kinds, &folds)
    })
}

/// Removes the given kinds of luck from scores. `folds` contains the fold of each cluster.
fn remove_kinds(
    groups: &[Group<'_>],
    kinds: Range<usize>,
    folds: &HashMap<usize, usize>,
) -> LuckAdjusted {
    let sums: Vec<GroupSums> = groups
        .iter()
        .map(|group| GroupSums::of(group, &kinds, folds))
        .collect();
    let none = Products::new(kinds.len());
    let league: Vec<Products> = (0..FOLDS)
        .map(|fold| {
            sums.iter()
                .map(|sums| sums.without(fold))
                .fold(none.clone(), |sum, group| sum.add_scaled(1.0, &group))
        })
        .collect();
    let adjusted_with = |prior: f64| {
        let priors = league.iter().cloned().map(|fold| fold.with_prior(prior));
        let league: Vec<Products> = priors.collect();
        let (mut scores, mut left) = (Vec::new(), 0.0);
        for (group, sums) in groups.iter().zip(&sums) {
            let multiples = |&fold| {
                let others = sums.without(fold).into_owned();
                (fold, others.multiples_with(&league[fold]))
            };
            let multiples: BTreeMap<usize, Vec<f64>> = sums.folds.keys().map(multiples).collect();
            let mut adjusted = vec![None; group.scores.len()];
            let mut whole = Products::new(0);
            for (block, score) in group.scores.iter().enumerate() {
                let Some(score) = score else { continue };
                let multiples = &multiples[&folds[&group.clusters[block]]];
                let luck = group.luck[kinds.clone()].iter().zip(multiples);
                let score = score - luck.map(|(of_kind, x)| of_kind[block] * x).sum::<f64>();
                whole.add(&[1.0, score]);
                adjusted[block] = Some(score);
            }
            left += whole.centred().0[1][1];
            scores.push(adjusted);
        }
        (left, prior, scores)
    };
    let (fitted, shrunk) = (adjusted_with(0.0), adjusted_with(PRIOR_WEIGHT));
    let is_better = fitted.0 <= shrunk.0;
    let (left, prior, scores) = if is_better { fitted } else { shrunk };
    let all = sums
        .iter()
        .map(|sums| &sums.centred)
        .fold(none, |sum, group| sum.add_scaled(1.0, group));
    let variance = all.0[1][1];
    LuckAdjusted {
        scores,
        multiples: all.with_prior(prior).multiples(),
        share: if variance > 0.0 {
            1.0 - left / variance
        } else {
            0.0
        },
        alone: Vec::new(),
    }
}

/// Sums over the blocks of a group.
struct GroupSums {
    /// All blocks.
    whole: Products,
    /// All blocks, centred.
    centred: Products,
    /// The blocks of each fold that contains any.
    folds: BTreeMap<usize, Products>,
}

impl GroupSums {
    fn of(group: &Group<'_>, kinds: &Range<usize>, folds: &HashMap<usize, usize>) -> GroupSums {
        let none = Products::new(kinds.len());
        let (mut whole, mut of_folds) = (none.clone(), BTreeMap::new());
        for (block, values) in observations(group, kinds) {
            whole.add(&values);
            let fold = folds[&group.clusters[block]];
            of_folds
                .entry(fold)
                .or_insert_with(|| none.clone())
                .add(&values);
        }
        GroupSums {
            centred: whole.clone().centred(),
            whole,
            folds: of_folds,
        }
    }

    /// Returns the sums over the other folds, centred.
    fn without(&self, fold: usize) -> Cow<'_, Products> {
        match self.folds.get(&fold) {
            Some(part) => Cow::Owned(self.whole.clone().add_scaled(-1.0, part).centred()),
            None => Cow::Borrowed(&self.centred),
        }
    }
}

/// Returns the number of each block of a group that has a score, with 1, its score and its luck
/// values.
fn observations<'s>(
    group: &'s Group<'s>,
    kinds: &Range<usize>,
) -> impl Iterator<Item = (usize, Vec<f64>)> {
    let luck = &group.luck[kinds.clone()];
    group
        .scores
        .iter()
        .enumerate()
        .filter_map(move |(block, score)| {
            let luck = luck.iter().map(|of_kind| of_kind[block]);
            Some((block, [1.0, (*score)?].into_iter().chain(luck).collect()))
        })
}

/// Sums of the scores so far, from which coefficients for sequential rules are estimated. The
/// coefficient for the next score never depends on later scores.
#[derive(Clone, Debug, Default)]
pub struct RunningFit {
    groups: BTreeMap<(u32, usize), Products>,
}

impl RunningFit {
    /// Removes luck from the scores of a round by the fit to all earlier rounds, and then adds the
    /// round. A score has its group (line-up and bot) and its luck values. If any score has none,
    /// the round is ignored and its scores stay unchanged.
    pub fn remove_from_round(&mut self, round: &mut [((u32, usize), &mut f64, &[f64])]) {
        let kinds = round.iter().map(|(_, _, luck)| luck.len()).min();
        let Some(kinds) = kinds.filter(|&kinds| 0 < kinds) else {
            return;
        };
        let multiples = self.multiples(kinds);
        let adjusted: Vec<f64> = round
            .iter()
            .map(|(group, score, luck)| **score - luck_of(luck, &multiples(*group)))
            .collect();
        drop(multiples);
        for ((group, score, luck), adjusted) in round.iter_mut().zip(adjusted) {
            self.push(*group, **score, luck);
            **score = adjusted;
        }
    }

    /// Returns the coefficients of each group in the fit to all scores so far. All are 0 until some
    /// group has [`CLUSTERS_MIN`] scores.
    fn multiples(&self, kinds: usize) -> impl Fn((u32, usize)) -> Vec<f64> {
        let counts = self.groups.values().map(Products::count);
        let is_enough = CLUSTERS_MIN as f64 <= counts.fold(0.0, f64::max);
        let league = self
            .groups
            .values()
            .cloned()
            .map(Products::centred)
            .fold(Products::new(kinds), |sum, group| {
                sum.add_scaled(1.0, &group)
            });
        move |group| {
            if !is_enough {
                return vec![0.0; kinds];
            }
            self.groups
                .get(&group)
                .cloned()
                .unwrap_or_else(|| Products::new(kinds))
                .centred()
                .multiples_with(&league)
        }
    }

    /// Adds a score of `group` with its luck values. Their number must always be the same.
    fn push(&mut self, group: (u32, usize), score: f64, luck: &[f64]) {
        self.groups
            .entry(group)
            .or_insert_with(|| Products::new(luck.len()))
            .add(&[&[1.0, score], luck].concat());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Luck values, indexed by bot, kind and block.
    type Luck = Vec<Vec<Vec<f64>>>;

    /// Returns the scores of two bots. The first kind of luck explains 36 % of the variance, the
    /// second kind nothing.
    fn played(blocks: usize, seed: u64) -> (Vec<Vec<Option<f64>>>, Luck) {
        let mut rng = Rng::new(seed);
        // The sum of 12 uniform numbers is approximately normal.
        let mut normal = || (0..12).map(|_| rng.uniform()).sum::<f64>() - 6.0;
        let (mut scores, mut luck) = (Vec::new(), Vec::new());
        for bot in 0..2 {
            let first: Vec<f64> = (0..blocks).map(|_| normal()).collect();
            let second: Vec<f64> = (0..blocks).map(|_| normal()).collect();
            scores.push(
                first
                    .iter()
                    .map(|luck| Some(f64::from(bot) + 0.6 * luck + 0.8 * normal()))
                    .collect(),
            );
            luck.push(vec![first, second]);
        }
        (scores, luck)
    }

    fn groups<'s>(
        scores: &'s [Vec<Option<f64>>],
        luck: &'s Luck,
        clusters: &'s [usize],
    ) -> Vec<Group<'s>> {
        scores
            .iter()
            .zip(luck)
            .map(|(scores, luck)| Group {
                scores,
                luck,
                clusters,
            })
            .collect()
    }

    fn mean(scores: &[Option<f64>]) -> f64 {
        scores.iter().flatten().sum::<f64>() / scores.len() as f64
    }

    #[test]
    fn unmeasured_luck_is_no_invalid_parameter() {
        let (scores, luck) = (vec![Some(1.0); 20], vec![vec![0.0; 20]]);
        let clusters: Vec<usize> = (0..20).collect();
        let group = Group {
            scores: &scores,
            luck: &luck,
            clusters: &clusters,
        };
        for (groups, words) in [
            (&[][..], "luck was not measured in every block"),
            (
                &[group],
                "luck is zero in every block, so it is not measured or equal for all bots",
            ),
        ] {
            assert_eq!(remove(groups).unwrap_err().to_string(), words);
        }
    }

    #[test]
    fn luck_adjustment_removes_explained_variance_and_keeps_the_mean() {
        let (scores, luck) = played(4000, 1);
        let clusters: Vec<usize> = (0..4000).collect();
        let groups = groups(&scores, &luck, &clusters);
        let removed = remove(&groups).unwrap();
        assert!((removed.share - 0.36).abs() < 0.03, "{}", removed.share);
        assert!(
            (removed.multiples[0] - 0.6).abs() < 0.03 && removed.multiples[1].abs() < 0.03,
            "{:?}",
            removed.multiples
        );
        assert!(
            (removed.alone[0] - 0.36).abs() < 0.03 && removed.alone[1].abs() < 0.01,
            "{:?}",
            removed.alone
        );
        for (bot, scores) in (0..2).zip(&removed.scores) {
            assert!(
                (mean(scores) - f64::from(bot)).abs() < 0.06,
                "{}",
                mean(scores)
            );
        }
    }

    /// A coefficient that is fitted to the same few blocks would shrink means towards zero.
    #[test]
    fn luck_adjusted_means_of_few_blocks_are_unbiased() {
        let clusters: Vec<usize> = (0..40).collect();
        let (mut sum, mut squares) = (0.0, 0.0);
        let runs = 2000;
        for seed in 0..runs {
            let (scores, luck) = played(40, 10 + seed);
            let groups = groups(&scores, &luck, &clusters);
            let off = mean(&remove(&groups).unwrap().scores[1]) - 1.0;
            sum += off;
            squares += off * off;
        }
        let runs = runs as f64;
        let error = (squares / runs / runs).sqrt();
        assert!(
            (sum / runs).abs() < 4.0 * error,
            "{} give or take {error}",
            sum / runs
        );
        // The variance of means of unadjusted scores is 1/40.
        assert!(squares / runs < 0.021, "{}", squares / runs);
    }

    #[test]
    fn a_kind_of_luck_that_is_rarely_large_does_not_multiply_errors() {
        let (mut scores, mut luck) = played(40, 5);
        let clusters: Vec<usize> = (0..40).collect();
        for (scores, luck) in scores.iter_mut().zip(&mut luck) {
            luck[1].iter_mut().for_each(|value| *value *= 1e-6);
            luck[1][7] = 20.0;
            scores[7] = scores[7].map(|score| score + 20.0);
        }
        let removed = remove(&groups(&scores, &luck, &clusters)).unwrap();
        assert!(0.8 < removed.share, "{}", removed.share);
        for scores in &removed.scores {
            assert!(scores[7].unwrap().abs() < 5.0, "{:?}", scores[7]);
        }
    }

    #[test]
    fn running_coefficients_are_fitted_to_earlier_blocks_only() {
        let (scores, luck) = played(400, 3);
        let mut running = RunningFit::default();
        for block in 0..400 {
            if block < CLUSTERS_MIN {
                assert_eq!(running.multiples(2)((0, 0)), [0.0, 0.0]);
            }
            for bot in 0..2 {
                running.push(
                    (0, bot),
                    scores[bot][block].unwrap(),
                    &[luck[bot][0][block], luck[bot][1][block]],
                );
            }
        }
        let multiples = running.multiples(2)((0, 0));
        assert!(
            (multiples[0] - 0.6).abs() < 0.1 && multiples[1].abs() < 0.1,
            "{multiples:?}"
        );
    }

    #[test]
    fn luck_adjustment_with_too_few_blocks_is_rejected() {
        let (scores, luck) = played(39, 1);
        let clusters: Vec<usize> = (0..39).collect();
        let group = Group {
            scores: &scores[0],
            luck: &luck[0],
            clusters: &clusters,
        };
        assert_eq!(
            remove(&[group]).unwrap_err().to_string(),
            "too few blocks (39, 40 needed)"
        );
        assert!(remove(&[Group { luck: &[], ..group }]).is_err());
    }
}
