//! Numbers that bots log during decisions ([`numbers`]), by turn. A turn is the number of a
//! decision among those of its player in the deal, from 1.

use super::estimate::CountAndSum;
use super::{Estimate, TestResult};
use hattari_agents::agent::numbers;
use hattari_agents::table::{Decider, Position, TakenAction};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of distinct names of logged numbers per bot. The first names in alphabetical
/// order are kept, so the order of the blocks does not matter.
pub(crate) const NAMES_MAX: usize = 16;

/// The mean of a number that a bot logged at a turn.
#[derive(Debug, Serialize)]
pub struct LoggedRow {
    /// Name of the number.
    pub name: String,
    /// Name of the bot.
    pub bot: String,
    /// Turn, from 1.
    pub turn: u32,
    /// Count of logged numbers.
    pub count: u64,
    /// The mean; `None` if it is too large for a float.
    pub value: Option<f64>,
    /// The mean with its interval over blocks.
    pub estimate: TestResult<Estimate>,
}

/// Values for one bot, by the name of the logged number and by turn.
type ByTurn<T> = BTreeMap<String, BTreeMap<u32, T>>;

/// Returns the value for a name and turn, which is added if it is missing. Returns `None` if there
/// are too many names.
fn entry<T: Default>(values: &mut ByTurn<T>, name: String, turn: u32) -> Option<&mut T> {
    if values.len() == NAMES_MAX && !values.contains_key(&name) {
        let last = values.last_entry()?;
        if *last.key() < name {
            return None;
        }
        last.remove();
    }
    Some(values.entry(name).or_default().entry(turn).or_default())
}

/// Counts and sums of the numbers that bots logged in a block.
pub(super) struct LoggedNumberSums {
    /// Number of decisions of each player so far in the deal.
    turns: Vec<u32>,
    /// Counts and sums by line-up position.
    sums: Vec<ByTurn<CountAndSum>>,
}

impl LoggedNumberSums {
    pub(super) fn new(players: usize) -> LoggedNumberSums {
        LoggedNumberSums {
            turns: vec![0; players],
            sums: vec![ByTurn::new(); players],
        }
    }

    /// Adds the numbers that a bot logged in a decision.
    pub(super) fn acted(&mut self, position: &dyn Position, taken: &TakenAction<'_>) {
        if taken.decision.is_none() {
            return;
        }
        let turn = &mut self.turns[position.player_at(taken.seat)];
        *turn += 1;
        if taken.decider != Decider::Bot {
            return;
        }
        for (name, number) in numbers::of_last_decision() {
            if let Some(sum) = entry(&mut self.sums[taken.entrant], name, *turn) {
                sum.add(number);
            }
        }
    }

    pub(super) fn deal_ended(&mut self) {
        self.turns.fill(0);
    }
}

/// For each entrant, the cluster of each block, and the count and sum of the numbers logged there.
pub(super) struct LoggedValues(Vec<ByTurn<Vec<(usize, CountAndSum)>>>);

impl LoggedValues {
    pub(super) fn new(entrants: usize) -> LoggedValues {
        LoggedValues(vec![ByTurn::new(); entrants])
    }

    /// Adds a block. `line_up` has the entrant of each line-up position.
    pub(super) fn add(&mut self, counter: LoggedNumberSums, line_up: &[usize], cluster: usize) {
        for (sums, &entrant) in counter.sums.into_iter().zip(line_up) {
            for (name, turns) in sums {
                for (turn, sum) in turns {
                    if let Some(blocks) = entry(&mut self.0[entrant], name.clone(), turn) {
                        blocks.push((cluster, sum));
                    }
                }
            }
        }
    }

    /// Returns the means by name, entrant and turn.
    pub(super) fn rows(&self, bots: &[String], confidence: f64) -> Vec<LoggedRow> {
        let names: BTreeSet<&String> = self.0.iter().flat_map(BTreeMap::keys).collect();
        let mut rows = Vec::new();
        for name in names {
            for (bot, values) in bots.iter().zip(&self.0) {
                for (&turn, blocks) in values.get(name).into_iter().flatten() {
                    let (total, estimate) = CountAndSum::over_blocks(blocks, confidence);
                    let CountAndSum { count, sum } = total;
                    rows.push(LoggedRow {
                        name: name.clone(),
                        bot: bot.clone(),
                        turn,
                        count,
                        value: Some(sum / count as f64).filter(|mean| mean.is_finite()),
                        estimate: estimate.into(),
                    });
                }
            }
        }
        rows
    }
}
