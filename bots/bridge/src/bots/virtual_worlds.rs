//! Bots that mislead the defenders as declarer ([`crate::deceive`]). As defenders they play like
//! `pimc`.

use super::pimc::{check_memory, tools};
use crate::deceive::{Deceiver, DeceptionScope, Source, read_line};
use crate::reason::{self, Reasoning, Tools};
use hattari_double_dummy::Engine;
use hattari_plugin::Declared;
use hattari_plugin::bridge::{self, Block, Bridge, Card, Turn, View, bot, card_of, wins_trick};
use serde::{Deserialize, Serialize};

/// Declaration of the bot `virtual-worlds`.
pub const VIRTUAL_WORLDS: Declared<Bridge, VirtualWorlds<false>> = bot(
    "virtual-worlds",
    "1.0.0",
    "As declarer, plays to mislead the defender who gets the lead first; defends like pimc",
);

/// Declaration of the bot `virtual-worlds-deep`.
pub const VIRTUAL_WORLDS_DEEP: Declared<Bridge, VirtualWorlds<true>> = bot(
    "virtual-worlds-deep",
    "1.0.0",
    "As declarer, plays to mislead both defenders until the end of the deal; defends like pimc",
);

hattari_plugin::games::defaults! {
    /// Settings of the bots `virtual-worlds` and `virtual-worlds-deep`.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Config {
        /// Number of sampled candidates for the real deal.
        pub candidates: u32 = 20,
        /// The decisions that take the defenders' reasoning into account: `winning` or `always`.
        pub when: DeceptionScope = DeceptionScope::Winning,
        /// Time limit of a decision in milliseconds; 0 for none.
        pub milliseconds: u32 = 0,
        /// Reasoning of this bot. Used to sample candidates, for the defence, and for decisions
        /// that `when` does not include.
        pub own: Reasoning = Reasoning::default(),
        /// Assumed reasoning of the defenders.
        pub opponents: Reasoning = Reasoning {
            cheap: true,
            ..Reasoning::default()
        },
        /// Cards that declarer is assumed to play until a defender is on lead, for example `D5 DA
        /// CQ` (only for `virtual-worlds`). Further cards are chosen by rules of thumb, which
        /// develop the longest suit.
        pub line: String = String::new(),
        /// The solver: `own`, `libdds` or `auto`.
        pub engine: Engine = Engine::Own,
        /// Memory of the built-in solver in MiB.
        pub memory_mib: u32 = 32,
    }
}

/// A declarer that takes the defenders' reasoning into account. If `DEEP`, all decisions of the
/// defenders are modelled; otherwise only the first decision of a defender on lead.
pub struct VirtualWorlds<const DEEP: bool> {
    deceiver: Deceiver,
    when: DeceptionScope,
    milliseconds: u32,
    tools: Tools,
}

impl<const DEEP: bool> bridge::Bot for VirtualWorlds<DEEP> {
    type Config = Config;

    fn check(config: &Config) -> Result<(), String> {
        if config.candidates == 0 {
            return Err(
                "`candidates` is 0, but must be at least 1 (number of possible deals to examine)"
                    .into(),
            );
        }
        config.own.check("own.")?;
        config.opponents.check("opponents.")?;
        read_line(&config.line).map_err(|error| format!("`line`: {error}"))?;
        check_memory(config.memory_mib)
    }

    fn new(config: Config, block: &Block) -> Result<Self, String> {
        let deceiver = Deceiver {
            candidates: config.candidates,
            models_all: DEEP,
            own: config.own,
            opponents: config.opponents,
            holdings: block.options()?.setup()?.holdings,
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
            let results = deceiver.judge(view, cards, Source::Sampled(&|_| true), tools);
            cards[reason::best(&results.tallies, cards, true, deceiver.own.win)]
        };
        let is_declarer = view.seat == view.declarer;
        let card = if is_declarer && self.when == DeceptionScope::Always && legal.len() > 1 {
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

/// Returns the cards with which declarer can win the trick, if declarer plays the last card of the
/// trick from its own hand. Otherwise returns an empty list.
pub fn choice_of_winners(view: &View, legal: &[Card]) -> Vec<Card> {
    let table = view.table();
    if table.len() != 3 || view.turn != view.declarer {
        return Vec::new();
    }
    let wins = |card: &Card| wins_trick(&table, *card, view.trumps());
    legal.iter().copied().filter(wins).collect()
}
