//! A hand as the format has it.

use super::step::Step;

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

/// Where a hand comes from; what is not known stays out of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Seed of the league.
    pub seed: Option<u64>,
    /// Name of the league.
    pub league: Option<String>,
    /// Number of the line-up in it.
    pub line_up: Option<u32>,
    /// Number of the block.
    pub block: Option<u32>,
    /// Number of the deal in the block.
    pub deal: Option<u32>,
    /// Options of the rules as JSON.
    pub options: Option<String>,
}
