//! Sums over the decisions of a block.

use serde::{Deserialize, Serialize};

/// Sums over decisions with the same number of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sums {
    /// Number of decisions.
    pub decisions: u64,
    /// Sum of the raw sensitivities, each the mean over the actions of a decision.
    pub raw: f64,
    /// Sum of the sensitivities without the noise of playouts, each the mean over the actions of a
    /// decision.
    pub corrected: f64,
    /// Sum of the raw sensitivities of the best actions.
    pub best_raw: f64,
    /// Sum of the sensitivities of the best actions, without the noise of playouts.
    pub best_corrected: f64,
}

impl Sums {
    /// Adds the sensitivity of a decision.
    pub(crate) fn add(&mut self, measured: &Sensitivity) {
        self.decisions += 1;
        self.raw += measured.raw;
        self.corrected += measured.corrected;
        self.best_raw += measured.best_raw;
        self.best_corrected += measured.best_corrected;
    }
}

/// Maximum number of cards in a hand.
pub(crate) const HAND_CARDS_MAX: usize = 13;
/// Number of cards in the pack.
pub(crate) const PACK_CARDS: usize = 53;

/// Sums of all decisions in a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BlockSums {
    /// Sums by number of cards of the deciding seat.
    pub own: Vec<Sums>,
    /// Sums by number of cards of all seats together.
    pub all: Vec<Sums>,
}

impl Default for BlockSums {
    fn default() -> BlockSums {
        BlockSums {
            own: vec![Sums::default(); HAND_CARDS_MAX + 1],
            all: vec![Sums::default(); PACK_CARDS + 1],
        }
    }
}

/// Chance-node sensitivity of a decision, in squared points.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sensitivity {
    /// Value of equation 4 of the paper, averaged over the actions.
    pub raw: f64,
    /// Unbiased estimate of the variance over deals, averaged over the actions. It can be negative
    /// by chance.
    pub corrected: f64,
    /// Value of equation 4 of the paper for the action with the highest mean points.
    pub best_raw: f64,
    /// Unbiased estimate of the variance over deals for the action with the highest mean points. It
    /// can be negative by chance.
    pub best_corrected: f64,
}
