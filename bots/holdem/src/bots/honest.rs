//! The serial's honest player.

use crate::honest::decide;
use crate::sampling::Sampling;
use crate::situation::Situation;
use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, Rng};

/// `honest`.
pub const HONEST: Declared<Holdem, Honest> =
    bot("honest", "1.0.0", "Raises good hands, calls when the odds are right, else checks or folds");

/// Plays by its win rate and the odds alone, as [`decide`] says.
#[derive(Clone, Debug)]
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
        Ok(Honest { rng: sampling.rng(block), sampling })
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        let (view, moves) = (turn.view(), Moves::of(turn.legal()));
        let w = self.sampling.win_rate(view, &mut self.rng).share;
        decide(w, &Situation::of(view, &moves)).choice(view, &moves)
    }
}
