//! A poker game as data: streets, forced bets and limits. Hold'em and stud are two tables of them.

use super::card;
use crate::given::{self, Given, Terms};
use serde::{Deserialize, Serialize};

/// Most seats of a poker table.
pub const SEATS_MAX: usize = 9;
/// Most streets of a poker game.
pub const STREETS_MAX: usize = 8;
/// [`SEATS_MAX`] as a number of stacks.
const SEATS_COUNT: i64 = 9;
/// Seat that stands for nobody.
pub const NOBODY: u8 = 0xff;

/// How much may be bet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Anything up to all chips, in raises no smaller than the last whole one.
    #[default]
    NoLimit,
    /// As without limit, and a raise by no more than the pot after calling.
    PotLimit,
    /// Bets and raises of one size.
    FixedLimit,
    /// A bet or raise by no more than what lay in the pot before the street, in raises of any size
    /// (the fuzzy stud system's game).
    StreetPot,
}

/// Who is first to act on a street.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// The seat after the big blind, or after whatever higher was posted.
    AfterBlinds,
    /// The first seat left of the button.
    LeftOfButton,
    /// The lowest card showing, of equal ranks the lowest suit: has to post the bring-in or more.
    LowCard,
    /// The best hand showing; of equal hands the first left of the button.
    HighHand,
    /// The seat with the button.
    Button,
}

/// What one betting interval begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Street {
    /// Cards dealt to each seat face down. Those dealt face up come after them.
    pub down: u8,
    /// Cards dealt to each seat face up.
    pub up: u8,
    /// Community cards.
    pub community: u8,
    /// Each seat turns one of its hidden cards face up, all at the same time, before the betting.
    pub opens: bool,
    /// Who acts first.
    pub first: First,
    /// The least bet; at fixed limit the bet.
    pub bet: i64,
    /// The first to act has to bet or fold.
    pub must_bet: bool,
}

/// Who gets the chips that cannot be split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OddChips {
    /// One each, from the first winner left of the button on.
    #[default]
    LeftOfButton,
    /// One each, from the winner with the highest card on, by rank and then suit.
    HighCard,
}

/// Everything about a poker game that is the same in all of its deals.
#[derive(Clone, Debug)]
pub struct Form {
    /// The streets in order.
    pub streets: Vec<Street>,
    /// How much may be bet.
    pub limit: Limit,
    /// Most bets and raises of a street, forced bets not counted; 0 for no bound.
    pub raises_max: u8,
    /// The same for streets that begin with blinds.
    pub raises_max_blinds: u8,
    /// A seat may fold although it owes nothing, as long as others can bet.
    pub free_folds: bool,
    /// An all-in raise that is less than a whole one lets those act again who have acted.
    pub short_raise_reopens: bool,
    /// After such a raise the least total to raise to stays what it was, or as much over the raise
    /// as it added, where that is more; otherwise a whole raise more is the least.
    pub short_raise_counts: bool,
    /// At fixed limit an all-in that adds half a bet or more lets those act again who have acted,
    /// as a whole one does.
    pub half_bet_counts: bool,
    /// Where a blind or bring-in is posted short, the others owe it in full.
    pub whole_blind: bool,
    /// Chips that every seat puts into the pot before the deal.
    pub ante: i64,
    /// The same by position, where they differ; empty for all the same. The seat left of the
    /// button has position 0.
    pub antes: Vec<i64>,
    /// Antes are the main pot's, whoever had too few chips for his; otherwise such a seat can win
    /// as much of the others'.
    pub dead_antes: bool,
    /// The small and the big blind; heads-up the button posts the small one. 0 for none.
    pub blinds: [i64; 2],
    /// What seats post by position, where that is not the two blinds alone; empty for these. The
    /// highest of them is what all owe, and the seat after it acts first, the last one of
    /// equal ones; where it is posted short, after whatever is highest. A negative amount is
    /// posted too, but moves nobody's turn.
    pub posts: Vec<i64>,
    /// The forced bet of [`First::LowCard`].
    pub bring_in: i64,
    /// Who gets odd chips.
    pub odd_chips: OddChips,
    /// Chips that a seat begins with.
    pub stack: i64,
    /// The same by position, for every deal anew; empty for all the same.
    pub stacks: Vec<i64>,
    /// Stacks are carried from deal to deal; otherwise every deal begins with full ones.
    pub carry: bool,
    /// What a seat without chips is given before the next deal where stacks are carried; 0 ends
    /// the block.
    pub rebuy: i64,
    /// Decks of a block for two split the showdowns evenly.
    pub balanced: bool,
    /// Seat 0 has the button in every deal; otherwise it is drawn once and moves on.
    pub fixed_button: bool,
    /// All hands are shown when a deal is over.
    pub reveal: bool,
    /// Deals that the league gives; empty where all are drawn.
    pub given: Vec<Given>,
}

impl Form {
    /// Reads the option `deals`; the form is otherwise complete.
    ///
    /// # Errors
    /// As [`Terms::read`].
    pub fn give(&mut self, deals: &[String], seats: usize) -> Result<(), String> {
        let hands = vec![usize::from(self.cards_each()); seats];
        let terms = Terms {
            cards: card::parse_list,
            hands: &hands,
            community: self.community().into(),
        };
        self.given = terms.read(deals)?;
        Ok(())
    }

    /// Fewest and most players of a table, of `fewest` and `most` that the game takes: the hands
    /// that are given have seats, and the deck has a place for each of their cards.
    #[must_use]
    pub fn tables(&self, (fewest, most): (usize, usize)) -> (usize, usize) {
        let longest = self
            .given
            .iter()
            .flat_map(|deal| &deal.hands)
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        let fits = |players: &usize| {
            longest <= usize::from(self.places_each(u8::try_from(*players).unwrap_or(u8::MAX)))
        };
        (
            fewest.max(given::most_hands(&self.given)),
            (fewest..=most).rev().find(fits).unwrap_or(fewest),
        )
    }

    /// Places of the deck that belong to each of so many seats. Where the deck is too short, the
    /// last card of each has none of its own.
    #[must_use]
    pub fn places_each(&self, players: u8) -> u8 {
        let each = self.cards_each();
        let fits = u32::from(players) * u32::from(each) + u32::from(self.community()) <= 52;
        if fits { each } else { each - 1 }
    }

    /// Cards that a seat is dealt in a whole deal.
    #[must_use]
    pub fn cards_each(&self) -> u8 {
        self.streets
            .iter()
            .map(|street| street.down + street.up)
            .sum()
    }

    /// The least payoff that one deal can bring a player. Nobody loses more than another has: with
    /// stacks carried this is half of the chips that a full table begins with. Where new chips
    /// are bought there is no such bound; it is the same figure then.
    #[must_use]
    pub fn worst_payoff(&self) -> i64 {
        let most = self.stacks.iter().copied().max().unwrap_or(self.stack);
        if self.carry {
            -(self.stack * SEATS_COUNT / 2)
        } else {
            -most
        }
    }

    /// What the seat of a position puts into the pot before the deal; 0 for a position that has no
    /// figure.
    #[inline]
    #[must_use]
    pub fn ante_of(&self, position: u8) -> i64 {
        if self.antes.is_empty() {
            self.ante
        } else {
            self.antes.get(usize::from(position)).copied().unwrap_or(0)
        }
    }

    /// What the seat of a position posts at a table of so many, negative where it moves nobody's
    /// turn.
    #[inline]
    #[must_use]
    pub fn post_of(&self, position: u8, players: u8) -> i64 {
        if !self.posts.is_empty() {
            return self.posts.get(usize::from(position)).copied().unwrap_or(0);
        }
        let [small, big] = self.blinds;
        match (position, players) {
            (0, 2) | (1, 3..) => big,
            (1, 2) | (0, _) => small,
            _ => 0,
        }
    }

    /// Most bets and raises of a street, 0 for no bound.
    #[inline]
    #[must_use]
    pub fn raises_max_on(&self, street: &Street) -> u8 {
        if street.first == First::AfterBlinds {
            self.raises_max_blinds
        } else {
            self.raises_max
        }
    }

    /// Community cards of a whole deal.
    #[must_use]
    pub fn community(&self) -> u8 {
        self.streets.iter().map(|street| street.community).sum()
    }
}

/// Bounds of amounts in options: sums of chips stay far within 64 bits, and within what floats hold
/// exactly.
pub const CHIPS_MAX: i64 = 1_000_000_000_000;

/// Refuses an amount that is not between `least` and [`CHIPS_MAX`].
///
/// # Errors
/// The option with its value and its range.
pub fn check_chips(name: &str, chips: i64, least: i64) -> Result<(), String> {
    if (least..=CHIPS_MAX).contains(&chips) {
        return Ok(());
    }
    Err(format!(
        "{name} is {chips}, must be {least} to {CHIPS_MAX} chips"
    ))
}
