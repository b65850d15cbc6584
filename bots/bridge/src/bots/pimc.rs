//! Ordinary multi-world play, [`crate::reason`].

use crate::deceive::{next_of, read_line};
use crate::reason::{self, Reasoning, Tools};
use crate::rules::holdings;
use hattari_double_dummy::{Analyst, Engine};
use hattari_plugin::bridge::{self, Block, Bridge, Card, Holding, Turn, bot, card_of};
use hattari_plugin::{Declared, Rng};
use serde::{Deserialize, Serialize};

/// `pimc`.
pub const PIMC: Declared<Bridge, Pimc> = bot(
    "pimc",
    "2.0.0",
    "Solves sampled deals with open hands and plays what is best on average",
);

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Deals that are solved for a decision, at first.
    pub samples: u32,
    /// With every trick that is over twice as many are, up to so many; no more than `samples`
    /// where this is less.
    pub samples_max: u32,
    /// Milliseconds after which no more deals are solved for a decision; 0: all samples are,
    /// however long it takes. With a limit the choices depend on how fast the machine is.
    pub milliseconds: u32,
    /// Of these, the deals whose tricks are counted; of the others only whether the contract
    /// makes, in half the time. 0: all.
    pub exact: u32,
    /// Whether a card is judged by the chance that the contract makes, and only of equal ones by
    /// tricks; else by tricks alone.
    pub win: bool,
    /// Rule: hands are what the calls say of them.
    pub hcp: bool,
    /// Rule: third hand plays high to the first trick.
    pub third: bool,
    /// Rule: the opening lead of a small card against no trumps is the fourth best of the longest
    /// suit.
    pub lead: bool,
    /// Rule: declarer wins as cheaply as the hand can.
    pub cheap: bool,
    /// While hands have more cards than this, play is by rules of thumb; 13: never.
    pub solves_from: u32,
    /// Declarer's first cards, as in `SA D5`: played one after the other for as long as they may
    /// be.
    pub script: String,
    /// What solves: `own`, `libdds` or `auto`. The choices are the same, their times are not.
    pub engine: Engine,
    /// Memory of the own solver in MiB.
    pub memory_mib: u32,
}

impl Default for Config {
    fn default() -> Self {
        let Reasoning {
            samples,
            samples_max,
            exact,
            win,
            hcp,
            third,
            lead,
            cheap,
            solves_from,
        } = Reasoning::default();
        let (script, engine) = (String::new(), Engine::Own);
        Config {
            samples,
            samples_max,
            exact,
            milliseconds: 0,
            win,
            hcp,
            third,
            lead,
            cheap,
            solves_from,
            script,
            engine,
            memory_mib: 32,
        }
    }
}

impl Config {
    /// How it reasons.
    #[must_use]
    pub fn reasoning(&self) -> Reasoning {
        let &Config {
            samples,
            samples_max,
            exact,
            win,
            hcp,
            third,
            lead,
            cheap,
            solves_from,
            ..
        } = self;
        Reasoning {
            samples,
            samples_max,
            exact,
            win,
            hcp,
            third,
            lead,
            cheap,
            solves_from,
        }
    }
}

/// Plays by sampled deals.
pub struct Pimc {
    milliseconds: u32,
    reasoning: Reasoning,
    holdings: [Holding; 4],
    script: Vec<Card>,
    tools: Tools,
}

/// Refuses a solver without memory.
///
/// # Errors
/// What is wrong, in words for the author of the league.
pub fn check_memory(memory_mib: u32) -> Result<(), String> {
    if memory_mib == 0 {
        Err("`memory_mib` is 0; the solver needs 1 at least".into())
    } else {
        Ok(())
    }
}

impl bridge::Bot for Pimc {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        config.reasoning().check("")?;
        read_line(&config.script).map_err(|error| format!("`script`: {error}"))?;
        check_memory(config.memory_mib)
    }

    fn new(config: Config, block: &Block) -> Result<Pimc, String> {
        let options = block.options()?;
        let declarer = options.setting()?.contract.declarer;
        Ok(Pimc {
            milliseconds: config.milliseconds,
            reasoning: config.reasoning(),
            holdings: holdings(&options, declarer),
            script: read_line(&config.script)?,
            tools: tools(config.engine, config.memory_mib, block.rng())?,
        })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let (view, legal) = (
            turn.view(),
            turn.legal().iter().map(card_of).collect::<Vec<Card>>(),
        );
        let scripted = next_of(&self.script, view).filter(|_| view.seat == view.declarer);
        if let Some(index) = legal.iter().position(|&card| Some(card) == scripted) {
            return index;
        }
        self.tools.begin(self.milliseconds);
        let card = reason::choose(
            view,
            &legal,
            &self.reasoning,
            &self.holdings,
            &mut self.tools,
        );
        legal.iter().position(|&other| other == card).unwrap_or(0)
    }
}

/// Solver and generator of a bot.
///
/// # Errors
/// If the solver that is asked for is not there.
pub fn tools(engine: Engine, memory_mib: u32, rng: Rng) -> Result<Tools, String> {
    let analyst = Analyst::new(engine, memory_mib as usize).map_err(|error| error.to_string())?;
    Ok(Tools {
        analyst,
        rng,
        deadline: None,
    })
}
