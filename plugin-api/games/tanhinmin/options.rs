//! The options of the rules.

use super::Tanhinmin;
use super::records::{PLAYERS_MAX, rule};
use crate::given::{FixedDeal, FixedDealSpec};
use crate::{GameTypes, cards, check_range, options};
use serde::{Deserialize, Serialize};

/// Maximum number of cards per hand. The cards of six players fit one 64-bit set.
pub const CARDS_MAX: u32 = 10;
const _: () = assert!(CARDS_MAX as usize * PLAYERS_MAX <= 64);

/// The time for which a seat that has passed gets no turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassRule {
    /// Until the trick ends.
    #[default]
    Permanent,
    /// Until another seat plays.
    Free,
}

/// The seat that leads if the last seat to play has no cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeadRule {
    /// The next seat with cards.
    #[default]
    Next,
    /// The seat with the lowest number that has cards.
    Lowest,
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

    /// Returns the options as flags of [`View::rules`](super::View::rules).
    #[must_use]
    pub fn flags(&self) -> u8 {
        let is_free = u8::from(self.pass == PassRule::Free);
        let is_lowest = u8::from(self.lead == LeadRule::Lowest);
        (is_free * rule::FREE_PASS) | (is_lowest * rule::LOWEST_LEADS)
    }
}
