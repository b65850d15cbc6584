//! The honest player: raises with good hands, and calls if the odds are sufficient.

use crate::situation::{Decision, Situation};

/// Minimum win rate for a raise, as a multiple of an even share (1 / number of players).
pub(crate) const RAISES_FROM: f64 = 1.5;
/// The size of a raise is the pot divided by this number.
pub(crate) const RAISE_PARTS: i64 = 4;

/// Returns the minimum product of odds and win rate for a call.
pub(crate) fn calls_from(is_preflop: bool) -> f64 {
    if is_preflop { 0.66 } else { 1.0 }
}

/// Returns the decision for the win rate `w`.
pub fn decide(w: f64, situation: &Situation) -> Decision {
    if situation.raise_max > 0 && w >= RAISES_FROM / f64::from(situation.n) {
        return situation.raise_by_part(RAISE_PARTS);
    }
    if situation.to_call == 0 {
        return Decision::Stay;
    }
    if w * situation.odds() >= calls_from(situation.is_preflop) {
        Decision::Stay
    } else {
        Decision::Fold
    }
}
