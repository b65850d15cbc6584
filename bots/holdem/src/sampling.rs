//! How the bots come to a win rate.

use hattari_plugin::Rng;
use hattari_plugin::holdem::{Block, View, WinRate, win_rate};
use serde::{Deserialize, Serialize};

/// What a league may set of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sampling {
    /// Showdowns drawn for a win rate, at least 1.
    pub samples: u64,
    /// Win rates that take no more showdowns than this are counted exactly: 990 for one opponent on the river, 45,540 on
    /// the turn, 1,070,190 on the flop.
    pub exact_max: u64,
    /// Mixed into the block's seed: another number gives other samples for the same cards.
    pub seed: u64,
}

impl Default for Sampling {
    fn default() -> Self {
        Sampling { samples: 1000, exact_max: 1000, seed: 0 }
    }
}

impl Sampling {
    /// Refuses no samples at all.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        if self.samples == 0 { Err("`samples` is at least 1".into()) } else { Ok(()) }
    }

    /// The generator for one block.
    #[must_use]
    pub fn rng(&self, block: &Block) -> Rng {
        Rng::new(block.seed ^ self.seed)
    }

    /// The expected share of the pot against random hands of all others who have not folded.
    #[must_use]
    pub fn win_rate(&self, view: &View, rng: &mut Rng) -> WinRate {
        let opponents = view.in_play_count().saturating_sub(1).max(1);
        win_rate(view.hand, view.community, opponents, self.samples, self.exact_max, rng)
    }
}
