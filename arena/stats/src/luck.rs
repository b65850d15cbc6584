//! Control variates: scores less what chance is known to have been worth.
//!
//! Of every score there is a number, or some, whose mean is nothing whatever was played
//! ([luck](Group::luck)). A score less any fixed multiple of them has the mean of the score, and
//! less variance where the multiple is near what a regression says: of the bot's own scores at that
//! line-up, and a bit of all. What makes the multiple fixed is that it comes from *other* blocks
//! than the score: from the blocks of other folds ([`remove`]), or from those before ([`Running`]),
//! for rules that look at scores as they come. So nothing is biased, however poor the numbers are,
//! and scores of different blocks stay as good as independent.
//!
//! (Control variates with a fitted coefficient: Lavenberg and Welch 1981. Luck as a control
//! variate: MIVAT, White and Bowling 2009. Folds: as in cross-fitting, Chernozhukov and others
//! 2018.)

use crate::linear::solve_symmetric;
use crate::reason::Untestable;
use std::collections::{BTreeMap, HashMap};

/// Folds that blocks are dealt to.
const FOLDS: usize = 10;
/// Clusters of blocks below which nothing is fitted: with 20 of them tests of equals at 5 % came
/// out at 6 %, with 60 at 5.
pub const CLUSTERS_MIN: usize = 40;

/// Blocks that what all groups say of luck counts for in each.
const LEAN: f64 = 100.0;

/// The scores of one bot at one line-up.
#[derive(Clone, Copy, Debug)]
pub struct Group<'s> {
    /// By block; those that are `None` are left out.
    pub scores: &'s [Option<f64>],
    /// What chance was worth, by kind and block.
    pub luck: &'s [Vec<f64>],
    /// Which blocks were dealt the same cards, here and elsewhere.
    pub clusters: &'s [usize],
}

/// Scores without luck.
#[derive(Clone, Debug, PartialEq)]
pub struct Removed {
    /// As in the groups.
    pub scores: Vec<Vec<Option<f64>>>,
    /// How much of each kind was taken away: the multiple over all groups.
    pub multiples: Vec<f64>,
    /// Share of the variance within groups that went; below 0 where it grew.
    pub share: f64,
    /// The same with one kind alone.
    pub alone: Vec<f64>,
}

/// Sums of products of one group, or of some of its blocks: the score first, then the kinds of
/// luck.
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

    /// Adds a group's products about its means, those of `without` left out.
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

    /// With as much of the league's as counts for [`LEAN`] blocks: a bot whose scores hang on luck
    /// otherwise than others' shows it the more the more it has played.
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

    /// The multiples of a regression of the first on the `kinds` of the others. A kind that never
    /// varied, as the cards dealt where every bot gets all of them in turn, has none.
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

/// Takes luck away from scores. The scores must be of independent clusters; a block's multiples
/// come from the folds that its cluster is not in.
///
/// # Errors
/// Where there are too few clusters, or nothing is known of luck.
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

/// The products of a group, whole and by fold.
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

/// The blocks of a group that have a score: score and luck, and the fold.
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

/// Multiples from what has come so far, for whoever looks at scores in an order: those for the next
/// score hang on none that is still to come.
#[derive(Clone, Debug, Default)]
pub struct Running {
    groups: BTreeMap<(u32, usize), Products>,
}

impl Running {
    /// What the scores so far say.
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

    /// Takes in a score of `group` (a line-up and a bot there) with its luck by kind, as many as
    /// ever.
    pub fn push(&mut self, group: (u32, usize), score: f64, luck: &[f64]) {
        let values: Vec<f64> = std::iter::once(score).chain(luck.iter().copied()).collect();
        self.groups
            .entry(group)
            .or_insert_with(|| Products::new(luck.len()))
            .add(&values);
    }
}

/// Multiples by the scores of a [`Running`] fit so far.
#[derive(Debug)]
pub struct Fitted<'r> {
    running: &'r Running,
    league: Centred,
    kinds: usize,
    is_enough: bool,
}

impl Fitted<'_> {
    /// Those of a group; none before [`CLUSTERS_MIN`] scores of some group have come.
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

    /// A score of a group without luck.
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

    /// Of bots, by kind and block.
    type Luck = Vec<Vec<Vec<f64>>>;

    /// Scores of two bots, of which luck explains 36 %, the second kind nothing.
    fn played(blocks: usize, seed: u64) -> (Vec<Vec<Option<f64>>>, Luck) {
        let mut rng = Rng::new(seed);
        // Sums of uniform numbers do for normal ones.
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

    /// With few blocks a multiple that is fitted to the same blocks would shrink means towards
    /// nothing; these do not.
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
        // Less than the 1/40 that raw scores have.
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
