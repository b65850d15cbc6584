//! Builds the schedule of a tournament round by round, and stops at the first incomplete round.

use super::round_schedule::{Pairing, Results, Round, RoundSchedule, RoundStanding};
use super::{League, Problem};
use hattari_agents::text::grouped;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of additional blocks that a table plays to break a tie.
pub(super) const MORE_BLOCKS: u32 = 10;
/// Maximum number of lines in all standings of a schedule. Standings are computed again whenever
/// the schedule is requested.
const STANDINGS_MAX: u64 = 4_000_000;

/// A schedule of rounds under construction.
pub struct RoundBuilder<'a> {
    league: &'a League,
    /// The results so far.
    pub(super) results: &'a dyn Results,
    /// For each table that has played, given by its entrants, the number of the next block.
    next_blocks: HashMap<Vec<usize>, u32>,
    /// The rounds so far.
    pub(super) rounds: Vec<Round>,
}

/// The result of a table in a round.
pub(super) struct TableResult {
    /// The entrants at the table.
    pub entrants: Vec<usize>,
    /// Mean score of each entrant over the blocks, rounded so that differences below about 10⁻⁹ are
    /// ties.
    pub means: Vec<f64>,
    /// Number of blocks played.
    pub blocks: u32,
}

impl<'a> RoundBuilder<'a> {
    /// Returns the schedule that `decide` builds; `None` without rounds. `decide` plays and closes
    /// rounds, and returns `None` at an incomplete round.
    pub(super) fn build(
        league: &'a League,
        results: &'a dyn Results,
        decide: impl FnOnce(&mut RoundBuilder<'a>) -> Option<()>,
    ) -> Option<RoundSchedule> {
        let mut rounds = RoundBuilder {
            league,
            results,
            next_blocks: HashMap::new(),
            rounds: Vec::new(),
        };
        let is_over = decide(&mut rounds).is_some();
        let rounds = rounds.rounds;
        (is_over || !rounds.is_empty()).then_some(RoundSchedule { rounds, is_over })
    }

    /// Returns the number of the next round, from 1.
    pub(super) fn number(&self) -> u32 {
        u32::try_from(self.rounds.len() + 1).expect("every format limits its number of rounds")
    }

    /// Adds a round. Entrants of `present` without a table have a bye. Returns the results of the
    /// tables in the given order; `None` if a result is missing. Tables for which `undecided`
    /// returns `true`, given their number and means, play up to [`MORE_BLOCKS`] more blocks, one at
    /// a time.
    pub(super) fn play(
        &mut self,
        name: String,
        tables: Vec<Vec<usize>>,
        present: &[usize],
        blocks: u32,
        undecided: impl Fn(usize, &[f64]) -> bool,
    ) -> Option<Vec<TableResult>> {
        let mut pairings = Vec::with_capacity(tables.len());
        let mut results = Vec::with_capacity(tables.len());
        let mut has_table = vec![false; self.league.entrants.len()];
        for (number, entrants) in tables.into_iter().enumerate() {
            let entrants = canonical_order(self.league, entrants);
            entrants
                .iter()
                .for_each(|&entrant| has_table[entrant] = true);
            let first = self.next_blocks.get(&entrants).copied().unwrap_or(0);
            let mut range = first..first + blocks;
            let mut means = self.means(&entrants, range.clone());
            while range.end < first + blocks + MORE_BLOCKS
                && means.as_ref().is_some_and(|means| undecided(number, means))
            {
                range.end += 1;
                means = self.means(&entrants, range.clone());
            }
            self.next_blocks.insert(entrants.clone(), range.end);
            pairings.push(Pairing {
                entrants: entrants.clone(),
                blocks: range.clone(),
            });
            results.push(means.map(|means| TableResult {
                entrants,
                means,
                blocks: range.end - range.start,
            }));
        }
        let byes = present
            .iter()
            .copied()
            .filter(|&entrant| !has_table[entrant]);
        self.rounds.push(Round {
            name,
            pairings,
            byes: byes.collect(),
            standing: Vec::new(),
        });
        results.into_iter().collect()
    }

    /// Sets the standings after the last played round, and discards older standings that are not
    /// kept.
    pub(super) fn close(&mut self, standing: Vec<RoundStanding>) {
        let last = self.rounds.len() - 1;
        self.rounds[last].standing = standing;
        if let Some(dropped) = last.checked_sub(self.results.standings_kept()) {
            self.rounds[dropped].standing = Vec::new();
        }
    }

    fn means(&self, entrants: &[usize], blocks: std::ops::Range<u32>) -> Option<Vec<f64>> {
        let count = f64::from(blocks.end - blocks.start);
        let mut sums = vec![0.0; entrants.len()];
        for block in blocks {
            let scores = self.results.scores(entrants, block)?;
            sums.iter_mut()
                .zip(scores)
                .for_each(|(sum, score)| *sum += score);
        }
        // Round, so that mathematically equal sums do not differ by the order of summation. Adding
        // 0.0 removes negative zeros.
        Some(
            sums.iter()
                .map(|sum| (sum / count * 1e9).round() / 1e9 + 0.0)
                .collect(),
        )
    }
}

impl TableResult {
    /// Returns points by place: one for each opponent with a lower score, half a point for each
    /// with the same score.
    pub(super) fn points(&self) -> Vec<f64> {
        let half_points =
            |mean: f64, other: f64| u32::from(other < mean) + u32::from(other <= mean);
        let points = |&mean: &f64| {
            let others = self.means.iter().map(|&other| half_points(mean, other));
            // Subtract the half point of the entrant against itself.
            (f64::from(others.sum::<u32>()) - 1.0) / 2.0
        };
        self.means.iter().map(points).collect()
    }

    /// Returns the entrants, each with its mean score, best first; ties are in the order of the
    /// league file.
    pub(super) fn ranked(&self) -> Vec<(usize, f64)> {
        let mut ranked: Vec<_> = self
            .entrants
            .iter()
            .copied()
            .zip(self.means.iter().copied())
            .collect();
        ranked.sort_by(|(a, mean_a), (b, mean_b)| mean_b.total_cmp(mean_a).then(a.cmp(b)));
        ranked
    }
}

/// The sums of an entrant's results.
#[derive(Clone, Default)]
pub(super) struct ScoreTally {
    /// Sum of points.
    pub points: f64,
    /// Sum of mean scores.
    pub scores: f64,
    /// Number of tables.
    pub tables: u32,
}

impl ScoreTally {
    /// Adds the result of a table; `tallies` has one entry per entrant.
    pub(super) fn add(tallies: &mut [ScoreTally], table: &TableResult) {
        for ((&entrant, points), mean) in
            table.entrants.iter().zip(table.points()).zip(&table.means)
        {
            let tally = &mut tallies[entrant];
            tally.points += points;
            tally.scores += mean;
            tally.tables += 1;
        }
    }

    /// Returns the mean score over all tables.
    pub(super) fn mean_score(&self) -> f64 {
        self.scores / f64::from(self.tables.max(1))
    }
}

/// Returns entrants in the canonical order of a table: by name, in byte order. Therefore, the same
/// entrants always form the same line-up.
pub(super) fn canonical_order(league: &League, mut entrants: Vec<usize>) -> Vec<usize> {
    entrants.sort_by(|&a, &b| league.entrants[a].name.cmp(&league.entrants[b].name));
    entrants
}

/// Returns entrants by falling keys, then by name.
pub(super) fn rank<const N: usize>(
    league: &League,
    entrants: impl Iterator<Item = usize>,
    keys: impl Fn(usize) -> [f64; N],
) -> Vec<usize> {
    let mut ranked: Vec<_> = entrants.map(|entrant| (keys(entrant), entrant)).collect();
    ranked.sort_by(|(keys_a, a), (keys_b, b)| {
        let names = || league.entrants[*a].name.cmp(&league.entrants[*b].name);
        std::iter::zip(keys_b, keys_a)
            .fold(Ordering::Equal, |order, (b, a)| order.then(b.total_cmp(a)))
            .then_with(names)
    });
    ranked.into_iter().map(|(_, entrant)| entrant).collect()
}

/// The rounds in which entrants take part.
pub(super) struct Attendance {
    /// First round of each entrant.
    first: Vec<u32>,
    /// Last round of each entrant.
    last: Vec<u32>,
}

impl Attendance {
    /// Creates the attendance of a checked league from its late and withdrawn entrants.
    pub(super) fn of(
        league: &League,
        late: &BTreeMap<String, u32>,
        withdrawn: &BTreeMap<String, u32>,
    ) -> Attendance {
        let list = |rounds: &BTreeMap<String, u32>, default| {
            league
                .entrants
                .iter()
                .map(|entrant| rounds.get(&entrant.name).copied().unwrap_or(default))
                .collect()
        };
        Attendance {
            first: list(late, 1),
            last: list(withdrawn, u32::MAX),
        }
    }

    /// Returns the round in which an entrant joins.
    pub(super) fn first_round(&self, entrant: usize) -> u32 {
        self.first[entrant]
    }

    /// Returns `true` if an entrant takes part in `round`.
    pub(super) fn is_present(&self, entrant: usize, round: u32) -> bool {
        self.first[entrant] <= round && !self.has_left(entrant, round)
    }

    /// Returns `true` if an entrant has withdrawn before `round`.
    pub(super) fn has_left(&self, entrant: usize, round: u32) -> bool {
        self.last[entrant] < round
    }

    /// Returns the remark on a withdrawn entrant for the standings; empty for other entrants.
    pub(super) fn note(&self, entrant: usize, next_round: u32) -> String {
        match self.last[entrant] {
            last if last < next_round => format!("withdrawn after round {last}"),
            _ => String::new(),
        }
    }
}

/// Checks that a schedule with this number of rounds does not have too many lines of standings.
pub(super) fn check_standings(league: &League, rounds: u64) -> Result<(), Problem> {
    let entrants = league.entrants.len();
    if rounds.saturating_mul(entrants as u64) <= STANDINGS_MAX {
        return Ok(());
    }
    let (rounds, most) = (grouped(rounds), grouped(STANDINGS_MAX));
    Err(Problem::of_file(
        format!(
            "up to {rounds} rounds of {entrants} entrants are too many; rounds times entrants can \
            be at most {most}"
        ),
        "use fewer entrants or blocks, or a format of line-ups",
    ))
}
