//! Sums over the decisions of a block.

use serde::{Deserialize, Serialize};

/// Sums over decisions that have something in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// Decisions.
    pub(crate) decisions: u64,
    /// Sum of the sensitivities as measured, each the mean over the actions of a decision.
    pub(crate) raw: f64,
    /// Sum of the same less what the playouts' own noise adds.
    pub(crate) corrected: f64,
    /// Sum of the sensitivities of the action that brings most, as measured.
    pub(crate) best_raw: f64,
    /// Sum of the same less the noise.
    pub(crate) best_corrected: f64,
}

impl Sums {
    /// Adds what was measured at a decision.
    pub(crate) fn add(&mut self, measured: &Sensitivity) {
        self.decisions += 1;
        self.raw += measured.raw;
        self.corrected += measured.corrected;
        self.best_raw += measured.best_raw;
        self.best_corrected += measured.best_corrected;
    }
}

/// Most cards of a hand.
pub(crate) const OWN_MAX: usize = 13;
/// Cards of the pack.
pub(crate) const ALL_MAX: usize = 53;

/// What was measured in a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BlockSums {
    /// By the cards of the seat that decides.
    pub(crate) own: Vec<Sums>,
    /// By the cards of all seats.
    pub(crate) all: Vec<Sums>,
}

impl Default for BlockSums {
    fn default() -> BlockSums {
        BlockSums {
            own: vec![Sums::default(); OWN_MAX + 1],
            all: vec![Sums::default(); ALL_MAX + 1],
        }
    }
}

/// Chance-node sensitivity at a decision, in squared points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sensitivity {
    /// Mean over the actions, as equation 4 has it.
    pub(crate) raw: f64,
    /// Mean over the actions of an unbiased estimate of the variance over deals alone; by chance
    /// it may be below 0.
    pub(crate) corrected: f64,
    /// That of the action with the most points on average, as equation 4 has it.
    pub(crate) best_raw: f64,
    /// Its unbiased estimate.
    pub(crate) best_corrected: f64,
}
