//! Ordinary multi-world play: deal what cannot be seen many times, solve each deal with open hands, play the card that is
//! best on average (M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", 2001).

use crate::worlds::{Worlds, holdings};
use hattari_double_dummy::{Analyst, Engine, Position};
use hattari_plugin::bridge::{self, Block, Bridge, Card, Holding, Seat, Turn, View, bot, card_of, strain_of};
use hattari_plugin::{Declared, Rng};
use serde::{Deserialize, Serialize};

/// `pimc`.
pub const PIMC: Declared<Bridge, Pimc> =
    bot("pimc", "1.0.0", "Solves sampled deals with open hands and plays what is best on average");

/// What a card is judged by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aim {
    /// The chance that the contract makes, or fails; of equal ones the tricks.
    #[default]
    Contract,
    /// The tricks alone.
    Tricks,
}

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Deals that are solved for a decision.
    pub samples: u32,
    /// What a card is judged by: `contract` or `tricks`.
    pub aim: Aim,
    /// Whether sampled hands are what the calls say of them.
    pub reads_calls: bool,
    /// What solves: `own`, `libdds` or `auto`. The choices are the same, their times are not.
    pub engine: Engine,
    /// Memory of the own solver in MiB.
    pub memory_mib: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { samples: 20, aim: Aim::Contract, reads_calls: true, engine: Engine::Own, memory_mib: 32 }
    }
}

/// Plays by sampled deals.
pub struct Pimc {
    config: Config,
    holdings: [Holding; 4],
    analyst: Analyst,
    rng: Rng,
}

/// What a card has brought in all sampled deals together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Deals in which the contract makes.
    pub made: u32,
    /// Tricks of declarer's side in all.
    pub tricks: u32,
}

impl bridge::Bot for Pimc {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.samples == 0 {
            return Err("`samples` is 0; at least one deal has to be solved".into());
        }
        if config.memory_mib == 0 {
            return Err("`memory_mib` is 0; the solver needs 1 at least".into());
        }
        Ok(())
    }

    fn new(config: Config, block: &Block) -> Result<Pimc, String> {
        let options = block.options()?;
        let declarer = options.setting()?.contract.declarer;
        let holdings = if config.reads_calls { holdings(&options, declarer) } else { [Holding::default(); 4] };
        let analyst = Analyst::new(config.engine, config.memory_mib as usize).map_err(|error| error.to_string())?;
        Ok(Pimc { config, holdings, analyst, rng: block.rng() })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let legal: Vec<Card> = turn.legal().iter().map(card_of).collect();
        let tallies = self.judge(turn.view(), &legal);
        let is_declarer = turn.view().seat == turn.view().declarer;
        let worth = |tally: &Tally| {
            let made = if self.config.aim == Aim::Contract { i64::from(tally.made) } else { 0 };
            let worth = (made, i64::from(tally.tricks));
            if is_declarer { worth } else { (-worth.0, -worth.1) }
        };
        // Of equal cards the lowest, which gives the least away.
        let key = |&index: &usize| (worth(&tallies[index]), std::cmp::Reverse(legal[index].rank()));
        (0..legal.len()).max_by_key(key).unwrap_or(0)
    }
}

impl Pimc {
    /// What each of the cards brings declarer's side in sampled deals.
    fn judge(&mut self, view: &View, legal: &[Card]) -> Vec<Tally> {
        let declarers = Seat::ALL[usize::from(view.declarer & 3)].side();
        let (leader, table) = (Seat::ALL[usize::from(view.leader & 3)], view.table());
        let won = view.won[usize::from(view.declarer % 2)];
        let mut tallies = vec![Tally::default(); legal.len()];
        let mut worlds = Worlds::of(view, &self.holdings);
        for _ in 0..self.config.samples {
            let hands = worlds.draw(&mut self.rng);
            let position = Position::new(hands, strain_of(view), leader, &table).expect("sampled hands fit the trick");
            let values = self.analyst.all_cards(&position, declarers).expect("a sound position is solved");
            for (card, tricks) in values {
                if let Some(at) = legal.iter().position(|&other| other == card) {
                    tallies[at].made += u32::from(won + tricks >= 6 + view.level);
                    tallies[at].tricks += u32::from(won + tricks);
                }
            }
        }
        tallies
    }
}
