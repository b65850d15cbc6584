//! The honest player of the article series.

use crate::honest::decide;
use crate::sampling::Sampling;
use crate::situation::Situation;
use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};

/// Declaration of the bot `honest`.
pub const HONEST: Declared<Holdem, Honest> = bot(
    "honest",
    "2.0.0",
    "Raises good hands, calls if the pot odds are sufficient, otherwise checks or folds",
);

/// A bot that decides only by its win rate and the odds, with the function [`decide`].
pub struct Honest {
    sampling: Sampling,
    rng: Rng,
}

impl holdem::Bot for Honest {
    type Config = Sampling;

    fn check(sampling: &Sampling) -> Result<(), String> {
        sampling.check()
    }

    fn new(sampling: Sampling, block: &Block) -> Result<Honest, String> {
        Ok(Honest {
            rng: sampling.rng(block),
            sampling,
        })
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let (view, moves) = (turn.view(), Moves::of(turn.legal()));
        let situation = Situation::of(view, &moves);
        self.sampling
            .decide(view, &mut self.rng, |w| decide(w, &situation))
            .choice(view, &moves)
    }
}
