//! The serial's small-bluff player, repaired and as published.

use crate::sampling::Sampling;
use crate::situation::Situation;
use crate::small_bluff::{Chances, decide, published, repaired, table};
use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};
use serde::{Deserialize, Serialize};

/// `small-bluff`.
pub const SMALL_BLUFF: Declared<Holdem, SmallBluff> = bot(
    "small-bluff",
    "2.0.0",
    "Draws what it does by its win rate; never folds for free, `bluff` adds bluffs",
);
/// `small-bluff-published`.
pub const SMALL_BLUFF_PUBLISHED: Declared<Holdem, Published> = bot(
    "small-bluff-published",
    "2.0.0",
    "As its code was published: folds where it may not raise, and for free",
);

/// What a league may set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// As [`Sampling::samples`].
    pub samples: u64,
    /// As [`Sampling::all_samples`].
    pub all_samples: bool,
    /// As [`Sampling::exact_max`].
    pub exact_max: u64,
    /// As [`Sampling::seed`].
    pub seed: u64,
    /// The chance of a raise with a hand for which the table only folds, 0 to 1.
    pub bluff: f64,
}

impl Default for Config {
    fn default() -> Self {
        let Sampling {
            samples,
            all_samples,
            exact_max,
            seed,
        } = Sampling::default();
        Config {
            samples,
            all_samples,
            exact_max,
            seed,
            bluff: 0.0,
        }
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

/// Draws by the serial's table, with its two mishaps repaired and bluffs that a league may add.
#[derive(Clone, Debug)]
pub struct SmallBluff {
    config: Config,
    rng: Rng,
}

/// Draws by the serial's table to the letter of its code.
#[derive(Clone, Debug)]
pub struct Published {
    sampling: Sampling,
    rng: Rng,
}

/// What one number, drawn first, makes of the chances. They rise with the win rate, but for bluffs:
/// a hand that is only bluffed with may raise where a better one folds, so that what is decided
/// alike must be of one kind.
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
            return Err("`bluff` is a chance, 0 to 1".into());
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
