//! The small-bluff player of the article series, corrected and as published.

use crate::sampling::Sampling;
use crate::situation::Situation;
use crate::small_bluff::{Chances, decide, published, repaired, table};
use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};
use serde::{Deserialize, Serialize};

/// Declaration of the bot `small-bluff`.
pub const SMALL_BLUFF: Declared<Holdem, SmallBluff> = bot(
    "small-bluff",
    "2.0.0",
    "Chooses randomly, raising more often with a higher win rate; `bluff` adds bluffs",
);
/// Declaration of the bot `small-bluff-published`.
pub const SMALL_BLUFF_PUBLISHED: Declared<Holdem, Published> = bot(
    "small-bluff-published",
    "2.0.0",
    "Like small-bluff with the errors of the published code: folds if it cannot raise or could check",
);

hattari_plugin::games::defaults! {
    /// Settings of the bot `small-bluff`.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Config {
        /// Number of showdowns sampled for a win rate, as [`Sampling::samples`].
        pub samples: u64 = Sampling::default().samples,
        /// True to sample without an early stop, as [`Sampling::all_samples`].
        pub all_samples: bool = Sampling::default().all_samples,
        /// Maximum number of showdowns of an exact win rate, as [`Sampling::exact_max`].
        pub exact_max: u64 = Sampling::default().exact_max,
        /// Number that is combined with the seed of the block, as [`Sampling::seed`].
        pub seed: u64 = Sampling::default().seed,
        /// Probability, 0 to 1, of a raise with a hand with which the bot otherwise always folds.
        pub bluff: f64 = 0.0,
    }
}

impl Config {
    fn sampling(&self) -> Sampling {
        let &Config {
            samples,
            all_samples,
            exact_max,
            seed,
            ..
        } = self;
        Sampling {
            samples,
            all_samples,
            exact_max,
            seed,
        }
    }
}

/// A bot that chooses randomly by the table of the article series, with the two errors of its code
/// corrected and optional bluffs.
pub struct SmallBluff {
    config: Config,
    rng: Rng,
}

/// A bot that chooses randomly by the table of the article series, exactly as in the published
/// code.
pub struct Published {
    sampling: Sampling,
    rng: Rng,
}

/// Chooses an action by a random number that is drawn before the win rate is known.
///
/// The probability of a raise increases with the win rate, except for bluffs: a hand that can only
/// bluff may raise although a better hand folds. The decisions for two win rates therefore count as
/// equal only if both or neither belong to such hands.
fn act(
    turn: &Turn,
    sampling: &Sampling,
    rng: &mut Rng,
    chances: impl Fn(f64, &Situation) -> Chances,
) -> Choice {
    let (view, moves) = (turn.view(), Moves::of(turn.legal()));
    let situation = Situation::of(view, &moves);
    let drawn = rng.unit();
    let (decision, _) = sampling.decide(view, rng, |w| {
        let chances = chances(w, &situation);
        (
            decide(&chances, drawn, &situation),
            table(w * f64::from(situation.n)).fold >= 1.0,
        )
    });
    decision.choice(view, &moves)
}

impl holdem::Bot for SmallBluff {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if !(0.0..=1.0).contains(&config.bluff) {
            return Err("`bluff` must be a probability from 0 to 1".into());
        }
        config.sampling().check()
    }

    fn new(config: Config, block: &Block) -> Result<SmallBluff, String> {
        Ok(SmallBluff {
            rng: config.sampling().rng(block),
            config,
        })
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let (sampling, bluff) = (self.config.sampling(), self.config.bluff);
        act(turn, &sampling, &mut self.rng, |w, situation| {
            repaired(w, situation, bluff)
        })
    }
}

impl holdem::Bot for Published {
    type Config = Sampling;

    fn check(sampling: &Sampling) -> Result<(), String> {
        sampling.check()
    }

    fn new(sampling: Sampling, block: &Block) -> Result<Published, String> {
        Ok(Published {
            rng: sampling.rng(block),
            sampling,
        })
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        act(turn, &self.sampling, &mut self.rng, published)
    }
}
