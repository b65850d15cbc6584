//! Luck adjustment by control variates: removes the measured effect of chance from scores.
//!
//! For every score there are one or more luck values whose mean is zero for every way of playing
//! ([`Group::luck`]). Subtracting a fixed multiple of a luck value does not change the mean of a
//! score. It reduces the variance if the multiple is near the regression coefficient.
//!
//! The coefficient is estimated for each bot and line-up, and shrunk towards the coefficient of all
//! groups together. It is never estimated from the block whose score it adjusts. [`remove`] uses
//! the blocks of other folds; [`Running`] uses earlier blocks, for rules that examine scores
//! sequentially. Therefore adjusted scores are unbiased, even if the luck values are poor, and
//! scores of different blocks remain practically independent.
//!
//! Control variates with a fitted coefficient: Lavenberg and Welch 1981. Luck as a control variate:
//! MIVAT, White and Bowling 2009. Folds as in cross-fitting: Chernozhukov and others 2018.

use crate::linear::solve_symmetric;
use crate::reason::Untestable;
use std::collections::{BTreeMap, HashMap};

/// Number of folds.
const FOLDS: usize = 10;
/// Minimum number of clusters for a fit. In simulations of equal bots at level 5 %, tests rejected
/// 6 % with 20 clusters and 5 % with 60.
pub const CLUSTERS_MIN: usize = 40;

/// Weight, in blocks, of the coefficient of all groups in the coefficient of each group.
const LEAN: f64 = 100.0;

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
pub struct Removed {
    /// Adjusted scores, indexed like the groups.
    pub scores: Vec<Vec<Option<f64>>>,
    /// Coefficient of each kind of luck, estimated over all groups.
    pub multiples: Vec<f64>,
    /// Relative reduction of the variance within groups; negative if the variance increased.
    pub share: f64,
    /// `share` for an adjustment with each kind of luck alone.
    pub alone: Vec<f64>,
}

/// Sums and sums of products of one group or some of its blocks. Index 0 is the score, the others
/// are the kinds of luck.
#[derive(Clone, Debug)]
struct Products {
    count: f64,
    sums: Vec<f64>,
    squares: Vec<Vec<f64>>,
}

impl Products {
    fn new(kinds: usize) -> Products {
        Products {
            count: 0.0,
            sums: vec![0.0; kinds + 1],
            squares: vec![vec![0.0; kinds + 1]; kinds + 1],
        }
    }

    fn add(&mut self, values: &[f64]) {
        self.count += 1.0;
        for (row, value) in values.iter().enumerate() {
            self.sums[row] += value;
            values
                .iter()
                .zip(&mut self.squares[row])
                .for_each(|(other, square)| *square += value * other);
        }
    }
}

/// Sums of products about the means of groups.
#[derive(Clone, Debug)]
struct Centred {
    count: f64,
    squares: Vec<Vec<f64>>,
}

impl Centred {
    fn new(kinds: usize) -> Centred {
        Centred {
            count: 0.0,
            squares: vec![vec![0.0; kinds + 1]; kinds + 1],
        }
    }

    /// Adds the centred products of a group, excluding the blocks of `without`.
    fn add(&mut self, whole: &Products, without: Option<&Products>) {
        let less = |value: f64, of: &dyn Fn(&Products) -> f64| value - without.map_or(0.0, of);
        let count = less(whole.count, &|part| part.count);
        if count < 2.0 {
            return;
        }
        self.count += count;
        let sums: Vec<f64> = (whole.sums.iter().enumerate())
            .map(|(at, sum)| less(*sum, &|part| part.sums[at]))
            .collect();
        for (row, to) in self.squares.iter_mut().enumerate() {
            for (column, to) in to.iter_mut().enumerate() {
                let square = less(whole.squares[row][column], &|part| {
                    part.squares[row][column]
                });
                *to += square - sums[row] * sums[column] / count;
            }
        }
    }

    /// Adds the products of all groups with a total weight of [`LEAN`] blocks. The more blocks a
    /// bot has played, the more its own relation between score and luck dominates.
    fn leaning_on(mut self, league: &Centred) -> Centred {
        let weight = LEAN / league.count.max(1.0);
        for (own, league) in self
            .squares
            .iter_mut()
            .flatten()
            .zip(league.squares.iter().flatten())
        {
            *own += weight * league;
        }
        self
    }

    /// Returns the regression coefficients of the score on the given `kinds`. The coefficient is 0
    /// for kinds without variance, such as the quality of the deal if all bots get the same cards
    /// in turn.
    fn multiples(&self, kinds: &[usize]) -> Vec<f64> {
        let of = |row: usize, column: usize| self.squares[row][column];
        let varying: Vec<usize> = kinds
            .iter()
            .copied()
            .filter(|&kind| of(kind + 1, kind + 1) > 0.0)
            .collect();
        let row = |&row: &usize| {
            varying
                .iter()
                .map(|&column| of(row + 1, column + 1))
                .collect()
        };
        let matrix: Vec<Vec<f64>> = varying.iter().map(row).collect();
        let right: Vec<f64> = varying.iter().map(|&row| of(row + 1, 0)).collect();
        let solved = solve_symmetric(&matrix, &right).unwrap_or_else(|| vec![0.0; varying.len()]);
        let multiple = |kind: &usize| {
            varying
                .iter()
                .position(|known| known == kind)
                .map_or(0.0, |at| solved[at])
        };
        kinds.iter().map(multiple).collect()
    }
}

/// Removes luck from scores. Different clusters must be independent. The coefficients for a block
/// come from the folds that do not contain its cluster.
///
/// # Errors
/// Returns an error if there are fewer than [`CLUSTERS_MIN`] clusters, or if luck was not measured
/// in every group.
pub fn remove(groups: &[Group<'_>]) -> Result<Removed, Untestable> {
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
        return Err(Untestable::bad("luck was not measured in every block"));
    }
    if folds.len() < CLUSTERS_MIN {
        return Err(Untestable::TooFewBlocks {
            blocks: folds.len(),
            needed: CLUSTERS_MIN,
        });
    }
    let parts: Vec<Parts> = groups
        .iter()
        .map(|group| Parts::of(group, kinds, &folds))
        .collect();
    let mut all = Centred::new(kinds);
    parts.iter().for_each(|part| all.add(&part.whole, None));
    let mut without: Vec<Centred> = vec![Centred::new(kinds); FOLDS];
    for part in &parts {
        part.folds
            .iter()
            .zip(&mut without)
            .for_each(|(fold, without)| without.add(&part.whole, Some(fold)));
    }
    let every: Vec<usize> = (0..kinds).collect();
    let fitted = |group: usize, taken: &[usize]| -> Vec<Vec<f64>> {
        let of = |(fold, league): (&Products, &Centred)| {
            let mut own = Centred::new(kinds);
            own.add(&parts[group].whole, Some(fold));
            own.leaning_on(league).multiples(taken)
        };
        parts[group].folds.iter().zip(&without).map(of).collect()
    };
    let share = |taken: &[usize]| {
        let mut left = Centred::new(0);
        for (at, group) in groups.iter().enumerate() {
            let (multiples, mut whole) = (fitted(at, taken), Products::new(0));
            for (values, fold) in observations(group, kinds, &folds) {
                let luck: f64 = taken
                    .iter()
                    .zip(&multiples[fold])
                    .map(|(&kind, multiple)| values[kind + 1] * multiple)
                    .sum();
                whole.add(&[values[0] - luck]);
            }
            left.add(&whole, None);
        }
        if all.squares[0][0] > 0.0 {
            1.0 - left.squares[0][0] / all.squares[0][0]
        } else {
            0.0
        }
    };
    let scores = groups.iter().enumerate().map(|(at, group)| {
        let multiples = fitted(at, &every);
        let without = |(block, score): (usize, &Option<f64>)| {
            let multiples = &multiples[folds[&group.clusters[block]]];
            let luck: f64 = luck_of(group, block, kinds)
                .zip(multiples)
                .map(|(luck, multiple)| luck * multiple)
                .sum();
            score.map(|score| score - luck)
        };
        group.scores.iter().enumerate().map(without).collect()
    });
    Ok(Removed {
        scores: scores.collect(),
        multiples: all.multiples(&every),
        share: share(&every),
        alone: every.iter().map(|&kind| share(&[kind])).collect(),
    })
}

/// The sums of products of a group: of all blocks and of each fold.
struct Parts {
    whole: Products,
    folds: Vec<Products>,
}

impl Parts {
    fn of(group: &Group<'_>, kinds: usize, folds: &HashMap<usize, usize>) -> Parts {
        let mut parts = Parts {
            whole: Products::new(kinds),
            folds: vec![Products::new(kinds); FOLDS],
        };
        for (values, fold) in observations(group, kinds, folds) {
            parts.whole.add(&values);
            parts.folds[fold].add(&values);
        }
        parts
    }
}

fn luck_of<'s>(
    group: &Group<'s>,
    block: usize,
    kinds: usize,
) -> impl Iterator<Item = f64> + use<'s> {
    group
        .luck
        .iter()
        .take(kinds)
        .map(move |of_kind| of_kind[block])
}

/// Returns score, luck values and fold of each block of a group that has a score.
fn observations<'s>(
    group: &'s Group<'s>,
    kinds: usize,
    folds: &'s HashMap<usize, usize>,
) -> impl Iterator<Item = (Vec<f64>, usize)> {
    group
        .scores
        .iter()
        .enumerate()
        .filter_map(move |(block, score)| {
            let values = std::iter::once((*score)?)
                .chain(luck_of(group, block, kinds))
                .collect();
            Some((values, folds[&group.clusters[block]]))
        })
}

/// Coefficients estimated from the scores so far, for sequential rules. The coefficient for the
/// next score never depends on later scores.
#[derive(Clone, Debug, Default)]
pub struct Running {
    groups: BTreeMap<(u32, usize), Products>,
}

impl Running {
    /// Returns the fit to all scores so far.
    #[must_use]
    pub fn fitted(&self, kinds: usize) -> Fitted<'_> {
        let mut league = Centred::new(kinds);
        self.groups
            .values()
            .for_each(|products| league.add(products, None));
        let most = self
            .groups
            .values()
            .map(|products| products.count)
            .fold(0.0, f64::max);
        Fitted {
            running: self,
            league,
            kinds,
            is_enough: most >= CLUSTERS_MIN as f64,
        }
    }

    /// Adds a score of `group` (line-up and bot) with its luck values. Their number must always be
    /// the same.
    pub fn push(&mut self, group: (u32, usize), score: f64, luck: &[f64]) {
        let values: Vec<f64> = std::iter::once(score).chain(luck.iter().copied()).collect();
        self.groups
            .entry(group)
            .or_insert_with(|| Products::new(luck.len()))
            .add(&values);
    }
}

/// The coefficients from all scores that a [`Running`] has received so far.
#[derive(Debug)]
pub struct Fitted<'r> {
    running: &'r Running,
    league: Centred,
    kinds: usize,
    is_enough: bool,
}

impl Fitted<'_> {
    /// Returns the coefficients for a group. All are 0 until some group has [`CLUSTERS_MIN`]
    /// scores.
    #[must_use]
    pub fn multiples(&self, group: (u32, usize)) -> Vec<f64> {
        if !self.is_enough {
            return vec![0.0; self.kinds];
        }
        let mut own = Centred::new(self.kinds);
        if let Some(products) = self.running.groups.get(&group) {
            own.add(products, None);
        }
        own.leaning_on(&self.league)
            .multiples(&(0..self.kinds).collect::<Vec<_>>())
    }

    /// Returns the luck-adjusted score.
    #[must_use]
    pub fn without(&self, group: (u32, usize), score: f64, luck: &[f64]) -> f64 {
        score
            - luck
                .iter()
                .zip(self.multiples(group))
                .map(|(luck, multiple)| luck * multiple)
                .sum::<f64>()
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

    fn mean(scores: &[Option<f64>]) -> f64 {
        scores.iter().flatten().sum::<f64>() / scores.len() as f64
    }

    #[test]
    fn what_luck_explains_goes_and_the_mean_stays() {
        let (scores, luck) = played(4000, 1);
        let clusters: Vec<usize> = (0..4000).collect();
        let groups: Vec<Group<'_>> = scores
            .iter()
            .zip(&luck)
            .map(|(scores, luck)| Group {
                scores,
                luck,
                clusters: &clusters,
            })
            .collect();
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
    fn means_of_few_blocks_are_not_biased() {
        let clusters: Vec<usize> = (0..40).collect();
        let (mut sum, mut squares) = (0.0, 0.0);
        let runs = 2000;
        for seed in 0..runs {
            let (scores, luck) = played(40, 10 + seed);
            let groups: Vec<Group<'_>> = scores
                .iter()
                .zip(&luck)
                .map(|(scores, luck)| Group {
                    scores,
                    luck,
                    clusters: &clusters,
                })
                .collect();
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
    fn multiples_of_a_running_fit_come_from_what_has_been() {
        let (scores, luck) = played(400, 3);
        let mut running = Running::default();
        for block in 0..400 {
            if block < CLUSTERS_MIN {
                assert_eq!(running.fitted(2).multiples((0, 0)), [0.0, 0.0]);
            }
            for bot in 0..2 {
                running.push(
                    (0, bot),
                    scores[bot][block].unwrap(),
                    &[luck[bot][0][block], luck[bot][1][block]],
                );
            }
        }
        let multiples = running.fitted(2).multiples((0, 0));
        assert!(
            (multiples[0] - 0.6).abs() < 0.1 && multiples[1].abs() < 0.1,
            "{multiples:?}"
        );
    }

    #[test]
    fn too_little_is_said_to_be_too_little() {
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
