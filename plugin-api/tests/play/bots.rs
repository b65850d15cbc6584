//! Opponents.

use hattari_plugin::daihinmin::{self, Block, Turn};
use hattari_plugin::{NoConfig, Rng};

/// Plays its weakest cards, and passes only if it has no play.
struct Weakest;

impl daihinmin::Bot for Weakest {
    type Config = NoConfig;
    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(Weakest)
    }
    fn act(&mut self, turn: &Turn) -> usize {
        let turned = turn.view().revolution != 0;
        let plays = turn
            .legal()
            .iter()
            .enumerate()
            .filter(|(_, action)| !action.is_pass());
        let weakness = |action: &daihinmin::Action| {
            (
                action.uses_joker(),
                if turned {
                    20 - action.column
                } else {
                    action.column
                },
                20 - action.count,
            )
        };
        plays
            .min_by_key(|(_, action)| weakness(action))
            .map_or(0, |(index, _)| index)
    }
}

/// Plays random actions.
struct Any(Rng);

impl daihinmin::Bot for Any {
    type Config = NoConfig;
    fn new(_: NoConfig, block: &Block) -> Result<Self, String> {
        Ok(Any(block.rng()))
    }
    fn act(&mut self, turn: &Turn) -> usize {
        self.0.index(turn.legal().len())
    }
}

hattari_plugin::export_bots![
    daihinmin::bot::<Weakest>("weakest", "1.0.0", "Plays its weakest cards"),
    daihinmin::bot::<Any>("any", "1.0.0", "Plays anything"),
];
