//! What a race is asked, and how it is run.

use crate::Untestable;
use crate::compare::BLOCKS_MIN;
use serde::{Deserialize, Serialize};

/// What a race is to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The best arm.
    Best,
    /// The k best arms, in whatever order; k is 1 or more, and fewer than there are arms.
    Top(usize),
    /// The order of all arms.
    Ranking,
    /// Of every two arms which is better, or that they are equal within the margin.
    Pairs,
}

impl Goal {
    /// How many are looked for; `None` where an order is.
    pub(super) fn slots(self) -> Option<usize> {
        match self {
            Self::Best => Some(1),
            Self::Top(k) => Some(k),
            Self::Ranking | Self::Pairs => None,
        }
    }
}

/// Who gets blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Allocation {
    /// Those whose blocks decide something.
    #[default]
    Focused,
    /// All arms alike until all is decided: what focusing is measured against, or where all
    /// estimates should be alike.
    Even,
}

/// How a race is run. Part of the league and recorded with the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RaceOptions {
    /// What is asked.
    pub goal: Goal,
    /// Chance that anything claimed is false, over all arms and rounds together; between 0 and one
    /// half.
    pub error: f64,
    /// Differences of this size, in points per game, do not matter; 0 for none.
    pub margin: f64,
    /// Blocks of every arm before the first statement, at least 10.
    pub first_blocks: u32,
    /// Blocks that an arm plays in each further round, at least: from ten times as many on it
    /// plays a tenth of what it has, so that a long race has tens of rounds and not hundreds.
    pub batch: u32,
    /// No arm plays more blocks; what is open then stays open.
    pub max_blocks: Option<u32>,
    /// Blocks at which statements are sharpest; they hold at all others, too.
    pub tuned_for: f64,
    /// Who gets blocks.
    pub allocation: Allocation,
}

impl RaceOptions {
    /// The options that a league has that states its goal alone: error .05, no margin, 20 first
    /// blocks and batches of 10.
    pub fn new(goal: Goal) -> Self {
        Self {
            goal,
            error: 0.05,
            margin: 0.0,
            first_blocks: 20,
            batch: 10,
            max_blocks: None,
            tuned_for: 100.0,
            allocation: Allocation::Focused,
        }
    }

    pub(super) fn check(&self, arms: usize) -> Result<(), Untestable> {
        if arms < 2 {
            return Err(Untestable::bad("a race is between two arms or more"));
        }
        if self.goal.slots().is_some_and(|k| k == 0 || arms <= k) {
            return Err(Untestable::bad(format!(
                "a race of {arms} arms looks for the best 1 to {}",
                arms - 1
            )));
        }
        if !(0.0 < self.error && self.error < 0.5) {
            return Err(Untestable::bad(
                "the error of a race lies strictly between 0 and one half",
            ));
        }
        if !(self.margin.is_finite() && 0.0 <= self.margin) {
            return Err(Untestable::bad("the margin of a race is 0 or more points"));
        }
        if usize::try_from(self.first_blocks).is_ok_and(|n| n < BLOCKS_MIN) {
            return Err(Untestable::bad(format!(
                "a race makes no statement before {BLOCKS_MIN} blocks of every arm"
            )));
        }
        if self.batch == 0 {
            return Err(Untestable::bad("a batch of a race has one block or more"));
        }
        if self.max_blocks.is_some_and(|most| most < self.first_blocks) {
            return Err(Untestable::bad(
                "the most blocks of a race are no fewer than its first ones",
            ));
        }
        Ok(())
    }
}
