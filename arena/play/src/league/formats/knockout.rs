//! Knockouts: who is not among the best of a table is out, at once or the second time.

use super::course::Standing;
use super::rounds::{Attendance, Played, Rounds};
use super::seating::{Met, settle};
use super::{InRounds, League, Meetings, Reader};
use crate::league::keys::{Flag, Later, RoundOf, Takes, Whole, keys};
use hattari_agents::text::counted;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Single or double elimination at tables of any size.
///
/// Entrants stand on lines, at first by the order of the league's file. Who goes on takes the best
/// lines of its table, so that at tables of two the lines are a bracket that keeps the best apart:
/// of eight, the first meets the last and the second the last but one. Byes go to the best lines in
/// the first round; after it the numbers work out, at tables of two, without any. The final is a
/// table of its own, with one winner.
///
/// `double`: who fails once plays on among others who have failed once, and is out the second time.
/// At tables of two the winners' two brackets meet in the final, which is played again where its
/// winner had failed before and the other had not. At larger tables the final is the last table
/// that can be filled; where neither those who have failed nor the others fill a table, the last of
/// both sit together.
///
/// Where the last who would go on and the first who would not have scored the same, their table
/// plays on, one block at a time and ten at most; then the one further up in the league's file goes
/// on, and the standing says so. Who withdraws is out, and the others close up. If too few are left
/// for a table, the best line wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knockout {
    /// Players of a table.
    pub size: usize,
    /// How many of a table go on.
    pub through: usize,
    /// Whether the second failure is the one that counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub double: bool,
    /// The last round of an entrant that leaves.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub withdrawn: BTreeMap<String, u32>,
}

/// Where an entrant is in the tournament.
#[derive(Clone)]
struct State {
    line: usize,
    failures: u32,
    out: Option<Out>,
    /// What is to be said of how it has come through the last round.
    note: String,
}

/// How an entrant went out; the order is that of standings.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Out {
    round: Reverse<u32>,
    /// Its place at the table, from 0. The first is never out, so 0 stands for who has withdrawn.
    place: usize,
}

/// A table to play, and how many of it go on.
struct Draw {
    entrants: Vec<usize>,
    through: usize,
}

impl InRounds for Knockout {
    fn decide(&self, league: &League, rounds: &mut Rounds<'_>) -> Option<()> {
        let attendance = Attendance::of(league, &BTreeMap::new(), &self.withdrawn);
        let new = |line| State {
            line,
            failures: 0,
            out: None,
            note: String::new(),
        };
        let mut states: Vec<State> = (0..league.entrants.len()).map(new).collect();
        let mut met = Met::new(states.len());
        // Those of a final that has to be played again.
        let mut again: Option<Vec<usize>> = None;
        loop {
            let round = rounds.number();
            let alive = alive(&states);
            if alive.len() < self.size {
                return Some(());
            }
            let unbeaten = alive
                .iter()
                .take_while(|&&entrant| states[entrant].failures == 0)
                .count();
            let is_final = again.is_some()
                || alive.len() == self.size && (!self.double || unbeaten < self.size);
            let draws = match &again {
                Some(finalists) => vec![Draw {
                    entrants: finalists.clone(),
                    through: 1,
                }],
                None if is_final => vec![Draw {
                    entrants: alive.clone(),
                    through: 1,
                }],
                None => self.draw(&alive, unbeaten, &met),
            };
            let tables: Vec<Vec<usize>> = draws.iter().map(|draw| draw.entrants.clone()).collect();
            let mut byes = alive.clone();
            byes.retain(|entrant| !tables.iter().any(|table| table.contains(entrant)));
            let name = match (is_final, &again, self.size, alive.len()) {
                (true, Some(_), ..) => "second final".to_owned(),
                (true, ..) => "final".to_owned(),
                (_, _, 2, 4) if !self.double => "semi-finals".to_owned(),
                (_, _, 2, 8) if !self.double => "quarter-finals".to_owned(),
                _ => format!("round {round}"),
            };
            let is_level =
                |table: usize, means: &[f64]| level(means, draws[table].through).is_some();
            let played = rounds.play_on(name, tables, byes, league.blocks, is_level)?;
            states.iter_mut().for_each(|state| state.note.clear());
            let mut is_decided = false;
            for (table, draw) in played.iter().zip(&draws) {
                met.note(&table.entrants);
                let ranked = table.ranked();
                // A final is decided unless somebody who had failed has won over somebody who had
                // not.
                is_decided = is_final
                    && (again.is_some()
                        || states[ranked[0].0].failures == 0
                        || ranked
                            .iter()
                            .all(|&(entrant, _)| 0 < states[entrant].failures));
                take_lines(&mut states, table, draw.through);
                for (place, &(entrant, _)) in ranked.iter().enumerate().skip(draw.through) {
                    let state = &mut states[entrant];
                    state.failures += 1;
                    if is_decided || (!is_final && self.lives() <= state.failures) {
                        state.out = Some(Out {
                            round: Reverse(round),
                            place,
                        });
                    }
                }
                again = (is_final && !is_decided)
                    .then(|| ranked.iter().map(|&(entrant, _)| entrant).collect());
            }
            // Who leaves after the last round has won it all the same.
            for (entrant, state) in states.iter_mut().enumerate().filter(|_| !is_decided) {
                if state.out.is_none() && attendance.has_left(entrant, round + 1) {
                    state.out = Some(Out {
                        round: Reverse(round),
                        place: 0,
                    });
                    state.note.clear();
                    again = again.filter(|finalists| !finalists.contains(&entrant));
                }
            }
            let left = self::alive(&states).len();
            let is_over = is_decided || left < self.size;
            rounds.close(self.standing(&states, round, is_over));
            if is_over {
                return Some(());
            }
        }
    }
}

impl Knockout {
    /// Failures that put an entrant out.
    fn lives(&self) -> u32 {
        if self.double { 2 } else { 1 }
    }

    /// Tables for a round before the final. `alive` holds the `unbeaten` by line, then the others
    /// by line.
    fn draw(&self, alive: &[usize], unbeaten: usize, met: &Met) -> Vec<Draw> {
        let (upper, lower) = alive.split_at(unbeaten);
        let mut draws = Vec::new();
        if self.size <= upper.len() {
            let fail = upper.len() - self.rest(upper.len());
            draws.extend(self.tables(upper, fail, met));
        }
        // As many as a final takes must be left.
        let most = alive.len() - self.size;
        if self.size <= lower.len() && 0 < most {
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

    /// How many of so many are to be left after a round, so that no later one needs byes if that
    /// can be.
    fn rest(&self, entrants: usize) -> usize {
        if entrants == self.size {
            return self.through;
        }
        let before = |rest: usize| rest / self.through * self.size + rest % self.through;
        let mut rest = self.size;
        while before(rest) < entrants {
            rest = before(rest);
        }
        rest
    }

    /// Tables at which `fail` of these fail, or as many as the tables can be filled for. The best
    /// lines that are not needed have byes; of the others, every table has one of the best, one
    /// of the next, and so on to and fro.
    fn tables(&self, by_line: &[usize], fail: usize, met: &Met) -> Vec<Draw> {
        let each = self.size - self.through;
        let count = fail.div_ceil(each).min(by_line.len() / self.size);
        let order = &by_line[by_line.len() - count * self.size..];
        let row = |table: usize, row: usize| {
            row * count
                + if row.is_multiple_of(2) {
                    table
                } else {
                    count - 1 - table
                }
        };
        let table = |table| {
            (0..self.size)
                .map(|place| order[row(table, place)])
                .collect()
        };
        let tables = settle((0..count).map(table).collect(), order, |_| 0.0, met);
        let mut fail = fail;
        let draw = |entrants| {
            let here = fail.min(each);
            fail -= here;
            Draw {
                entrants,
                through: self.size - here,
            }
        };
        tables.into_iter().map(draw).collect()
    }

    fn standing(&self, states: &[State], rounds: u32, is_over: bool) -> Vec<Standing> {
        let mut ranking: Vec<usize> = (0..states.len()).collect();
        ranking.sort_by_key(|&entrant| {
            let state = &states[entrant];
            // Those who are in come first.
            (
                state.out.is_some(),
                state.out,
                if state.out.is_none() {
                    state.failures
                } else {
                    0
                },
                state.line,
            )
        });
        let is_alone = states.iter().filter(|state| state.out.is_none()).count() == 1;
        let line = |(place, &entrant): (usize, &usize)| {
            let state = &states[entrant];
            // Rounds that it has come through; who withdraws after one has come through it.
            let points = state
                .out
                .map_or(rounds, |out| out.round.0 - u32::from(out.place != 0));
            let mut notes = vec![match (
                state.out,
                is_over && place == 0,
                self.double && 0 < state.failures,
            ) {
                (Some(out), ..) if out.place == 0 => {
                    format!("withdrawn after round {}", out.round.0)
                }
                (Some(out), ..) => format!("out in round {}", out.round.0),
                (None, true, _) if is_alone => "winner".to_owned(),
                (None, true, _) => "winner, for too few are left for a table".to_owned(),
                (None, false, true) => "has failed once".to_owned(),
                (None, false, false) => String::new(),
            }];
            notes.push(state.note.clone());
            notes.retain(|note| !note.is_empty());
            Standing {
                entrant,
                points: points.into(),
                note: notes.join("; "),
            }
        };
        ranking.iter().enumerate().map(line).collect()
    }
}

/// Those who are in: who has failed less first, then by line.
fn alive(states: &[State]) -> Vec<usize> {
    let mut alive: Vec<usize> = (0..states.len())
        .filter(|&entrant| states[entrant].out.is_none())
        .collect();
    alive.sort_by_key(|&entrant| (states[entrant].failures, states[entrant].line));
    alive
}

/// The score at which the last of `through` and the next one are level; `None` where they are not.
fn level(means: &[f64], through: usize) -> Option<f64> {
    let mut sorted = means.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    let last = sorted[through - 1];
    sorted
        .get(through)
        .is_some_and(|next| last.total_cmp(next).is_eq())
        .then_some(last)
}

/// Entrants of a table take its lines by what they scored. Notes who goes on though another scored
/// the same.
fn take_lines(states: &mut [State], table: &Played, through: usize) {
    let ranked = table.ranked();
    let mut lines: Vec<usize> = table
        .entrants
        .iter()
        .map(|&entrant| states[entrant].line)
        .collect();
    lines.sort_unstable();
    let level = level(&table.means, through);
    for (place, (&(entrant, mean), line)) in ranked.iter().zip(lines).enumerate() {
        states[entrant].line = line;
        if place < through && level.is_some_and(|level| level.total_cmp(&mean).is_eq()) {
            states[entrant].note = format!(
                "still level after {}, goes on as the better seed",
                counted(table.blocks.into(), "block")
            );
        }
    }
}

keys! {
    /// who fails is out, at once or the second time
    Keys = "a knockout", kind "knockout";
    /// players of a table, 2 to 64
    size = Whole<usize>(2, 64), or "the game's where it has one number";
    /// how many of a table go on
    through = Later(|| Whole(1, 63).schema()), or "half of them";
    /// whether it is the second failure that puts out
    double = Flag, or "false";
    /// who leaves, and its last round, as in `{mine: 3}`
    withdrawn = RoundOf(1), or "nobody";
}

impl Knockout {
    /// Makes the format of its keys.
    pub(super) fn read(reader: &Reader<'_>, keys: Keys<'_>) -> Option<Knockout> {
        let size = reader.size(&keys.fields, keys.size);
        let through = match keys.through {
            None => size.map(|size| (size / 2).max(1)),
            Some(node) => {
                let most = size.map_or(63, |size| size as u64 - 1).max(1);
                reader.whole(node, "through", 1..=most)
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

impl Meetings for Knockout {
    fn count(&self, league: &League) -> Result<u64, (String, &'static str)> {
        // At every table somebody fails, and so often at most does everybody.
        Ok(u64::from(self.lives()) * league.entrants.len() as u64)
    }

    fn in_rounds(&self) -> Option<&dyn InRounds> {
        Some(self)
    }

    fn words(&self, league: &League) -> String {
        let Knockout {
            size,
            through,
            double,
            ..
        } = self;
        let kind = if *double {
            "a knockout of the second failure"
        } else {
            "a knockout"
        };
        format!(
            "{kind} of {} entrants at tables of {size}, of which {through} go on",
            league.entrants.len()
        )
    }
}
