//! A game that was played again, for text and for programs.

use crate::numbers::signed;
use hattari_agents::record::Fault;
use hattari_agents::table::Decider;
use hattari_plugin::games::{ChanceEvent, LUCK_PARTS};
use serde::Serialize;

/// A deal, re-made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Replay {
    /// Place in the line-up by player.
    pub entrants: Vec<usize>,
    /// Who holds what before the first choice.
    pub dealt: String,
    /// Every choice in order.
    pub moves: Vec<Move>,
    /// Payoffs by player; empty where the block ended before the deal.
    pub payoffs: Vec<i64>,
    /// What chance did, in its order; none where the game tells nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<Chance>,
    /// What bots did wrong in this deal; the block's record keeps the first few of each entrant
    /// only.
    pub faults: Vec<Fault>,
    /// What bots printed or logged, line by line. Where the block is made from recorded answers
    /// nobody says anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
}

/// Something that chance did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Chance {
    /// Its kind.
    pub kind: &'static str,
    /// Choices that had been made before it.
    pub before: usize,
    /// What it was worth to each player, in points.
    pub worth: Vec<f64>,
}

impl Chance {
    /// As a game tells it, with the kind's name; `ends` are the numbers of events that there were
    /// before the first choice and after each.
    #[must_use]
    pub fn of(event: ChanceEvent<'_>, kind: &'static str, ends: &[usize]) -> Chance {
        let worth = event
            .worth
            .iter()
            .map(|&worth| worth as f64 / LUCK_PARTS as f64)
            .collect();
        // What comes with an event that a choice brought about comes after that choice; choices
        // that nobody sees leave no event.
        let after = if event.event == 0 {
            0
        } else {
            ends.partition_point(|&end| end <= event.event)
        };
        Chance {
            kind,
            before: after.min(ends.len().saturating_sub(1)),
            worth,
        }
    }

    /// All of a deal's together; `None` of none.
    #[must_use]
    pub fn all(chances: &[Chance]) -> Option<Chance> {
        let first = chances.first()?;
        let sum = |player: usize| chances.iter().map(|chance| chance.worth[player]).sum();
        Some(Chance {
            kind: "all",
            before: 0,
            worth: (0..first.worth.len()).map(sum).collect(),
        })
    }

    /// In words; names in the order of what it was worth.
    #[must_use]
    pub fn words<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> String {
        let worth = names
            .into_iter()
            .zip(&self.worth)
            .map(|(name, &worth)| format!("{name} {}", signed(worth, 2)));
        format!(
            "luck of {}: {}",
            self.kind,
            worth.collect::<Vec<_>>().join(", ")
        )
    }
}

/// A line that a bot printed or logged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Said {
    /// Place in the line-up of the bot.
    pub entrant: usize,
    /// Choices that had been made by then: it comes before the choice of that number, counted from
    /// 0.
    pub before: usize,
    /// The line, harmless.
    pub line: String,
}

/// A choice and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Move {
    /// The seat that it was for, from 0; words count from 1.
    pub seat: u8,
    /// Place in the line-up of whoever decided.
    pub entrant: usize,
    /// Who made the choice.
    pub decider: Decider,
    /// Number of the decision in the deal as faults give it, where the bot was asked.
    pub decision: Option<u32>,
    /// The choice.
    pub choice: String,
    /// The new lines of the public record; none where the choice is hidden.
    pub events: Vec<String>,
    /// Who holds what after a hidden choice.
    pub after: Option<String>,
}
