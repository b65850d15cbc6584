//! Example forks of a report, with the moves before and after them.

use super::estimate::Estimate;
use crate::replay::steps::PickedGame;
use hattari_play::review::PerBot;
use hattari_plugin::games::features::FeatureValue;
use serde::{Serialize, Serializer};

/// A fork that the report shows (a decision in which the two bots choose differently), with the
/// game after each choice.
#[derive(Clone, Debug, Serialize)]
pub struct ShownFork {
    /// The reason for showing the fork: `costly` or `typical`.
    pub why: &'static str,
    /// Number of the line-up.
    pub line_up: u32,
    /// Number of the block.
    pub block: u32,
    /// Number of the game in the block.
    pub game: u32,
    /// Number of the unforced decision within the game, counted for the reviewed bot's seats.
    pub decision: u32,
    /// Name of the bot that decided before the fork.
    pub before: String,
    /// Gain from the other bot's choice, in points.
    pub value: i64,
    /// The gain with other hidden cards that fit what the seat knew; `None` if it was not measured.
    pub sampled: Option<SampledGain>,
    /// The features of the position.
    pub position: Vec<(&'static str, FeatureValue)>,
    /// All hands at the start of the game.
    pub dealt: String,
    /// The moves before the fork, each with the name of the player.
    pub common: Vec<String>,
    /// The rest of the game after each bot's choice.
    #[serde(serialize_with = "other_first")]
    pub continuations: PerBot<Continuation>,
    /// The games after both choices, for a page.
    #[serde(skip)]
    pub games: Vec<PickedGame>,
}

/// The gain from the other bot's choice in other deals that fit what the seat knew.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledGain {
    /// Number of deals.
    pub deals: usize,
    /// Mean gain per deal, in points.
    pub gain: Estimate,
}

/// The rest of a shown game after a fork.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Continuation {
    /// The choice at the fork.
    #[serde(skip)]
    pub choice: String,
    /// The moves from the fork, each with the name of the player, and then the payoffs.
    pub lines: Vec<String>,
}

/// Serializes values as a list, first the value of the other bot.
fn other_first<T: Serialize, S: Serializer>(
    values: &PerBot<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    [&values.other, &values.reviewed].serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, value};

    #[test]
    fn continuations_are_printed_as_lines_with_the_other_bot_first() {
        let continuation = |choice: &str| Continuation {
            choice: choice.to_owned(),
            lines: vec![format!("a: b: {choice}"), "payoffs: a: b 1".to_owned()],
        };
        let both = PerBot {
            reviewed: continuation("pass"),
            other: continuation("S3"),
        };
        let lines = other_first(&both, value::Serializer).unwrap();
        let last = "payoffs: a: b 1";
        assert_eq!(lines, json!([["a: b: S3", last], ["a: b: pass", last]]));
    }
}
