//! The honest player: raises with good hands, and calls if the odds are sufficient.

use crate::situation::{Decision, Situation};

/// Minimum win rate for a raise, as a multiple of an even share (1 / number of players).
pub const RAISES_FROM: f64 = 1.5;
/// Minimum product of odds and win rate for a call.
pub const CALLS_FROM: f64 = 1.0;
/// Minimum product of odds and win rate for a call before the flop.
pub const CALLS_PREFLOP_FROM: f64 = 0.66;
/// The size of a raise is the pot divided by this number.
pub const RAISE_PARTS: i64 = 4;

/// Returns the decision for the win rate `w`.
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
