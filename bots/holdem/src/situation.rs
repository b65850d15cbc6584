//! The quantities that the serial's players decide by.

use hattari_plugin::Choice;
use hattari_plugin::holdem::{Moves, View, street};

/// What a player looks at, apart from its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Players who have not folded, the own seat among them.
    pub n: u32,
    /// Chips in the middle from earlier streets and all bets of this one.
    pub pot: i64,
    /// Chips that it takes to stay in.
    pub to_call: i64,
    /// The big blind.
    pub big_blind: i64,
    /// The most that one may raise by, over what a call takes; 0 where one may not raise.
    pub raise_max: i64,
    /// No community cards yet.
    pub is_preflop: bool,
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Gives up.
    Fold,
    /// Checks or calls.
    Stay,
    /// Raises by so many chips over what a call takes.
    RaiseBy(i64),
}

impl Situation {
    /// The situation of a view with its legal moves.
    #[must_use]
    pub fn of(view: &View, moves: &Moves) -> Situation {
        Situation {
            n: view.in_play_count(),
            pot: view.pot,
            to_call: view.to_call,
            big_blind: view.big_blind,
            raise_max: moves.raise().map_or(0, |(_, highest)| highest - view.level),
            is_preflop: view.street == street::PREFLOP,
        }
    }

    /// What a chip put into a call wins, itself included: with 8 in the pot and 2 to call 5.
    /// Infinite where a check is free.
    #[must_use]
    pub fn odds(&self) -> f64 {
        (self.pot + self.to_call) as f64 / self.to_call as f64
    }

    /// A raise by a fraction of the pot: one part of `parts`, rounded down, but no less than the
    /// big blind and no more than can be raised.
    #[must_use]
    pub fn raise_by_part(&self, parts: i64) -> Decision {
        Decision::RaiseBy(self.raise_max.min(self.big_blind.max(self.pot / parts)))
    }
}

impl Decision {
    /// The decision as a choice. A raise that the rules have too small becomes the least legal one
    /// (the serial knows no least raise but the big blind), and calls where none is legal.
    #[must_use]
    pub fn choice(self, view: &View, moves: &Moves) -> Choice {
        match self {
            Decision::Fold => moves.fold(),
            Decision::Stay => moves.check_or_call(),
            Decision::RaiseBy(chips) => moves
                .raise_to(view.level + chips)
                .unwrap_or(moves.check_or_call()),
        }
    }
}
