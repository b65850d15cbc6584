//! The options of the rules.

use super::records::{PLAYERS_MAX, rule};
use super::schema::card_name;
use crate::given::{FixedDeal, FixedDealSpec};
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

/// The options of the rules. The default is the preset `paper`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Number of cards of each player, 1 to 10.
    pub cards: u32,
    /// Time for which a seat that has passed gets no turn: `permanent` or `free`.
    pub pass: PassRule,
    /// Leader if the last seat to play has no cards: `next` or `lowest`.
    pub lead: LeadRule,
    /// Given deals. Blocks play them in turn and start again after the last. Hands start with seat
    /// 1 and are separated by `/`. Cards that are not named are random. If the list is empty, all
    /// deals are random.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deals: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cards: 3,
            pass: PassRule::Permanent,
            lead: LeadRule::Next,
            deals: Vec::new(),
        }
    }
}

impl Options {
    /// The names of the presets.
    pub const PRESETS: &'static [&'static str] = &["paper"];

    /// Returns the preset `name`, or `None` if there is no such preset.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        (name == "paper").then(Options::default)
    }

    /// Checks the options and returns the given deals.
    ///
    /// # Errors
    /// Returns the name and the range of an option that is out of range.
    pub fn check(&self) -> Result<Vec<FixedDeal>, String> {
        if !(1..=CARDS_MAX).contains(&self.cards) {
            return Err(format!(
                "cards is {}, must be 1 to {CARDS_MAX} (number of cards of each player)",
                self.cards
            ));
        }
        let hands = [self.cards as usize; PLAYERS_MAX];
        FixedDealSpec {
            cards: card_list,
            hands: &hands,
            community: 0,
        }
        .read(&self.deals)
    }

    /// Returns the options as flags of [`View::rules`](super::View::rules).
    #[must_use]
    pub fn flags(&self) -> u8 {
        let up = |on, flag| if on { flag } else { 0 };
        up(self.pass == PassRule::Free, rule::FREE_PASS)
            | up(self.lead == LeadRule::Lowest, rule::LOWEST_LEADS)
    }
}

/// Parses the strengths of cards, for example `4 11 12`.
fn card_list(text: &str) -> Result<Vec<u8>, String> {
    let most = CARDS_MAX as usize * PLAYERS_MAX;
    let card = |word: &str| {
        let number = (0..60).find(|&card| card_name(card) == Some(word));
        number.ok_or_else(|| {
            format!(
                "`{word}` is not a card; write its strength, a number from \
             1 to {most}"
            )
        })
    };
    text.split_whitespace().map(card).collect()
}
