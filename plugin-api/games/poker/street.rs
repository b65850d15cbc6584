//! A poker game as data: streets, forced bets and limits. Hold'em and stud are defined in this way.

use super::card;
use crate::given::{self, FixedDeal, FixedDealSpec};
use crate::{check_range, choices};

pub use crate::seats::NOBODY;

/// Maximum number of seats at a poker table.
pub const SEATS_MAX: usize = 9;
/// Maximum number of streets of a poker game.
pub const STREETS_MAX: usize = 8;
/// [`SEATS_MAX`] as an `i64`.
const SEATS_COUNT: i64 = 9;

choices! {
    /// The betting limit.
    pub enum BetLimit {
        /// Up to all chips; a raise must be at least as large as the last whole raise.
        NoLimit,
        /// The no-limit rules, but a raise is at most the pot after calling.
        PotLimit,
        /// Bets and raises of one size.
        FixedLimit,
        /// A bet or raise is at most the pot before the street; raises have no minimum. Used in a
        /// published experiment with a fuzzy-logic stud player.
        StreetPot,
    }
}

/// The first seat to act on a street.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstToAct {
    /// The seat after the big blind, or after a higher forced bet.
    AfterBlinds,
    /// The first seat left of the button.
    #[default]
    LeftOfButton,
    /// The seat with the lowest open card; of equal ranks the lowest suit. It must post the
    /// bring-in or bet more.
    LowCard,
    /// The seat with the best open hand; of equal hands the first left of the button.
    HighHand,
    /// The seat with the button.
    Button,
}

/// The rules of one street.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Street {
    /// Number of cards dealt face down to each seat, before the face-up cards.
    pub down: u8,
    /// Number of cards dealt face up to each seat.
    pub up: u8,
    /// Number of community cards.
    pub community: u8,
    /// `true` if each seat turns one hidden card up, all at the same time, before the betting.
    pub opens: bool,
    /// First seat to act.
    pub first: FirstToAct,
    /// Minimum bet; at fixed limit the size of all bets.
    pub bet: i64,
    /// `true` if the first seat to act must bet or fold.
    pub must_bet: bool,
}

choices! {
    /// The rule for chips of a pot that cannot be split evenly among the winners.
    pub enum OddChips {
        /// One chip each, starting with the first winner left of the button.
        LeftOfButton,
        /// One chip each, starting with the winner of the highest card, by rank and then suit.
        HighCard,
    }
}

/// The rules of a poker game, which are the same in all of its deals.
#[derive(Clone, Debug, Default)]
pub struct BettingStructure {
    /// The streets in order.
    pub streets: Vec<Street>,
    /// Betting limit.
    pub limit: BetLimit,
    /// Maximum number of bets and raises per street, not counting forced bets; 0 for no limit.
    pub raises_max: u8,
    /// Maximum number of bets and raises on a street with blinds; 0 for no limit.
    pub raises_max_blinds: u8,
    /// `true` if a seat may fold although it could check, as long as another seat can bet.
    pub free_folds: bool,
    /// `true` if a seat that has acted may raise again after an all-in raise of less than a whole
    /// raise.
    pub short_raise_reopens: bool,
    /// Minimum total after an all-in raise of less than a whole raise. `true`: the old minimum, or
    /// the new total plus the amount that the raise added, whichever is higher. `false`: one whole
    /// raise above the new total.
    pub short_raise_counts: bool,
    /// `true` if, at fixed limit, an all-in raise of half a bet or more counts as a whole raise.
    pub half_bet_counts: bool,
    /// `true` if the other seats must match the full blind or bring-in even if it was posted short.
    pub whole_blind: bool,
    /// Ante of every seat in chips.
    pub ante: i64,
    /// Antes by position, if they differ; otherwise empty. Position 0 is the seat left of the
    /// button.
    pub antes: Vec<i64>,
    /// `true` if all antes belong to the main pot. `false`: a seat that could not pay its whole
    /// ante wins only the same amount of each other ante.
    pub dead_antes: bool,
    /// Small and big blind; 0 for none. Heads-up, the button posts the small blind.
    pub blinds: [i64; 2],
    /// Forced bets by position, if there are others than the two blinds; otherwise empty. All seats
    /// must match the highest. The seat after it acts first; of equal bets, the last counts. If it
    /// was posted short, the highest other bet counts. A negative amount is posted too, but does
    /// not influence who acts first.
    pub posts: Vec<i64>,
    /// Forced bet of the seat with the lowest open card.
    pub bring_in: i64,
    /// Receiver of odd chips.
    pub odd_chips: OddChips,
    /// Initial chips of a seat.
    pub stack: i64,
    /// Initial chips by position in every deal; empty if all seats have `stack`.
    pub stacks: Vec<i64>,
    /// `true` if stacks are carried from deal to deal; otherwise each deal starts with full stacks.
    pub carry: bool,
    /// Chips that a seat without chips gets before the next deal if stacks are carried. With 0, the
    /// block ends instead.
    pub rebuy: i64,
    /// `true` if decks are balanced: each of two players wins half of the showdowns of a block.
    pub balanced: bool,
    /// `true` if seat 0 always has the button; otherwise the button is drawn once and moves with
    /// each deal.
    pub fixed_button: bool,
    /// `true` if all hands are shown at the end of a deal.
    pub reveal: bool,
    /// Given deals of the league; empty if all deals are random.
    pub given: Vec<FixedDeal>,
}

impl BettingStructure {
    /// Parses the option `deals`. All other fields must be set.
    ///
    /// # Errors
    /// Returns the errors of [`FixedDealSpec::read`].
    pub fn set_given_deals(&mut self, deals: &[String], seats: usize) -> Result<(), String> {
        let hands = vec![usize::from(self.cards_per_seat()); seats];
        let terms = FixedDealSpec {
            cards: card::parse_list,
            hands: &hands,
            community: self.community().into(),
        };
        self.given = terms.read(deals)?;
        Ok(())
    }

    /// Returns the minimum and maximum number of players, within the game's `fewest` and `most`. At
    /// such a table, all given hands have seats, and all their cards have places in the deck.
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
            fewest.max(given::hands_max(&self.given)),
            (fewest..=most).rev().find(fits).unwrap_or(fewest),
        )
    }

    /// Returns the number of places in the deck per seat. If the deck is too short, this does not
    /// include the last card of each seat.
    pub fn places_each(&self, players: u8) -> u8 {
        let each = self.cards_per_seat();
        let fits = u32::from(players) * u32::from(each) + u32::from(self.community()) <= 52;
        if fits { each } else { each - 1 }
    }

    /// Returns the number of cards that a seat gets in a whole deal.
    pub fn cards_per_seat(&self) -> u8 {
        self.streets
            .iter()
            .map(|street| street.down + street.up)
            .sum()
    }

    /// Returns the lowest payoff of a player in one deal. A loss cannot exceed the stack of another
    /// seat: if stacks are carried, that is half of all initial chips of a full table. With rebuys
    /// there is no bound; the same number is returned.
    pub fn worst_payoff(&self) -> i64 {
        let most = self.stacks.iter().copied().max().unwrap_or(self.stack);
        if self.carry {
            -(self.stack * SEATS_COUNT / 2)
        } else {
            -most
        }
    }

    /// Returns the ante of a position; 0 if the position has none.
    #[inline]
    pub fn ante_of(&self, position: u8) -> i64 {
        if self.antes.is_empty() {
            self.ante
        } else {
            self.antes.get(usize::from(position)).copied().unwrap_or(0)
        }
    }

    /// Returns the forced bet of a position for a number of players; negative if it does not
    /// influence who acts first.
    #[inline]
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

    /// Returns the maximum number of bets and raises on a street; 0 for no limit.
    #[inline]
    pub fn raises_max_on(&self, street: &Street) -> u8 {
        if street.first == FirstToAct::AfterBlinds {
            self.raises_max_blinds
        } else {
            self.raises_max
        }
    }

    /// Returns the number of community cards of a whole deal.
    pub fn community(&self) -> u8 {
        self.streets.iter().map(|street| street.community).sum()
    }
}

/// Maximum amount in options. Sums of chips stay far within 64 bits and within the exact range of
/// floating-point numbers.
pub const CHIPS_MAX: i64 = 1_000_000_000_000;

/// Checks that an amount is between `least` and [`CHIPS_MAX`].
///
/// # Errors
/// Returns the name of the option with its value and range.
pub fn check_chips(name: &str, chips: i64, least: i64) -> Result<(), String> {
    check_range(name, chips, least..=CHIPS_MAX).map_err(|error| error + " chips")
}
