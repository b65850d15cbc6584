//! Declarers who mislead the defenders, [`crate::deceive`]; as defenders they play like `pimc`.

use super::pimc::{check_memory, tools};
use crate::deceive::{Deceiver, Depth, Source, When, read_line};
use crate::reason::{self, Reasoning, Tools};
use crate::rules::holdings;
use hattari_double_dummy::Engine;
use hattari_plugin::Declared;
use hattari_plugin::bridge::{
    self, Block, Bridge, Card, Turn, View, bot, card_of, strain_of, winner,
};
use serde::{Deserialize, Serialize};

/// `virtual-worlds`.
pub const VIRTUAL_WORLDS: Declared<Bridge, VirtualWorlds<false>> = bot(
    "virtual-worlds",
    "1.0.0",
    "Declares by what the first defender on lead will believe; defends like pimc",
);

/// `virtual-worlds-deep`.
pub const VIRTUAL_WORLDS_DEEP: Declared<Bridge, VirtualWorlds<true>> = bot(
    "virtual-worlds-deep",
    "1.0.0",
    "Declares by what everybody will believe to the end; defends like pimc",
);

/// What a league may set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Config {
    /// Candidates for the real deal that declarer thinks through.
    pub candidates: u32,
    /// Which decisions are thought through: `winning` or `always`.
    pub when: When,
    /// Milliseconds after which nothing more is dealt for a decision; 0: as long as it takes.
    pub milliseconds: u32,
    /// How this bot reasons: for candidates, in all other decisions, and as a defender.
    pub own: Reasoning,
    /// How defenders are taken to reason.
    pub opponents: Reasoning,
    /// How declarer is imagined to go on, as in `D5 DA CQ`, until a defender is on lead
    /// (`virtual-worlds` alone). What it does not say is by rules of thumb: the longest suit
    /// is developed.
    pub line: String,
    /// What solves: `own`, `libdds` or `auto`.
    pub engine: Engine,
    /// Memory of the own solver in MiB.
    pub memory_mib: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            candidates: 20,
            when: When::Winning,
            milliseconds: 0,
            own: Reasoning::default(),
            opponents: Reasoning {
                cheap: true,
                ..Reasoning::default()
            },
            line: String::new(),
            engine: Engine::Own,
            memory_mib: 32,
        }
    }
}

/// A declarer who thinks about what defenders think; `DEEP`ly of all their decisions, else of the
/// first on lead.
pub struct VirtualWorlds<const DEEP: bool> {
    deceiver: Deceiver,
    when: When,
    milliseconds: u32,
    tools: Tools,
}

impl<const DEEP: bool> bridge::Bot for VirtualWorlds<DEEP> {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.candidates == 0 {
            return Err("`candidates` is 0; at least one deal has to be thought through".into());
        }
        config.own.check("own.")?;
        config.opponents.check("opponents.")?;
        read_line(&config.line).map_err(|error| format!("`line`: {error}"))?;
        check_memory(config.memory_mib)
    }

    fn new(config: Config, block: &Block) -> Result<Self, String> {
        let options = block.options()?;
        let declarer = options.setting()?.contract.declarer;
        let deceiver = Deceiver {
            candidates: config.candidates,
            depth: if DEEP { Depth::All } else { Depth::First },
            own: config.own,
            opponents: config.opponents,
            holdings: holdings(&options, declarer),
            line: read_line(&config.line)?,
        };
        let tools = tools(config.engine, config.memory_mib, block.rng())?;
        Ok(VirtualWorlds {
            deceiver,
            when: config.when,
            milliseconds: config.milliseconds,
            tools,
        })
    }

    fn act(&mut self, turn: &Turn) -> usize {
        let (view, legal) = (
            turn.view(),
            turn.legal().iter().map(card_of).collect::<Vec<Card>>(),
        );
        self.tools.begin(self.milliseconds);
        let deceiver = &self.deceiver;
        let thinks = |cards: &[Card], tools: &mut Tools| {
            let verdict = deceiver.judge(view, cards, Source::Sampled(&|_| true), tools);
            cards[reason::best(&verdict.tallies, cards, true, deceiver.own.win)]
        };
        let is_declarer = view.seat == view.declarer;
        let card = if is_declarer && self.when == When::Always && legal.len() > 1 {
            thinks(&legal, &mut self.tools)
        } else {
            let ordinary = reason::choose(
                view,
                &legal,
                &deceiver.own,
                &deceiver.holdings,
                &mut self.tools,
            );
            let winners = choice_of_winners(view, &legal);
            let is_choice = is_declarer && winners.len() > 1 && winners.contains(&ordinary);
            if is_choice {
                thinks(&winners, &mut self.tools)
            } else {
                ordinary
            }
        };
        legal.iter().position(|&other| other == card).unwrap_or(0)
    }
}

/// The cards that win the trick for declarer, where declarer is last to play and plays from the own
/// hand; else none.
#[must_use]
pub fn choice_of_winners(view: &View, legal: &[Card]) -> Vec<Card> {
    let table = view.table();
    if table.len() != 3 || view.turn != view.declarer {
        return Vec::new();
    }
    let wins = |card: &Card| winner(&[table[0], table[1], table[2], *card], strain_of(view)) == 3;
    legal.iter().copied().filter(wins).collect()
}
