//! The quantities that the players of the article series use for decisions.

use hattari_plugin::Choice;
use hattari_plugin::holdem::{Moves, View, street};

/// The information that a player uses for a decision, apart from the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation {
    /// Number of players who have not folded, including the player who decides.
    pub n: u32,
    /// Chips in the pot, including all bets of this street.
    pub pot: i64,
    /// Number of chips needed to call.
    pub to_call: i64,
    /// Size of the big blind.
    pub big_blind: i64,
    /// Maximum number of chips of a raise, in addition to a call; 0 if no raise is possible.
    pub raise_max: i64,
    /// True before the flop.
    pub is_preflop: bool,
}

/// A decision of the players of the article series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The player gives up the pot.
    Fold,
    /// A check if it is free, otherwise a call.
    Stay,
    /// A raise by this number of chips, in addition to a call.
    RaiseBy(i64),
}

impl Situation {
    /// Returns the situation for a view and its legal moves.
    pub(crate) fn of(view: &View, moves: &Moves) -> Situation {
        Situation {
            n: view.in_play_count(),
            pot: view.pot,
            to_call: view.to_call,
            big_blind: view.big_blind,
            raise_max: moves.raise().map_or(0, |(_, highest)| highest - view.level),
            is_preflop: view.street == street::PREFLOP,
        }
    }

    /// Returns the pot after a call, divided by the price of the call: 5 with 8 in the pot and 2 to
    /// call. Infinite if a check is free.
    pub(crate) fn odds(&self) -> f64 {
        (self.pot + self.to_call) as f64 / self.to_call as f64
    }

    /// Returns a raise by the pot divided by `parts`, rounded down. The raise is at least the big
    /// blind and at most the maximum raise.
    pub(crate) fn raise_by_part(&self, parts: i64) -> Decision {
        Decision::RaiseBy(self.raise_max.min(self.big_blind.max(self.pot / parts)))
    }
}

impl Decision {
    /// Converts the decision to a legal choice. A raise that is too small becomes the smallest
    /// legal raise (in the article series, the big blind is the only minimum). If no raise is
    /// legal, the choice is a check or call.
    pub(crate) fn choice(self, view: &View, moves: &Moves) -> Choice {
        match self {
            Decision::Fold => moves.fold(),
            Decision::Stay => moves.check_or_call(),
            Decision::RaiseBy(chips) => moves
                .raise_to(view.level + chips)
                .unwrap_or(moves.check_or_call()),
        }
    }
}
