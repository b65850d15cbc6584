//! A library with three daihinmin bots in one file. Build it with `cargo build --release --example
//! shedder`.
//!
//! The first two bots have the same type and different presets of its config. A league can override
//! the same keys.
#![forbid(unsafe_code)]

use hattari_plugin::daihinmin::{self, Action, Block, DealEnd, Turn};
use hattari_plugin::{Level, NoConfig, Rng};
use serde::{Deserialize, Serialize};

/// The settings for leagues, with their defaults.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Config {
    /// Cards of this column and above (13 is the twos) are kept while any other play is possible.
    keep_from: u8,
    /// Number of random plays per 100 plays.
    whims_percent: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            keep_from: 12,
            whims_percent: 0,
        }
    }
}

/// Sheds as many cards as possible with every play, and keeps its strong cards.
struct Shedder {
    config: Config,
    rng: Rng,
    points: i64,
    player: usize,
}

impl Shedder {
    /// Returns the cost of an action: weak plays of many cards are cheapest, then strong plays; a
    /// pass is most expensive.
    fn cost(&self, action: &Action, turned: bool) -> (bool, bool, u8, u8) {
        let strength = if turned {
            14 - action.column.min(14)
        } else {
            action.column
        };
        let is_strong = action.uses_joker() || strength >= self.config.keep_from;
        (
            action.is_pass(),
            is_strong,
            u8::MAX - action.count,
            strength,
        )
    }
}

impl daihinmin::Bot for Shedder {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.whims_percent > 100 {
            Err("`whims_percent` is at most 100".into())
        } else {
            Ok(())
        }
    }

    fn new(config: Config, block: &Block) -> Result<Self, String> {
        Ok(Shedder {
            config,
            rng: block.rng(),
            points: 0,
            player: block.player,
        })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        if self.rng.odds(self.config.whims_percent, 100) {
            return self.rng.index(turn.legal().len());
        }
        let turned = turn.view().revolution != turn.view().eleven_back;
        let actions = turn.legal().iter().enumerate();
        actions
            .min_by_key(|(_, action)| self.cost(action, turned))
            .map_or(0, |(index, _)| index)
    }

    fn deal_end(&mut self, end: &DealEnd) {
        self.points += end.payoffs()[self.player];
        end.host()
            .log(Level::Debug, &format!("{} points so far", self.points));
    }
}

/// Takes the first action. Does almost no work, so it measures the cost of a call.
struct First;

impl daihinmin::Bot for First {
    type Config = NoConfig;

    fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
        Ok(First)
    }

    fn act(&mut self, _: &Turn) -> usize {
        0
    }
}

hattari_plugin::export_bots![
    daihinmin::bot::<Shedder>(
        "shedder",
        "1.0.0",
        "Sheds as many cards as it can, keeps aces and twos"
    ),
    daihinmin::bot::<Shedder>(
        "moody",
        "1.0.0",
        "Like shedder, but one play in five is random"
    )
    .preset(|| Config {
        whims_percent: 20,
        ..Config::default()
    }),
    daihinmin::bot::<First>("first", "1.0.0", "Takes the first action"),
];
