//! Cards, sets of cards, seats and strains, with their notation.

use crate::cards::name_in;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Letters of the ranks, starting with the two.
const RANKS: &str = "23456789TJQKA";

/// An error for text that is not a card, call, seat or strain: the error and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(String);

impl NotationError {
    pub(super) fn new(text: &str, what: &str, instead: &str) -> Self {
        Self(format!("`{text}` is not a {what}; write {instead}"))
    }
}

/// A suit. The variants are in the order of PBN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Suit {
    /// ♠, suit 0 in card numbers.
    Spades,
    /// ♥, suit 1.
    Hearts,
    /// ♦, suit 2.
    Diamonds,
    /// ♣, suit 3.
    Clubs,
}

impl Suit {
    /// All suits, spades first.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// Returns the letter of the suit.
    pub fn letter(self) -> char {
        ['S', 'H', 'D', 'C'][self as usize]
    }
}

/// A trump suit, or no trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strain {
    /// This suit is trumps.
    Trump(Suit),
    /// No suit is trumps.
    NoTrump,
}

impl Strain {
    /// All strains: spades, hearts, diamonds, clubs, no trumps.
    pub const ALL: [Self; 5] = [
        Self::Trump(Suit::Spades),
        Self::Trump(Suit::Hearts),
        Self::Trump(Suit::Diamonds),
        Self::Trump(Suit::Clubs),
        Self::NoTrump,
    ];

    /// Returns the index in [`Strain::ALL`].
    pub fn index(self) -> u8 {
        match self {
            Self::Trump(suit) => suit as u8,
            Self::NoTrump => 4,
        }
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trump(suit) => write!(f, "{}", suit.letter()),
            Self::NoTrump => f.write_str("NT"),
        }
    }
}

impl FromStr for Strain {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.to_ascii_uppercase().as_str() {
            "NT" | "N" => Ok(Self::NoTrump),
            "S" => Ok(Self::Trump(Suit::Spades)),
            "H" => Ok(Self::Trump(Suit::Hearts)),
            "D" => Ok(Self::Trump(Suit::Diamonds)),
            "C" => Ok(Self::Trump(Suit::Clubs)),
            _ => Err(NotationError::new(text, "strain", "S, H, D, C or NT")),
        }
    }
}

/// A seat. The variants are in the order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[repr(u8)]
pub enum Seat {
    /// Seat 0, partner of South.
    #[serde(rename = "N")]
    North,
    /// Seat 1, partner of West.
    #[serde(rename = "E")]
    East,
    /// Seat 2, partner of North.
    #[serde(rename = "S")]
    South,
    /// Seat 3, partner of East.
    #[serde(rename = "W")]
    West,
}

impl Seat {
    /// All seats, clockwise from North.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns the seat `steps` places clockwise from this one.
    #[must_use]
    pub fn after(self, steps: usize) -> Self {
        Self::ALL[(self as usize + steps) % 4]
    }

    /// Returns the side of the seat.
    pub fn side(self) -> Side {
        if (self as usize).is_multiple_of(2) {
            Side::NorthSouth
        } else {
            Side::EastWest
        }
    }

    /// Returns the letter of the seat.
    pub fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }
}

/// Names of the seats.
pub(super) const COMPASS: [&str; 4] = ["North", "East", "South", "West"];

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(COMPASS[*self as usize])
    }
}

impl FromStr for Seat {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.to_ascii_uppercase().as_str() {
            "N" | "NORTH" => Ok(Self::North),
            "E" | "EAST" => Ok(Self::East),
            "S" | "SOUTH" => Ok(Self::South),
            "W" | "WEST" => Ok(Self::West),
            _ => Err(NotationError::new(text, "seat", "N, E, S or W")),
        }
    }
}

/// A partnership.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// North and South.
    NorthSouth,
    /// East and West.
    EastWest,
}

/// A card. Its number is `13 * suit + rank`; spades are suit 0 and twos rank 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// Returns the card of a suit and a rank from 0 (two) to 12 (ace).
    ///
    /// # Panics
    /// Panics if the rank is above 12.
    pub fn new(suit: Suit, rank: u8) -> Self {
        assert!(rank < 13, "ranks go from 0 to 12");
        Self(suit as u8 * 13 + rank)
    }

    /// Returns the card with this number, or `None` if the number is above 51.
    pub fn from_index(index: u8) -> Option<Self> {
        (index < 52).then_some(Self(index))
    }

    /// The former name of [`Card::from_index`].
    #[deprecated(since = "0.3.0", note = "renamed to `from_index`")]
    pub fn of_index(index: u8) -> Option<Self> {
        Self::from_index(index)
    }

    /// Returns the number, 0 to 51.
    pub fn index(self) -> u8 {
        self.0
    }

    /// Returns the suit.
    pub fn suit(self) -> Suit {
        Suit::ALL[usize::from(self.0 / 13)]
    }

    /// Returns the rank, 0 (two) to 12 (ace).
    pub fn rank(self) -> u8 {
        self.0 % 13
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name(self.0).unwrap_or_default())
    }
}

impl FromStr for Card {
    type Err = NotationError;

    /// Parses `SQ`, `h7` or `D10`.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let error = || NotationError::new(text, "card", "suit and rank, such as SQ, H7 or DT");
        let upper = text.to_ascii_uppercase().replace("10", "T");
        let card = (0..52).find(|&card| name(card) == Some(upper.as_str()));
        card.map(Self).ok_or_else(error)
    }
}

/// Returns the name of the card with this number, suit before rank, or `None` above 51.
pub(super) fn name(card: u8) -> Option<&'static str> {
    name_in(NAMES, card)
}

/// Names of the cards, by number.
const NAMES: &str = "S2S3S4S5S6S7S8S9STSJSQSKSAH2H3H4H5H6H7H8H9HTHJHQHKHA\
    D2D3D4D5D6D7D8D9DTDJDQDKDAC2C3C4C5C6C7C8C9CTCJCQCKCA";

/// Returns the rank with this letter, or `None` if there is none.
pub(super) fn rank_of(letter: char) -> Option<u8> {
    let rank = RANKS.find(letter.to_ascii_uppercase())?;
    u8::try_from(rank).ok()
}

/// Returns the letter of a rank.
pub(super) fn rank_letter(rank: u8) -> char {
    char::from(RANKS.as_bytes()[usize::from(rank)])
}

/// High-card points of the 16 sets of jack, queen, king and ace, the highest four bits of a suit.
pub(super) const HONOUR_POINTS: [u8; 16] = [0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10];

/// A set of cards; bit `n` stands for card number `n`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CardSet(pub u64);

impl CardSet {
    /// All 52 cards.
    pub const PACK: Self = Self((1 << 52) - 1);

    /// Returns the number of cards.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` for the empty set.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains the card.
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Adds a card.
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Removes a card.
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// Returns the high-card points: ace 4, king 3, queen 2, jack 1.
    pub fn high_card_points(self) -> u8 {
        let points = |suit: Suit| HONOUR_POINTS[(self.0 >> (13 * suit as u32 + 9) & 15) as usize];
        Suit::ALL.map(points).iter().sum()
    }

    /// Returns the number of cards of each suit, spades first.
    pub fn lengths(self) -> [u32; 4] {
        Suit::ALL.map(|suit| self.of_suit(suit).len())
    }

    /// Returns the cards of a suit.
    #[must_use]
    pub fn of_suit(self, suit: Suit) -> Self {
        Self(self.0 & 0x1fff << (suit as u32 * 13))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::default();
        cards.into_iter().for_each(|card| set.insert(card));
        set
    }
}

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        Cards(self.0)
    }
}

/// An iterator over the cards of a set: from spades to clubs, low cards first.
#[derive(Clone, Debug)]
pub struct Cards(u64);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = (0..52).nth(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(Card(card))
    }
}
