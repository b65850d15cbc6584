//! The bot `call`, a baseline: never folds, never raises.

use hattari_plugin::stud::{self, Block, Moves, Stud, Turn, bot};
use hattari_plugin::{Choice, Declared, NoConfig};

/// Declaration of the bot `call`.
pub const CALL: Declared<Stud, Call> = bot(
    "call",
    "1.0.0",
    "Always checks or calls; makes the smallest bet if it has to bet",
);

/// A bot that always stays in as cheaply as possible and turns up its lowest hole card.
pub struct Call;

impl stud::Bot for Call {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Call, String> {
        Ok(Call)
    }

    fn act(&mut self, turn: &Turn) -> Choice {
        Moves::of(turn.legal()).stay()
    }
}
