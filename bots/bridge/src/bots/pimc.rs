//! The bot `pimc`: plays by solving sampled deals (multi-world play, [`crate::reason`]).

use crate::deceive::{next_unplayed, read_line};
use crate::reason::{self, Reasoning, Tools};
use hattari_double_dummy::{DoubleDummy, Engine};
use hattari_plugin::bridge::{self, Block, Bridge, Card, HandConstraints, Turn, bot, card_of};
use hattari_plugin::{Declared, Rng};
use serde::{Deserialize, Serialize};

/// Declaration of the bot `pimc`.
pub const PIMC: Declared<Bridge, Pimc> = bot(
    "pimc",
    "2.0.0",
    "Samples the hidden hands, solves each deal, plays the card that is best on average",
);

hattari_plugin::games::defaults! {
    /// Settings of the bot `pimc`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Config {
        /// Number of deals that are solved for a decision, as [`Reasoning::samples`].
        pub samples: u32 = Reasoning::default().samples,
        /// Maximum number of deals, as [`Reasoning::samples_max`].
        pub samples_max: u32 = Reasoning::default().samples_max,
        /// Time limit of a decision in milliseconds; 0 for none. With a limit, choices depend on
        /// the speed of the machine.
        pub milliseconds: u32 = 0,
        /// Number of deals for which tricks are counted, as [`Reasoning::exact`].
        pub exact: u32 = Reasoning::default().exact,
        /// True to judge cards by the contract before tricks, as [`Reasoning::win`].
        pub win: bool = Reasoning::default().win,
        /// Inference rule about the calls, as [`Reasoning::hcp`].
        pub hcp: bool = Reasoning::default().hcp,
        /// Inference rule about third hand, as [`Reasoning::third`].
        pub third: bool = Reasoning::default().third,
        /// Inference rule about the opening lead, as [`Reasoning::lead`].
        pub lead: bool = Reasoning::default().lead,
        /// Inference rule about declarer, as [`Reasoning::cheap`].
        pub cheap: bool = Reasoning::default().cheap,
        /// Maximum number of cards per hand for which deals are solved, as
        /// [`Reasoning::solves_from`].
        pub solves_from: u32 = Reasoning::default().solves_from,
        /// Cards that the bot plays first as declarer, for example `SA D5`. They are played in this
        /// order as long as they are legal.
        pub script: String = String::new(),
        /// The solver: `own`, `libdds` or `auto`. It affects only the speed, not the choices.
        pub engine: Engine = Engine::Own,
        /// Memory of the built-in solver in MiB.
        pub memory_mib: u32 = 32,
    }
}

impl Config {
    /// Returns the settings of ordinary reasoning.
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

/// A player that solves sampled deals double dummy.
pub struct Pimc {
    milliseconds: u32,
    reasoning: Reasoning,
    holdings: [HandConstraints; 4],
    script: Vec<Card>,
    tools: Tools,
}

/// Checks the setting `memory_mib`.
///
/// # Errors
/// Returns an error text for the author of the league if the setting is 0.
pub fn check_memory(memory_mib: u32) -> Result<(), String> {
    if memory_mib == 0 {
        Err("`memory_mib` is 0; the solver needs at least 1".into())
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
        Ok(Pimc {
            milliseconds: config.milliseconds,
            reasoning: config.reasoning(),
            holdings: block.options()?.setup()?.holdings,
            script: read_line(&config.script)?,
            tools: tools(config.engine, config.memory_mib, block.rng())?,
        })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let (view, legal) = (
            turn.view(),
            turn.legal().iter().map(card_of).collect::<Vec<Card>>(),
        );
        let scripted = next_unplayed(&self.script, view).filter(|_| view.seat == view.declarer);
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

/// Creates the reasoning tools of a bot: a solver with this memory limit, and the random number
/// generator `rng`.
///
/// # Errors
/// Returns an error if the requested solver is not available.
pub fn tools(engine: Engine, memory_mib: u32, rng: Rng) -> Result<Tools, String> {
    let solver =
        DoubleDummy::new(engine, memory_mib as usize).map_err(|error| error.to_string())?;
    Ok(Tools {
        solver,
        rng,
        deadline: None,
    })
}
