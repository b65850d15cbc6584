//! The switches of the rules.

use super::records::{PLAYERS_MAX, rule};
use super::schema::card_name;
use crate::given::{Given, Terms};
use serde::{Deserialize, Serialize};

/// Most cards of a hand: six players' cards still are one set.
pub const CARDS_MAX: u32 = 10;
const _: () = assert!(CARDS_MAX as usize * PLAYERS_MAX <= 64);

/// How long a pass binds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PassRule {
    /// Until the trick ends.
    #[default]
    Permanent,
    /// Until somebody plays.
    Free,
}

/// Who leads where the last to play has gone out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeadRule {
    /// The next seat with cards.
    #[default]
    Next,
    /// The lowest seat with cards.
    Lowest,
}

/// Every switch of the rules. The default is the preset `paper`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Cards of each player, 1 to 10.
    pub cards: u32,
    /// How long a pass binds.
    pub pass: PassRule,
    /// Who leads where the last to play has gone out.
    pub lead: LeadRule,
    /// Deals to be played in turn, from block to block, again from the first after the last: hands
    /// with `/` between them, seat 1's first. What is not named is drawn. Without them all
    /// cards are.
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
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["paper"];

    /// The preset of that name.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        (name == "paper").then(Options::default)
    }

    /// Whether the rules can be played; the deals that are given.
    ///
    /// # Errors
    /// The option that is out of its range, and the range.
    pub fn check(&self) -> Result<Vec<Given>, String> {
        if !(1..=CARDS_MAX).contains(&self.cards) {
            return Err(format!(
                "cards is {}, must be 1 to {CARDS_MAX} (number of cards of each player)",
                self.cards
            ));
        }
        let hands = [self.cards as usize; PLAYERS_MAX];
        Terms {
            cards: card_list,
            hands: &hands,
            community: 0,
        }
        .read(&self.deals)
    }

    /// The switches as the flags of [`View::rules`](super::View::rules).
    #[must_use]
    pub fn flags(&self) -> u8 {
        let up = |on, flag| if on { flag } else { 0 };
        up(self.pass == PassRule::Free, rule::FREE_PASS)
            | up(self.lead == LeadRule::Lowest, rule::LOWEST_LEADS)
    }
}

/// Cards from their strengths, as in `4 11 12`.
fn card_list(text: &str) -> Result<Vec<u8>, String> {
    let most = CARDS_MAX as usize * PLAYERS_MAX;
    let card = |word: &str| {
        let number = (0..60).find(|&card| card_name(card) == Some(word));
        number.ok_or_else(|| {
            format!(
                "`{word}` is not a card: write its strength, a number from \
             1 to {most}"
            )
        })
    };
    text.split_whitespace().map(card).collect()
}
