//! Compiled bots for Kuhn poker and Leduc hold'em.

use hattari_outside::kuhn::{self, Kuhn};
use hattari_outside::leduc::{self, Leduc};
use hattari_outside::solved::Solved;
use hattari_plugin::{Block, Choice, Declared, NoConfig, Player, Turn};

/// A bot that always bets, raises or calls.
struct Bold;

impl Player<Kuhn> for Bold {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block<'_, Kuhn>) -> Result<Bold, String> {
        Ok(Bold)
    }

    fn choose(&mut self, turn: &Turn<'_, Kuhn>) -> Choice {
        let is_bold =
            |action: &kuhn::Action| [kuhn::kind::BET, kuhn::kind::CALL].contains(&action.kind);
        turn.legal().iter().position(is_bold).unwrap_or(0).into()
    }
}

impl Player<Leduc> for Bold {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block<'_, Leduc>) -> Result<Bold, String> {
        Ok(Bold)
    }

    fn choose(&mut self, turn: &Turn<'_, Leduc>) -> Choice {
        let find = |kind: u8| turn.legal().iter().position(|action| action.kind == kind);
        find(leduc::kind::RAISE)
            .or(find(leduc::kind::CALL))
            .unwrap_or(0)
            .into()
    }
}

hattari_plugin::export_bots![
    Declared::<Kuhn, Bold>::new("bold", "1.0.0", "Bets and calls, whatever it holds"),
    Declared::<Leduc, Bold>::new("bold-leduc", "1.0.0", "Raises and calls, whatever it holds"),
    Declared::<Kuhn, Solved<Kuhn>>::new(
        "optimal",
        "1.0.0",
        "Plays the equilibrium that training finds"
    ),
    Declared::<Leduc, Solved<Leduc>>::new(
        "optimal-leduc",
        "1.0.0",
        "Plays the equilibrium that training finds"
    ),
];
