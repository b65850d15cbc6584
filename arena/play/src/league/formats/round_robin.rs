//! The round-robin format: all entrants meet each other, in rounds.

use super::line_ups::{Combinations, binomial};
use super::round_builder::{Attendance, RoundBuilder, ScoreTally, check_standings, rank};
use super::round_schedule::RoundStanding;
use super::{League, NamedEntrants, Problem, Reader, TournamentFormat};
use crate::league::keys::{IntegerRange, RoundByEntrant, keys};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Number of tables at the start of the queue that are considered for a round.
const TABLES_CONSIDERED_MAX: usize = 512;

/// All tables of `size` different entrants. No entrant has two tables in a round, so that
/// intermediate standings are meaningful.
///
/// A cycle plays one block at every table; the number of cycles is the `blocks` of the league. At
/// tables of two, the rounds follow the circle method. At larger tables, rounds are filled with the
/// tables whose entrants have played least. Standings are ordered by points per table (so byes are
/// neutral), then by mean score, then by name. A table gives one point for each opponent with a
/// lower score, and half a point for each with the same score.
///
/// The pairings do not depend on results.
///
/// A late entrant meets all others in the rest of the current cycle and in every further cycle. Its
/// tables start with their first block. If it would join after the last round of the others, it
/// joins immediately after that round. A withdrawn entrant keeps its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundRobin {
    /// Number of players at a table.
    pub size: usize,
    /// The round in which each late entrant joins.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub late: BTreeMap<String, u32>,
    /// The last round of each entrant that withdraws.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

impl RoundRobin {
    /// Returns all tables of the entrants, in an order in which neighbouring tables share few
    /// entrants.
    fn cycle(&self, entrants: &[usize]) -> Vec<Vec<usize>> {
        if self.size == 2 {
            circle(entrants)
        } else {
            spread(combinations(entrants, self.size))
        }
    }

    /// Returns all tables of `entrant` with `others`.
    fn tables_with(&self, entrant: usize, others: &[usize]) -> Vec<Vec<usize>> {
        let mut tables = spread(combinations(others, self.size - 1));
        tables.iter_mut().for_each(|table| table.push(entrant));
        tables
    }

    /// Takes the tables of a round of `present` entrants from the queue. Tables of two are already
    /// in the order of their rounds. For larger tables, the function repeatedly takes the table
    /// whose entrants are all free and have played least.
    fn next_round(
        &self,
        queue: &mut VecDeque<Vec<usize>>,
        present: usize,
        tallies: &[ScoreTally],
    ) -> Vec<Vec<usize>> {
        let mut is_busy = vec![false; tallies.len()];
        let mut tables: Vec<Vec<usize>> = Vec::new();
        let played =
            |table: &[usize]| -> u32 { table.iter().map(|&entrant| tallies[entrant].tables).sum() };
        while tables.len() < present / self.size {
            let mut free = queue
                .iter()
                .take(TABLES_CONSIDERED_MAX)
                .enumerate()
                .filter(|(_, table)| table.iter().all(|&entrant| !is_busy[entrant]))
                .map(|(index, table)| (played(table), index));
            let next = if self.size == 2 {
                free.next()
            } else {
                free.min()
            };
            let Some(table) = next.and_then(|(_, index)| queue.remove(index)) else {
                break;
            };
            table.iter().for_each(|&entrant| is_busy[entrant] = true);
            tables.push(table);
        }
        tables
    }
}

/// Returns all choices of `size` of the entrants.
fn combinations(entrants: &[usize], size: usize) -> Vec<Vec<usize>> {
    Combinations::new(entrants.len(), size)
        .map(|indices| indices.into_iter().map(|index| entrants[index]).collect())
        .collect()
}

/// Returns every pair once, ordered by round: one entrant stays, the others rotate around it
/// (circle method).
fn circle(entrants: &[usize]) -> Vec<Vec<usize>> {
    // With an odd number of entrants, one place of the circle is empty. The opponent of this place
    // has a bye.
    let places = entrants.len().next_multiple_of(2);
    let turns = places.saturating_sub(1);
    let mut pairs = Vec::with_capacity(turns * places / 2);
    for turn in 0..turns {
        let index = |place: usize| {
            if place == 0 {
                0
            } else {
                1 + (place - 1 + turn) % turns
            }
        };
        let pair = |place: usize| [index(place), index(places - 1 - place)];
        pairs.extend(
            (0..places / 2)
                .map(pair)
                .filter(|pair| pair.iter().all(|&index| index < entrants.len()))
                .map(|[a, b]| vec![entrants[a], entrants[b]]),
        );
    }
    pairs
}

/// Reorders tables in steps of about the golden section, so that neighbours come from distant parts
/// of the list.
fn spread(mut tables: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let count = tables.len();
    let divisor = |mut a: usize, mut b: usize| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let mut steps = count * 618 / 1000..;
    let step = steps.find(|&step| divisor(step, count) == 1).unwrap_or(1);
    (0..count)
        .map(|index| std::mem::take(&mut tables[index * step % count]))
        .collect()
}

/// Merges two lists. The tables of the second list are distributed evenly among those of the first.
fn interleave(first: VecDeque<Vec<usize>>, second: Vec<Vec<usize>>) -> VecDeque<Vec<usize>> {
    let (ours, theirs) = (first.len(), second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    let (mut ours_taken, mut theirs_taken) = (0, 0);
    let mut all = VecDeque::with_capacity(ours + theirs);
    while let (Some(_), Some(_)) = (first.peek(), second.peek()) {
        // Take from the list with the smaller fraction taken.
        if theirs_taken * ours <= ours_taken * theirs {
            all.extend(second.next());
            theirs_taken += 1;
        } else {
            all.extend(first.next());
            ours_taken += 1;
        }
    }
    all.extend(first.chain(second));
    all
}

keys! {
    /// every entrant meets every other, in rounds
    Keys = "a round robin", kind "round-robin";
    /// number of players at a table, 2 to 64
    size = IntegerRange<usize>(2, 64), or "the table size of the game, if it has only one";
    /// entrants that join in a later round, as in `{mine: 3}`
    late = RoundByEntrant(2), or "none";
    /// entrants that leave, each with its last round, as in `{mine: 3}`
    withdrawn = RoundByEntrant(1), or "none";
}

impl RoundRobin {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<RoundRobin> {
        let size = reader.size(&keys.fields, keys.size);
        let (late, withdrawn) = reader.attendance(&keys.fields, keys.late, keys.withdrawn);
        Some(RoundRobin {
            size: size?,
            late,
            withdrawn,
        })
    }
}

impl TournamentFormat for RoundRobin {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        let attendance = Attendance::of(league, &self.late, &self.withdrawn);
        let first = (0..league.entrants.len())
            .filter(|&entrant| attendance.is_present(entrant, 1))
            .count();
        if first < self.size {
            let size = self.size;
            return Err(Problem::of_file(
                format!("in round 1 there would be {first} entrants for tables of {size}"),
                "let fewer entrants join late",
            ));
        }
        let count = binomial(league.entrants.len() as u64, self.size as u64);
        // Assume that rounds are almost full, which is true without late or withdrawn entrants. In
        // the worst case, each table would be a round of its own.
        let tables_per_round = (league.entrants.len() / self.size) as u64;
        let rounds = count.div_ceil(tables_per_round);
        check_standings(league, rounds.saturating_mul(league.blocks.into()))?;
        Ok(count)
    }

    fn decide(&self, league: &League, rounds: &mut RoundBuilder<'_>) -> Option<()> {
        let attendance = Attendance::of(league, &self.late, &self.withdrawn);
        let mut tallies = vec![ScoreTally::default(); league.entrants.len()];
        // `absent`: entrants that have not joined, the next one last. `present`: entrants that have
        // joined.
        let mut absent: Vec<usize> = (0..league.entrants.len()).rev().collect();
        absent.sort_by_key(|&entrant| std::cmp::Reverse(attendance.first_round(entrant)));
        let mut present: Vec<usize> = Vec::new();
        for cycle in 1..=league.blocks {
            let mut queue = VecDeque::new();
            let mut has_begun = false;
            loop {
                let round = rounds.number();
                let old_count = present.len();
                present.retain(|&entrant| !attendance.has_left(entrant, round));
                if present.len() < old_count {
                    queue.retain(|table: &Vec<usize>| {
                        table.iter().all(|entrant| present.contains(entrant))
                    });
                }
                // No table is left before the next entrant joins.
                let is_idle = has_begun && queue.is_empty() && cycle == league.blocks;
                let mut last_joining = round;
                if let (true, Some(&next)) = (is_idle, absent.last()) {
                    last_joining = last_joining.max(attendance.first_round(next));
                }
                while let Some(entrant) =
                    absent.pop_if(|&mut entrant| attendance.first_round(entrant) <= last_joining)
                {
                    if attendance.has_left(entrant, round) {
                        continue;
                    }
                    if has_begun {
                        queue = interleave(queue, self.tables_with(entrant, &present));
                    }
                    present.push(entrant);
                }
                if !has_begun {
                    queue = self.cycle(&present).into();
                    has_begun = true;
                }
                if queue.is_empty() {
                    if cycle == league.blocks && !absent.is_empty() {
                        continue;
                    }
                    break;
                }
                let tables = self.next_round(&mut queue, present.len(), &tallies);
                for table in
                    rounds.play(format!("round {round}"), tables, &present, 1, |_, _| false)?
                {
                    ScoreTally::add(&mut tallies, &table);
                }
                let points = |entrant: usize| {
                    let tally = &tallies[entrant];
                    tally.points / f64::from(tally.tables.max(1))
                };
                let joined = (0..tallies.len()).filter(|entrant| !absent.contains(entrant));
                let keys = |entrant: usize| [points(entrant), tallies[entrant].mean_score()];
                let ranked = rank(league, joined, keys);
                rounds.close(
                    ranked
                        .into_iter()
                        .map(|entrant| RoundStanding {
                            entrant,
                            points: points(entrant),
                            note: attendance.note(entrant, round + 1),
                        })
                        .collect(),
                );
            }
        }
        Some(())
    }

    fn is_planned(&self) -> bool {
        true
    }

    fn entrants_per_table(&self) -> usize {
        self.size
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            table_size: Some(self.size),
            rounds: vec![&mut self.late, &mut self.withdrawn],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, league: &League) -> String {
        format!(
            "a round robin of {} entrants at tables of {}",
            league.entrants.len(),
            self.size
        )
    }
}
