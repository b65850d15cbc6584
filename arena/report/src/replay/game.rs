//! A replayed game as text and JSON.

use crate::numbers::signed;
use hattari_agents::record::Fault;
use hattari_agents::table::Decider;
use hattari_agents::text::joined;
use hattari_plugin::games::{ChanceEvent, LUCK_PARTS};
use serde::Serialize;
use std::collections::BTreeMap;

/// A replayed game.
#[derive(Debug, Default, Serialize)]
pub struct Replay {
    /// Line-up positions by player.
    pub entrants: Vec<usize>,
    /// Description of all hands before the first choice.
    pub dealt: String,
    /// The choices in order.
    pub moves: Vec<ReplayMove>,
    /// Payoffs by player; empty if the block ended before the deal.
    pub payoffs: Vec<i64>,
    /// Chance events in order; empty if the game does not measure luck.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<ChanceLine>,
    /// Recorded faults in this deal. The list may be incomplete, because the record of a block
    /// contains only the first few faults of each entrant.
    pub faults: Vec<Fault>,
    /// Lines that bots printed or logged; empty if the block is replayed from recorded answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<OutputLine>,
}

/// A chance event.
#[derive(Clone, Debug, Serialize)]
pub struct ChanceLine {
    /// Type of the event.
    pub kind: &'static str,
    /// Number of choices before the event.
    pub before: usize,
    /// Luck of each player in the event, in points.
    pub worth: Vec<f64>,
}

impl ChanceLine {
    /// Converts a chance event. `kind` is the name of the type of the event. `ends` contains the
    /// number of public events before the first choice and after each choice.
    pub(crate) fn of(event: ChanceEvent<'_>, kind: &'static str, ends: &[usize]) -> ChanceLine {
        let worth = event
            .worth
            .iter()
            .map(|&worth| worth as f64 / LUCK_PARTS as f64)
            .collect();
        // A chance event that was caused by a choice comes after that choice. Hidden choices add no
        // public event.
        let after = if event.event == 0 {
            0
        } else {
            ends.partition_point(|&end| end <= event.event)
        };
        ChanceLine {
            kind,
            before: after.min(ends.len().saturating_sub(1)),
            worth,
        }
    }

    /// Returns the sum of all chance events of a deal; `None` if there are none.
    pub fn total(chances: &[ChanceLine]) -> Option<ChanceLine> {
        let first = chances.first()?;
        Some(ChanceLine {
            kind: "all",
            before: 0,
            worth: (0..first.worth.len())
                .map(|player| chances.iter().map(|chance| chance.worth[player]).sum())
                .collect(),
        })
    }

    /// Returns the luck of each player as text; `names` are in the order of `worth`.
    pub fn text<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> String {
        let worth = names
            .into_iter()
            .zip(&self.worth)
            .map(|(name, &worth)| format!("{name} {}", signed(worth, 2)));
        format!("luck of {}: {}", self.kind, joined(worth, ", "))
    }
}

/// A line that a bot printed or logged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutputLine {
    /// Line-up position of the bot.
    pub entrant: usize,
    /// Number of choices made before the line.
    pub before: usize,
    /// The line, with hidden and control characters replaced by spaces.
    pub line: String,
}

/// A choice and its effects.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReplayMove {
    /// Number of the seat that chose, from 0. Texts for readers number seats from 1.
    pub seat: u8,
    /// Line-up position of the bot that decided.
    pub entrant: usize,
    /// The origin of the choice: the bot, a forced move or the fallback after a fault.
    pub decider: Decider,
    /// Number of the decision in the deal, as in [`Fault::decision`]; `None` if no bot decided.
    pub decision: Option<u32>,
    /// Description of the chosen action, for example `S7 H7`.
    pub choice: String,
    /// New lines of the public record; empty if the choice is hidden.
    pub events: Vec<String>,
    /// Description of all hands after a hidden choice; `None` after a public choice.
    pub after: Option<String>,
    /// Numbers that the bot logged in the decision.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, f64>,
}
