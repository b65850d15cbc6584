//! The options of the rules.

use super::Tanhinmin;
use super::records::PLAYERS_MAX;
use crate::given::{FixedDeal, FixedDealSpec};
use crate::{GameTypes, cards, check_range, choices, options};

/// Maximum number of cards per hand. The cards of six players fit one 64-bit set.
pub const CARDS_MAX: u32 = 10;
const _: () = assert!(CARDS_MAX as usize * PLAYERS_MAX <= 64);

choices! {
    /// The time for which a seat that has passed gets no turn.
    pub enum PassRule {
        /// Until the trick ends.
        Permanent,
        /// Until another seat plays.
        Free,
    }

    /// The seat that leads if the last seat to play has no cards.
    pub enum LeadRule {
        /// The next seat with cards.
        Next,
        /// The seat with the lowest number that has cards.
        Lowest,
    }
}

options! {
    /// The options of the rules. The default is the preset `paper`.
    pub struct Options {
        /// Number of cards of each player, 1 to 10.
        pub cards: u32 = 3,
        /// Time for which a seat that has passed gets no turn: `permanent` or `free`.
        pub pass: PassRule = PassRule::Permanent,
        /// Leader if the last seat to play has no cards: `next` or `lowest`.
        pub lead: LeadRule = LeadRule::Next,
    }
    /// Given deals. Blocks play them in turn and start again after the last. Hands start with
    /// seat 1 and are separated by `/`. Cards that are not named are random. If the list is
    /// empty, all deals are random.
    given deals
    presets {
        /// - `paper`: three cards per player, as in the paper.
        "paper" {},
    }
}

impl Options {
    /// Checks the options and returns the given deals.
    ///
    /// # Errors
    /// Returns the name and the range of an option that is out of range.
    pub fn check(&self) -> Result<Vec<FixedDeal>, String> {
        check_range("cards", self.cards, 1..=CARDS_MAX)
            .map_err(|error| error + " (number of cards of each player)")?;
        FixedDealSpec {
            cards: |text| {
                let names = "its strength, a number from 1 to 60";
                cards::parse_names(text, Tanhinmin::card_name, names)
            },
            hands: &[self.cards as usize; PLAYERS_MAX],
            community: 0,
        }
        .read(&self.deals)
    }
}
