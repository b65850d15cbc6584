//! The bot `call`: always checks or calls.

use hattari_plugin::holdem::{self, Block, Holdem, Moves, Turn, bot};
use hattari_plugin::{Choice, Declared, NoConfig};

/// Declaration of the bot `call`.
pub const CALL: Declared<Holdem, Call> = bot("call", "1.0.0", "Always checks or calls");

/// A bot that never raises and never folds.
pub struct Call;

impl holdem::Bot for Call {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Call, String> {
        Ok(Call)
    }

    #[inline]
    fn act(&mut self, turn: &Turn) -> Choice {
        Moves::of(turn.legal()).check_or_call()
    }
}
