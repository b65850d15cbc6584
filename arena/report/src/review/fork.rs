//! Example forks of a report, with the moves before and after them.

use super::estimate::Estimate;
use crate::replay::steps::PickedGame;
use hattari_plugin::games::features::FeatureValue;
use serde::Serialize;

/// A fork that the report shows (a decision in which the two bots choose differently), with the
/// game after each choice.
#[derive(Debug, Serialize)]
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
    /// The choices of the other bot and of the reviewed bot.
    #[serde(skip)]
    pub choices: [String; 2],
    /// The rest of the game after each choice: the moves from the fork, each with the name of the
    /// player, and then the payoffs.
    pub continuations: [Vec<String>; 2],
    /// The games after both choices, for a page.
    #[serde(skip)]
    pub games: Vec<PickedGame>,
}

/// The gain from the other bot's choice in other deals that fit what the seat knew.
#[derive(Debug, Serialize)]
pub struct SampledGain {
    /// Number of deals.
    pub deals: usize,
    /// Mean gain per deal, in points.
    pub gain: Estimate,
}
