//! The switches of the rules.

use crate::poker::{CHIPS_MAX, First, Form, Limit, OddChips, Street, check_chips};
use serde::{Deserialize, Serialize};

/// Every switch of the rules. The default is the preset `cash`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// How much may be bet: `no-limit`, `pot-limit` or `fixed-limit`.
    pub limit: Limit,
    /// Chips of the small blind, 1 to the big blind. Heads-up the button posts it.
    pub small_blind: i64,
    /// Chips of the big blind, which is also the least bet; at fixed limit the bet of the first two streets.
    pub big_blind: i64,
    /// At fixed limit the bet of the last two streets; elsewhere without effect.
    pub big_bet: i64,
    /// Chips that every seat puts into the pot before the deal.
    pub ante: i64,
    /// Chips that a seat begins with.
    pub stack: i64,
    /// Stacks are carried from deal to deal; otherwise every deal begins with full ones.
    pub carry: bool,
    /// Where stacks are carried, what a seat without chips is given before the next deal; 0 ends the block.
    pub rebuy: i64,
    /// Most bets and raises of a street, blinds not counted; 0 for no bound.
    pub raises_max: u8,
    /// The same for the first street, where that is another number; `null` for the same.
    pub raises_max_preflop: Option<u8>,
    /// A seat may fold although it owes nothing. Servers of the Annual Computer Poker Competition have it check.
    pub free_folds: bool,
    /// An all-in raise that is less than a whole one lets those act again who have acted.
    pub short_raise_reopens: bool,
    /// Where the big blind is posted short, the others owe it in full; otherwise what was posted.
    pub whole_blind: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            limit: Limit::NoLimit,
            small_blind: 50,
            big_blind: 100,
            big_bet: 200,
            ante: 0,
            stack: 10_000,
            carry: false,
            rebuy: 0,
            raises_max: 0,
            raises_max_preflop: None,
            free_folds: true,
            short_raise_reopens: false,
            whole_blind: true,
        }
    }
}

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["cash", "serial", "limit", "pot-limit", "acpc", "acpc-limit"];

    /// The preset of that name.
    ///
    /// - `cash`: no limit, blinds 50 and 100, every deal with 10,000 chips.
    /// - `serial`: as a Japanese serial on game making plays: blinds 1 and 2, 200 chips, no more than 4 bets and raises
    ///   a street, stacks carried, 100 new chips for who has none.
    /// - `limit`: bets of 100 and 200, no more than 4 a street.
    /// - `pot-limit`: as `cash`, with raises by the pot at most.
    /// - `acpc`: no limit as at the Annual Computer Poker Competition: blinds 50 and 100, every deal with 20,000 chips, no
    ///   folding for free, any raise lets all act again.
    /// - `acpc-limit`: fixed limit as there: blinds 5 and 10, bets of 10 and 20, 3 raises on the first street and 4 on the
    ///   others, as many chips as can be lost in a deal.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        let cash = Options::default();
        match name {
            "cash" => Some(cash),
            "serial" => Some(Options {
                small_blind: 1,
                big_blind: 2,
                stack: 200,
                carry: true,
                rebuy: 100,
                raises_max: 4,
                ..cash
            }),
            "limit" => Some(Options { limit: Limit::FixedLimit, raises_max: 4, ..cash }),
            "pot-limit" => Some(Options { limit: Limit::PotLimit, ..cash }),
            "acpc" => Some(Options { stack: 20_000, free_folds: false, short_raise_reopens: true, ..cash }),
            "acpc-limit" => Some(Options {
                limit: Limit::FixedLimit,
                small_blind: 5,
                big_blind: 10,
                big_bet: 20,
                stack: 240,
                raises_max: 4,
                raises_max_preflop: Some(3),
                free_folds: false,
                short_raise_reopens: true,
                ..cash
            }),
            _ => None,
        }
    }

    /// The game that these options make.
    ///
    /// # Errors
    /// The option that is out of its range, and the range.
    pub fn form(&self) -> Result<Form, String> {
        check_chips("big_blind", self.big_blind, 1)?;
        if !(1..=self.big_blind).contains(&self.small_blind) {
            return Err(format!(
                "small_blind is {}, must be 1 to the big blind's {}",
                self.small_blind, self.big_blind
            ));
        }
        check_chips("ante", self.ante, 0)?;
        check_chips("stack", self.stack, self.big_blind + self.ante)?;
        check_chips("rebuy", self.rebuy, 0)?;
        if self.limit == Limit::FixedLimit && !(self.big_blind..=CHIPS_MAX).contains(&self.big_bet) {
            return Err(format!(
                "big_bet is {}, must be {} (the big blind) to {CHIPS_MAX}",
                self.big_bet, self.big_blind
            ));
        }
        if self.limit == Limit::StreetPot {
            return Err("limit `street-pot` is stud's alone; take no-limit, pot-limit or fixed-limit".into());
        }
        let late_bet = if self.limit == Limit::FixedLimit { self.big_bet } else { self.big_blind };
        let street =
            |first, down, community, bet| Street { down, up: 0, community, opens: false, first, bet, must_bet: false };
        Ok(Form {
            streets: vec![
                street(First::AfterBlinds, 2, 0, self.big_blind),
                street(First::LeftOfButton, 0, 3, self.big_blind),
                street(First::LeftOfButton, 0, 1, late_bet),
                street(First::LeftOfButton, 0, 1, late_bet),
            ],
            limit: self.limit,
            raises_max: self.raises_max,
            raises_max_blinds: self.raises_max_preflop.unwrap_or(self.raises_max),
            free_folds: self.free_folds,
            short_raise_reopens: self.short_raise_reopens,
            whole_blind: self.whole_blind,
            ante: self.ante,
            blinds: [self.small_blind, self.big_blind],
            bring_in: 0,
            odd_chips: OddChips::LeftOfButton,
            stack: self.stack,
            carry: self.carry,
            rebuy: self.rebuy,
        })
    }
}
