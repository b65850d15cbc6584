//! Goal and options of a race.

use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// The question that a race answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The best arm.
    Best,
    /// The k best arms, in any order; 1 ≤ k < number of arms.
    Top(usize),
    /// The order of all arms.
    Ranking,
    /// The order of every pair of arms, or that they are equal within the margin.
    Pairs,
}

impl Goal {
    /// Returns the number of arms to find, or `None` if the goal is an order.
    pub(super) fn slots(self) -> Option<usize> {
        match self {
            Self::Best => Some(1),
            Self::Top(k) => Some(k),
            Self::Ranking | Self::Pairs => None,
        }
    }
}

/// The rule that decides which arms play more blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Allocation {
    /// Only arms whose blocks can decide an open claim play.
    #[default]
    Focused,
    /// All arms play, until all claims are decided. Used as the baseline for `Focused`, or if all
    /// estimates need the same precision.
    Even,
}

/// Options of a race. They are part of the league and are stored with its results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RaceOptions {
    /// The arms or the order that the race has to find.
    pub goal: Goal,
    /// Maximum probability that any claim is false, over all arms and rounds together; between 0
    /// and 0.5.
    pub error: f64,
    /// Largest difference, in points per deal, that does not matter; with 0, all differences do.
    pub margin: f64,
    /// Number of blocks that every arm plays before the first claim; at least 10.
    pub first_blocks: u32,
    /// Minimum number of blocks that an arm plays in each further round. An arm with more than ten
    /// times as many blocks plays a tenth of its blocks instead, so that long races have tens of
    /// rounds, not hundreds.
    pub batch: u32,
    /// Maximum number of blocks per arm. Claims that are open at this point stay open.
    pub max_blocks: Option<u32>,
    /// The rule that decides which arms play more blocks.
    pub allocation: Allocation,
}

impl RaceOptions {
    /// Returns the default options for a goal: error 0.05, no margin, 20 first blocks, batches of
    /// 10.
    pub fn new(goal: Goal) -> Self {
        Self {
            goal,
            error: 0.05,
            margin: 0.0,
            first_blocks: 20,
            batch: 10,
            max_blocks: None,
            allocation: Allocation::Focused,
        }
    }

    pub(super) fn check(&self, arms: usize) -> Result<(), Untestable> {
        Untestable::require(2 <= arms, "a race needs at least two arms")?;
        if self.goal.slots().is_some_and(|k| k == 0 || arms <= k) {
            return Err(Untestable::bad(format!(
                "a race of {arms} arms can search for 1 to {} best arms",
                arms - 1
            )));
        }
        Untestable::require(
            0.0 < self.error && self.error < 0.5,
            "the error of a race must be strictly between 0 and 0.5",
        )?;
        Untestable::require(
            self.margin.is_finite() && 0.0 <= self.margin,
            "the margin of a race must be 0 points or more",
        )?;
        Untestable::require(
            BLOCKS_MIN <= self.first_blocks as usize,
            "a race must begin with at least 10 blocks of every challenger",
        )?;
        Untestable::require(
            0 < self.batch,
            "a batch of a race must have at least one block",
        )?;
        Untestable::require(
            self.max_blocks.is_none_or(|most| self.first_blocks <= most),
            "the maximum number of blocks of a race must not be below its number of first blocks",
        )
    }
}
