//! Samples: what the statistics are computed from, one number per bot and block. No tests and no intervals here.
//!
//! The unit is the **block**, the deals between two resets of whatever persists. Deals within a block depend on each
//! other (the winner of a deal of daihinmin starts the next one with better cards), block means do not. Beside the block
//! means every pair keeps the moments of its difference from deal to deal, for the per-deal test that papers print.
//!
//! An entrant that sits at a table several times has several seats and one sample: the mean over its copies.

mod records;
mod scores;

pub use records::{Collector, Unfit};
pub use scores::{ScoresError, read_scores};

use crate::record::FaultKind;
use serde::Serialize;

/// Everything that a league's statistics are computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Samples {
    /// Names of the entrants; all other lists name an entrant by its index here.
    pub names: Vec<String>,
    /// One entry per line-up of the schedule, in its order; those without a finished block are empty.
    pub line_ups: Vec<LineUpSample>,
}

/// The blocks of one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpSample {
    /// The entrants by place at the table, copies repeated.
    pub entrants: Vec<usize>,
    /// The finished blocks by number.
    pub blocks: Vec<BlockInfo>,
    /// One entry per distinct entrant, in the order of the first seat.
    pub bots: Vec<BotSample>,
    /// One entry per pair of distinct entrants, `a` before `b` in [`LineUpSample::bots`].
    pub pairs: Vec<PairSample>,
}

/// One finished block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockInfo {
    /// Its number, or its label in a file of scores.
    pub label: String,
    /// Deals played (rows, in a file of scores).
    pub deals: u64,
}

/// What one entrant did at one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSample {
    /// Index of the entrant.
    pub entrant: usize,
    /// Seats it has at the table.
    pub copies: u32,
    /// Mean payoff per deal in each block of [`LineUpSample::blocks`]; `None` where a file of scores has no cell.
    pub means: Vec<Option<f64>>,
    /// Deals at whose table it sat.
    pub deals: u64,
    /// How often it came in each place, first place first, its copies together; empty for a file of scores.
    pub places: Vec<u64>,
    /// Faults of all kinds.
    pub faults: u64,
    /// Blocks that it forfeited (any copy).
    pub forfeits: u64,
    /// The first faults in words, at most [`FAULTS_SHOWN`].
    pub fault_notes: Vec<FaultNote>,
    /// How long it thought.
    pub thinking: Thinking,
}

impl BotSample {
    /// The block means that there are.
    #[must_use]
    pub fn present(&self) -> Vec<f64> {
        self.means.iter().flatten().copied().collect()
    }
}

/// Faults of an entrant at a line-up that are kept in words.
pub const FAULTS_SHOWN: usize = 3;

/// A fault with its place, for the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultNote {
    /// Number of the block.
    pub block: u32,
    /// Deal of the block, from 0.
    pub deal: u32,
    /// Decision of the deal, from 0.
    pub decision: u32,
    /// What it was.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
}

/// Times of decisions, summed. They differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Thinking {
    /// Decisions asked.
    pub decisions: u64,
    /// Decisions that were timed.
    pub timed: u64,
    /// Nanoseconds of the timed decisions together.
    pub nanos: u64,
    /// Nanoseconds of the slowest timed decision.
    pub worst_nanos: u64,
}

impl Thinking {
    /// Adds the times of another sample of the same bot.
    pub fn add(&mut self, other: &Thinking) {
        self.decisions += other.decisions;
        self.timed += other.timed;
        self.nanos += other.nanos;
        self.worst_nanos = self.worst_nanos.max(other.worst_nanos);
    }
}

/// The differences between two entrants at one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairSample {
    /// Index of the first entrant.
    pub a: usize,
    /// Index of the second entrant.
    pub b: usize,
    /// Mean payoff of `a` less that of `b`, for each block in which both played.
    pub differences: Vec<f64>,
    /// The same difference deal by deal, as moments over all deals that both played.
    pub per_deal: DealMoments,
}

/// Mean and variance of a difference over single deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DealMoments {
    /// Deals.
    pub deals: u64,
    /// Mean difference; 0 without deals.
    pub mean: f64,
    /// Sample variance of the difference (denominator `deals - 1`); 0 for fewer than two deals.
    pub variance: f64,
}

impl LineUpSample {
    /// What `entrant` did here.
    #[must_use]
    pub fn bot(&self, entrant: usize) -> Option<&BotSample> {
        self.bots.iter().find(|bot| bot.entrant == entrant)
    }

    /// Deals played, all blocks together.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.blocks.iter().map(|block| block.deals).sum()
    }
}
