//! Poker hand histories in the PHH format (Poker Hand History, the standard of the University of
//! Toronto's computer poker students): text to record and back, for hold'em without limit and at
//! fixed limit and for seven-card stud at fixed limit. Pure functions; files are the caller's.
//!
//! A hand is a TOML document. Players are listed in the order of their position, first the one left
//! of the button (the small blind at a full table, the big blind heads-up), last the button. Fields
//! whose names begin with `_` are ours: where a hand comes from, and the options of its rules as
//! JSON, so that it can be replayed to the same chips.

mod amount;
mod parse;
mod replay;
mod step;
mod write;

pub use amount::decimal;
pub use parse::{ParseError, Place, parse};
pub use replay::{Decision, Overrides, ReplayError, Replayed, odd_chips, replay};
pub use step::Step;
pub use write::{Inexpressible, Origin, Recorded, document, of_holdem, of_stud, table};

/// The games of the format that are played here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `NT`.
    NoLimitHoldem,
    /// `FT`.
    FixedLimitHoldem,
    /// `F7S`.
    FixedLimitStud,
}

impl Variant {
    /// All of them.
    pub const ALL: [Variant; 3] = [
        Variant::NoLimitHoldem,
        Variant::FixedLimitHoldem,
        Variant::FixedLimitStud,
    ];

    /// The format's code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Variant::NoLimitHoldem => "NT",
            Variant::FixedLimitHoldem => "FT",
            Variant::FixedLimitStud => "F7S",
        }
    }
}

/// A hand. Lists go by position; players are numbered from 0. Amounts are whole numbers of a
/// smallest unit, [`Hand::decimals`] places after the point of the text's.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Its game.
    pub variant: Variant,
    /// Places after the point of the text's amounts that a unit here is one of.
    pub decimals: u8,
    /// The smallest amount that is bet, in units: amounts after the hand may have more places than
    /// those before.
    pub chip: i64,
    /// Antes, heads-up those of the other player each.
    pub antes: Vec<i64>,
    /// Antes are the main pot's, whoever had too few chips for his.
    pub dead_antes: bool,
    /// Blinds and straddles, the small blind first; heads-up the format lists them so too,
    /// although the last player posts the first of them. Empty for stud.
    pub blinds: Vec<i64>,
    /// The bring-in; 0 for hold'em.
    pub bring_in: i64,
    /// The small bet; the least bet without limit.
    pub small_bet: i64,
    /// The big bet; the same as the small one without limit.
    pub big_bet: i64,
    /// Chips before the hand.
    pub starting_stacks: Vec<i64>,
    /// Chips after it; empty where the text does not say.
    pub finishing_stacks: Vec<i64>,
    /// Everything that happens.
    pub actions: Vec<Step>,
    /// Names of the players; empty where the text does not say.
    pub players: Vec<String>,
    /// Where the hand comes from.
    pub origin: Origin,
}
