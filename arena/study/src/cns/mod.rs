//! Chance-node sensitivity of daihinmin: how much the points that an action brings depend on what
//! the others hold (Nishino and Nishino, 大貧民における偶然手番感度, section 5.2).
//!
//! At a decision, deals are drawn that fit what the seat knows, and every action is tried by
//! playouts in each of them. The sensitivity of an action is the variance, over deals, of its mean
//! points (equation 4 of the paper). Means of a few playouts vary even where deals do not matter;
//! what that adds is estimated from the playouts and taken off again.

mod curve;
mod file;
mod measure;

pub use curve::{Curve, Curves, Point};
pub use file::{Header, Log, LogError};
pub use measure::{Effort, Observer, Sensitivity, sensitivity};

use serde::{Deserialize, Serialize};

/// Sums over decisions that have something in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums {
    /// Decisions.
    pub decisions: u64,
    /// Sum of the sensitivities as measured, each the mean over the actions of a decision.
    pub raw: f64,
    /// Sum of the same less what the playouts' own noise adds.
    pub corrected: f64,
    /// Sum of the sensitivities of the action that brings most, as measured.
    pub best_raw: f64,
    /// Sum of the same less the noise.
    pub best_corrected: f64,
}

impl Sums {
    /// Adds what was measured at a decision.
    pub fn add(&mut self, measured: &Sensitivity) {
        self.decisions += 1;
        self.raw += measured.raw;
        self.corrected += measured.corrected;
        self.best_raw += measured.best_raw;
        self.best_corrected += measured.best_corrected;
    }
}

/// Most cards of a hand.
pub const OWN_MAX: usize = 13;
/// Cards of the pack.
pub const ALL_MAX: usize = 53;

/// What was measured in a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockSums {
    /// By the cards of the seat that decides.
    pub own: Vec<Sums>,
    /// By the cards of all seats.
    pub all: Vec<Sums>,
}

impl Default for BlockSums {
    fn default() -> BlockSums {
        BlockSums {
            own: vec![Sums::default(); OWN_MAX + 1],
            all: vec![Sums::default(); ALL_MAX + 1],
        }
    }
}
