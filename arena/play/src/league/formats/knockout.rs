//! The knockout format: entrants that do not advance from their table are eliminated, at the first
//! or at the second loss.

use super::round_builder::{Attendance, RoundBuilder, TableResult};
use super::round_schedule::RoundStanding;
use super::seating::{PastMeetings, avoid_rematches};
use super::{League, NamedEntrants, Problem, Reader, TournamentFormat};
use crate::league::keys::{DeferredNode, Flag, IntegerRange, KeyType, RoundByEntrant, keys};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Single or double elimination at tables of any size.
///
/// Every entrant has a line, its rank in the draw; initially this is its position in the league
/// file. Entrants that advance take the best lines of their table. At tables of two the lines form
/// a bracket that keeps the best entrants apart: of eight entrants, the first plays the last, and
/// the second the last but one. If the first round needs byes, the best lines get them. At tables
/// of two, later rounds need no byes. The final is a single table with one winner.
///
/// `double`: entrants that lost once play against each other, and the second loss eliminates them.
/// At tables of two, the winners of both brackets play the final. The final is replayed if its
/// winner has lost before and the other finalist has not. At larger tables, the final is the last
/// table that can be filled. If neither bracket can fill a table, the entrants with the worst lines
/// of both share a table.
///
/// If the last entrant that would advance has the same score as the next one, their table plays up
/// to ten more blocks, one at a time. If the tie remains, the earlier entrant in the league file
/// advances, and a note in the standings says so. A withdrawn entrant is eliminated, and the others
/// move up. If too few remain for a table, the best line wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Knockout {
    /// Number of players at a table.
    pub size: usize,
    /// Number of entrants that advance from a table.
    pub through: usize,
    /// True for double elimination.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double: bool,
    /// The last round of each entrant that withdraws.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

#[derive(Clone, Default)]
struct EntrantState {
    line: usize,
    failures: u32,
    out: Option<Elimination>,
    /// Remark on the last round, for the standings.
    note: String,
}

/// Round and rank at which an entrant was eliminated, ordered as in the standings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Elimination {
    round: Reverse<u32>,
    /// Rank at the table, from 0. The winner of a table is not eliminated, so 0 stands for a
    /// withdrawal.
    rank: usize,
}

/// The entrants at a table, and the number of them that advance.
struct DrawnTable {
    entrants: Vec<usize>,
    through: usize,
}

/// Counts a loss for each entrant after the first `through` of a table. Eliminates those that now
/// have `losses_max` losses.
fn add_losses(
    states: &mut [EntrantState],
    ranked: &[(usize, f64)],
    through: usize,
    losses_max: u32,
    round: u32,
) {
    for (rank, (loser, _)) in ranked.iter().enumerate().skip(through) {
        let state = &mut states[*loser];
        state.failures += 1;
        if state.failures >= losses_max {
            state.out = Some(Elimination {
                round: Reverse(round),
                rank,
            });
        }
    }
}

/// Eliminates the entrants that withdraw after this round, and returns them.
fn withdraw(states: &mut [EntrantState], attendance: &Attendance, round: u32) -> Vec<usize> {
    let mut withdrawn = Vec::new();
    for (entrant, state) in states.iter_mut().enumerate() {
        if state.out.is_none() && attendance.has_left(entrant, round + 1) {
            state.out = Some(Elimination {
                round: Reverse(round),
                rank: 0,
            });
            state.note.clear();
            withdrawn.push(entrant);
        }
    }
    withdrawn
}

impl Knockout {
    /// Returns the number of losses that eliminate an entrant.
    fn losses_to_eliminate(&self) -> u32 {
        if self.double { 2 } else { 1 }
    }

    /// Returns the tables of a round before the final. `alive` contains first the entrants without
    /// a loss (`unbeaten` is their number), then the others, each group by line.
    fn draw(&self, alive: &[usize], unbeaten: usize, met: &PastMeetings) -> Vec<DrawnTable> {
        let (upper, lower) = alive.split_at(unbeaten);
        let mut draws = Vec::new();
        if upper.len() >= self.size {
            let fail = upper.len() - self.remaining_after_round(upper.len());
            draws.extend(self.tables(upper, fail, met));
        }
        // Enough entrants for the final must remain.
        let most = alive.len() - self.size;
        if lower.len() >= self.size && most > 0 {
            let fail = lower.len() / self.size * (self.size - self.through);
            draws.extend(self.tables(lower, fail.min(most), met));
        }
        if draws.is_empty() {
            draws = self.tables(
                &alive[alive.len() - self.size..],
                (self.size - self.through).min(most),
                met,
            );
        }
        draws
    }

    /// Returns the number of entrants that should remain after a round so that later rounds need no
    /// byes, if possible.
    fn remaining_after_round(&self, entrants: usize) -> usize {
        if entrants == self.size {
            return self.through;
        }
        let players = |winners: usize| winners / self.through * self.size + winners % self.through;
        let mut remaining = self.size;
        while players(remaining) < entrants {
            remaining = players(remaining);
        }
        remaining
    }

    /// Returns tables at which `fail` of the entrants lose, or fewer if the tables cannot be
    /// filled. If not all entrants are needed, those with the best lines have byes. The others are
    /// distributed in rows of alternating direction, so that every table has one of the best lines,
    /// one of the next, and so on.
    fn tables(&self, by_line: &[usize], fail: usize, met: &PastMeetings) -> Vec<DrawnTable> {
        let losers_max = self.size - self.through;
        let count = fail.div_ceil(losers_max).min(by_line.len() / self.size);
        let order = &by_line[by_line.len() - count * self.size..];
        let mut ideal = vec![Vec::new(); count];
        for (index, &entrant) in order.iter().enumerate() {
            let (row, table) = (index / count, index % count);
            let is_forward = row.is_multiple_of(2);
            ideal[if is_forward { table } else { count - 1 - table }].push(entrant);
        }
        let tables = avoid_rematches(ideal, order, |_| 0.0, met);
        let mut unassigned = fail;
        let draw = |entrants| {
            let losers = unassigned.min(losers_max);
            unassigned -= losers;
            DrawnTable {
                entrants,
                through: self.size - losers,
            }
        };
        tables.into_iter().map(draw).collect()
    }

    fn standing(&self, states: &[EntrantState], rounds: u32, is_over: bool) -> Vec<RoundStanding> {
        let mut ranking: Vec<usize> = (0..states.len()).collect();
        ranking.sort_by_key(|&entrant| {
            let state = &states[entrant];
            // Remaining entrants come first.
            let failures = state.out.map_or(state.failures, |_| 0);
            (state.out, failures, state.line)
        });
        let winner = match remaining_entrants(states).len() {
            1 => "winner",
            _ => "winner, because too few entrants are left for a table",
        };
        let line = |(rank, &entrant): (usize, &usize)| {
            let state = &states[entrant];
            // Number of rounds survived. An entrant that withdraws after a round has survived this
            // round.
            let points = state
                .out
                .map_or(rounds, |out| out.round.0 - u32::from(out.rank != 0));
            let status = match state.out {
                Some(out) if out.rank == 0 => format!("withdrawn after round {}", out.round.0),
                Some(out) => format!("out in round {}", out.round.0),
                None if is_over && rank == 0 => winner.to_owned(),
                None if self.double && state.failures > 0 => "has lost once".to_owned(),
                None => String::new(),
            };
            let mut notes = vec![status, state.note.clone()];
            notes.retain(|note| !note.is_empty());
            RoundStanding {
                entrant,
                points: points.into(),
                note: notes.join("; "),
            }
        };
        ranking.iter().enumerate().map(line).collect()
    }
}

/// Returns the remaining entrants, ordered by number of losses, then by line.
fn remaining_entrants(states: &[EntrantState]) -> Vec<usize> {
    let mut alive: Vec<usize> = (0..states.len())
        .filter(|&entrant| states[entrant].out.is_none())
        .collect();
    alive.sort_by_key(|&entrant| (states[entrant].failures, states[entrant].line));
    alive
}

/// Returns the score of the last entrant that would advance, if the next one has the same score;
/// `None` without such a tie.
fn tied_score(means: &[f64], through: usize) -> Option<f64> {
    let mut sorted = means.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let last = sorted[through - 1];
    let next = sorted.get(through)?;
    last.total_cmp(next).is_eq().then_some(last)
}

/// Assigns a table's lines to its entrants by score. Adds a note to entrants that advance by a
/// tie-break.
fn assign_lines(states: &mut [EntrantState], table: &TableResult, through: usize) {
    let line = |&entrant: &usize| states[entrant].line;
    let mut lines: Vec<usize> = table.entrants.iter().map(line).collect();
    lines.sort_unstable();
    let level = tied_score(&table.means, through);
    for (rank, ((entrant, mean), line)) in table.ranked().into_iter().zip(lines).enumerate() {
        let state = &mut states[entrant];
        state.line = line;
        if rank < through && level.is_some_and(|level| level.total_cmp(&mean).is_eq()) {
            state.note = format!(
                "still tied after {}; the better seed advances",
                counted(table.blocks.into(), "block")
            );
        }
    }
}

keys! {
    /// single or double elimination
    Keys = "a knockout", kind "knockout";
    /// number of players at a table, 2 to 64
    size = IntegerRange<usize>(2, 64), or "the table size of the game, if it has only one";
    /// number of entrants that advance from a table
    through = DeferredNode(|| IntegerRange(1, 63).schema()), or "half of the table";
    /// double elimination
    double = Flag, or "false";
    /// entrants that leave, each with its last round, as in `{mine: 3}`
    withdrawn = RoundByEntrant(1), or "none";
}

impl Knockout {
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Knockout> {
        let size = reader.size(&keys.fields, keys.size);
        let through = match keys.through {
            None => size.map(|size| (size / 2).max(1)),
            Some(node) => {
                let most = size.map_or(63, |size| size as u64 - 1).max(1);
                reader.integer(node, "through", 1..=most)
            }
        };
        Some(Knockout {
            size: size?,
            through: through?,
            double: keys.double.unwrap_or_default(),
            withdrawn: keys.withdrawn.unwrap_or_default(),
        })
    }
}

impl TournamentFormat for Knockout {
    fn count(&self, league: &League) -> Result<u64, Problem> {
        // Every table has a loser, and an entrant loses at most `losses_to_eliminate` times.
        Ok(u64::from(self.losses_to_eliminate()) * league.entrants.len() as u64)
    }

    fn decide(&self, league: &League, rounds: &mut RoundBuilder<'_>) -> Option<()> {
        let attendance = Attendance::of(league, &BTreeMap::new(), &self.withdrawn);
        let mut states = vec![EntrantState::default(); league.entrants.len()];
        (0..)
            .zip(&mut states)
            .for_each(|(line, state)| state.line = line);
        let mut met = PastMeetings::new(states.len());
        // Finalists that must play a second final.
        let mut finalists: Option<Vec<usize>> = None;
        loop {
            let round = rounds.number();
            let alive = remaining_entrants(&states);
            if alive.len() < self.size {
                return Some(());
            }
            let has_lost = |entrant: usize| states[entrant].failures > 0;
            let unbeaten = alive
                .iter()
                .take_while(|&&entrant| !has_lost(entrant))
                .count();
            let is_second_final = finalists.is_some();
            let is_final = is_second_final
                || alive.len() == self.size && (!self.double || unbeaten < self.size);
            let draws = if is_final {
                // A final has one winner.
                vec![DrawnTable {
                    entrants: finalists.take().unwrap_or_else(|| alive.clone()),
                    through: 1,
                }]
            } else {
                self.draw(&alive, unbeaten, &met)
            };
            let name = match (self.size, alive.len()) {
                _ if is_second_final => "second final".to_owned(),
                _ if is_final => "final".to_owned(),
                (2, 4) if !self.double => "semi-finals".to_owned(),
                (2, 8) if !self.double => "quarter-finals".to_owned(),
                _ => format!("round {round}"),
            };
            let tables = draws.iter().map(|draw| draw.entrants.clone()).collect();
            let results = rounds.play(
                name,
                tables,
                &alive,
                league.blocks,
                |table: usize, means: &[f64]| tied_score(means, draws[table].through).is_some(),
            )?;
            states.iter_mut().for_each(|state| state.note.clear());
            let mut is_decided = false;
            for (table, draw) in results.iter().zip(&draws) {
                met.add_table(&table.entrants);
                let ranked = table.ranked();
                let has_lost = |(entrant, _): &(usize, f64)| states[*entrant].failures > 0;
                // A final is replayed if an entrant with a loss beats one without.
                is_decided = is_second_final
                    || is_final && (!has_lost(&ranked[0]) || ranked.iter().all(has_lost));
                assign_lines(&mut states, table, draw.through);
                let losses_max = if is_decided {
                    1
                } else if is_final {
                    u32::MAX
                } else {
                    self.losses_to_eliminate()
                };
                add_losses(&mut states, &ranked, draw.through, losses_max, round);
                if is_final && !is_decided {
                    finalists = Some(ranked.iter().map(|(entrant, _)| *entrant).collect());
                }
            }
            // An entrant that withdraws after winning the last round is still the winner.
            if !is_decided {
                let withdrawn = withdraw(&mut states, &attendance, round);
                finalists =
                    finalists.filter(|all| !withdrawn.iter().any(|entrant| all.contains(entrant)));
            }
            let is_over = is_decided || remaining_entrants(&states).len() < self.size;
            rounds.close(self.standing(&states, round, is_over));
            if is_over {
                return Some(());
            }
        }
    }

    fn entrants_per_table(&self) -> usize {
        self.size
    }

    fn named_entrants(&mut self) -> NamedEntrants<'_> {
        NamedEntrants {
            table_size: Some(self.size),
            rounds: vec![&mut self.withdrawn],
            ..NamedEntrants::default()
        }
    }

    fn description(&self, league: &League) -> String {
        let kind = if self.double {
            "a double-elimination knockout"
        } else {
            "a knockout"
        };
        format!(
            "{kind} of {} entrants at tables of {}; {} of each table advance",
            league.entrants.len(),
            self.size,
            self.through
        )
    }
}
