//! Bots for daihinmin (大貧民).
//!
//! A bot picks from `turn.legal()` by index. The whole situation stands in `turn.view()`, so a bot needs to keep nothing
//! between calls; what has been played, move by move, is in `turn.history()`.
//!
//! ```
//! use hattari_plugin::{NoConfig, daihinmin, daihinmin::{Block, Turn}};
//!
//! /// Sheds as many cards as it can, weakest first.
//! struct Greedy;
//!
//! impl daihinmin::Bot for Greedy {
//!     type Config = NoConfig;
//!     fn new(_: NoConfig, _: &Block) -> Result<Self, String> {
//!         Ok(Greedy)
//!     }
//!     fn act(&mut self, turn: &Turn) -> usize {
//!         let cost = |i: &usize| (std::cmp::Reverse(turn.legal()[*i].count), turn.legal()[*i].column);
//!         (0..turn.legal().len()).min_by_key(cost).unwrap_or(0)
//!     }
//! }
//! ```

use crate::games::daihinmin as rules;
use crate::{Choice, Config, Declared, Player};

pub use rules::{Action, Daihinmin, Event, NONE, Options, PLAYERS, View, card, effect, event, flag, kind, phase, rule};

/// What a block starts with.
pub type Block<'a> = crate::Block<'a, Daihinmin>;
/// Cards have been dealt; the exchange is still to come.
pub type DealStart<'a> = crate::DealStart<'a, Daihinmin>;
/// A decision.
pub type Turn<'a> = crate::Turn<'a, Daihinmin>;
/// The deal is over.
pub type DealEnd<'a> = crate::DealEnd<'a, Daihinmin>;

/// A bot. One value plays one block: what it keeps in its fields lasts from deal to deal and is gone with the block.
pub trait Bot: Sized + Send + 'static {
    /// What a league may set; [`NoConfig`](crate::NoConfig) where there is nothing to set.
    type Config: Config;

    /// Refuses a config that can be read but makes no sense, such as no samples at all. Asked as the league is read, so
    /// its author learns of it before anything is played.
    ///
    /// # Errors
    /// What is wrong, in words for the author of the league.
    fn check(_config: &Self::Config) -> Result<(), String> {
        Ok(())
    }

    /// A bot for one block.
    ///
    /// # Errors
    /// Why it does not play this block, for instance because of an option of the rules.
    fn new(config: Self::Config, block: &Block) -> Result<Self, String>;

    /// Cards have been dealt, the exchange is still to come.
    fn deal_start(&mut self, _start: &DealStart) {}

    /// Chooses the cards to give away: an index into `turn.legal()`, whose actions are all of kind
    /// [`kind::GIVE`]. Without a choice of the bot's own, its weakest cards go.
    fn exchange(&mut self, turn: &Turn) -> usize {
        weakest_gift(turn)
    }

    /// Plays or passes: an index into `turn.legal()`.
    fn act(&mut self, turn: &Turn) -> usize;

    /// The deal is over.
    fn deal_end(&mut self, _end: &DealEnd) {}
}

/// Declares a bot for [`export_bots!`](crate::export_bots!): its id (lower case letters, digits, `-`), its version and
/// what it does, in a line.
#[must_use]
pub const fn bot<B: Bot>(id: &'static str, version: &'static str, description: &'static str) -> Declared<Daihinmin, B> {
    Declared::new(id, version, description)
}

/// The gift of the weakest cards among the legal ones of an exchange: lowest rank first, and within a rank clubs,
/// diamonds, hearts, spades, the reverse of the order in which the rules take tribute. The joker goes last.
#[must_use]
pub fn weakest_gift(turn: &Turn) -> usize {
    // No two cards are equally strong and any set of the right size may be given, so the least sum belongs to the weakest.
    let strength = |cards| -> u32 { card::cells(cards).map(|cell| u32::from(cell ^ 3)).sum() };
    let gifts = turn.legal().iter().enumerate();
    gifts.min_by_key(|(_, gift)| strength(gift.cards)).map_or(0, |(index, _)| index)
}

impl<B: Bot> Player<Daihinmin> for B {
    type Config = B::Config;

    fn check(config: &Self::Config) -> Result<(), String> {
        B::check(config)
    }

    fn new(config: Self::Config, block: &Block) -> Result<Self, String> {
        B::new(config, block)
    }

    fn deal_start(&mut self, start: &DealStart) {
        Bot::deal_start(self, start);
    }

    #[inline]
    fn choose(&mut self, turn: &Turn) -> Choice {
        let choice = if turn.view().phase == phase::EXCHANGE { self.exchange(turn) } else { Bot::act(self, turn) };
        choice.into()
    }

    fn deal_end(&mut self, end: &DealEnd) {
        Bot::deal_end(self, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn check_gift(gifts: &[&str], expected: usize) {
        let give = |cards: &&str| Action {
            cards: card::parse_set(cards).unwrap(),
            kind: kind::GIVE,
            count: 2,
            ..Action::zeroed()
        };
        let legal: Vec<Action> = gifts.iter().map(give).collect();
        let view = View { phase: phase::EXCHANGE, ..View::zeroed() };
        assert_eq!(weakest_gift(&Turn::new(&view, &[], &legal)), expected, "{gifts:?}");
    }

    #[test]
    fn weakest_cards_are_given_by_rank_then_suit_and_the_joker_last() {
        check_gift(&["S5 H5", "S3 S4", "S4 D2"], 1);
        check_gift(&["S3 H3", "S3 C3", "D3 C3"], 2);
        check_gift(&["S2 JK", "H2 JK", "S2 H2"], 2);
    }
}
