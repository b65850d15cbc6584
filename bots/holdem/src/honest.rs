//! The honest player: its raise says that it holds a good hand, its call that the odds are right.

use crate::situation::{Decision, Situation};

/// A raise stands for a win rate of at least this many times an even share.
pub const RAISES_FROM: f64 = 1.5;
/// Odds times win rate from which it calls.
pub const CALLS_FROM: f64 = 1.0;
/// The same before the flop.
pub const CALLS_PREFLOP_FROM: f64 = 0.66;
/// It raises by one part of the pot of so many.
pub const RAISE_PARTS: i64 = 4;

/// What it does with a win rate of `w`.
#[must_use]
pub fn decide(w: f64, situation: &Situation) -> Decision {
    if situation.raise_max > 0 && w >= RAISES_FROM / f64::from(situation.n) {
        return situation.raise_by_part(RAISE_PARTS);
    }
    if situation.to_call == 0 {
        return Decision::Stay;
    }
    let from = if situation.is_preflop {
        CALLS_PREFLOP_FROM
    } else {
        CALLS_FROM
    };
    if w * situation.odds() >= from {
        Decision::Stay
    } else {
        Decision::Fold
    }
}
