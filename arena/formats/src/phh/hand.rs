//! The record of a hand.

use super::step::Step;

/// The supported variants of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// No-limit hold'em, code `NT`.
    NoLimitHoldem,
    /// Fixed-limit hold'em, code `FT`.
    FixedLimitHoldem,
    /// Fixed-limit seven-card stud, code `F7S`.
    FixedLimitStud,
}

impl Variant {
    /// All supported variants.
    pub const ALL: [Variant; 3] = [
        Variant::NoLimitHoldem,
        Variant::FixedLimitHoldem,
        Variant::FixedLimitStud,
    ];

    /// Returns the code of the variant in the format.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Variant::NoLimitHoldem => "NT",
            Variant::FixedLimitHoldem => "FT",
            Variant::FixedLimitStud => "F7S",
        }
    }
}

/// A recorded hand. Lists are indexed by position, and players are numbered by position from 0.
/// Amounts are integers in units of the last of [`Hand::decimals`] decimal places.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Variant of poker, with its betting limit.
    pub variant: Variant,
    /// Number of decimal places of amounts. With 2, the unit is 0.01.
    pub decimals: u8,
    /// Smallest amount that can be bet, in units. More than 1 if the stacks after the hand have
    /// more decimal places than the bets.
    pub chip: i64,
    /// Antes, in the order of the format, which swaps the two players of a heads-up hand.
    pub antes: Vec<i64>,
    /// `true` if antes go to the main pot even if a player could not pay the full ante.
    pub dead_antes: bool,
    /// Blinds and straddles, the small blind first. The order is the same heads-up, although the
    /// last player posts the small blind. Empty for stud.
    pub blinds: Vec<i64>,
    /// Bring-in; 0 for hold'em.
    pub bring_in: i64,
    /// Small bet; the minimum bet in no-limit games.
    pub small_bet: i64,
    /// Big bet; the same as the small bet in no-limit games.
    pub big_bet: i64,
    /// Chips before the hand.
    pub starting_stacks: Vec<i64>,
    /// Chips after the hand; empty if not recorded.
    pub finishing_stacks: Vec<i64>,
    /// All events of the hand.
    pub actions: Vec<Step>,
    /// Names of the players; empty if not recorded.
    pub players: Vec<String>,
    /// League and deal from which the hand comes, as far as they are known.
    pub origin: HandOrigin,
}

/// The source of a hand. Unknown fields are not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandOrigin {
    /// Seed of the league.
    pub seed: Option<u64>,
    /// Name of the league.
    pub league: Option<String>,
    /// Index of the line-up in the league.
    pub line_up: Option<u32>,
    /// Index of the block.
    pub block: Option<u32>,
    /// Index of the deal in the block.
    pub deal: Option<u32>,
    /// Options of the rules as JSON.
    pub options: Option<String>,
}
