//! The small-bluff player: draws what it does, so that its hand is harder to read.

use crate::situation::{Decision, Situation};

/// It raises by one part of the pot of so many.
pub const RAISE_PARTS: i64 = 5;

/// Chances of what it may do; they add up to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Bets or raises.
    pub raise: f64,
    /// Checks or calls.
    pub stay: f64,
    /// Folds.
    pub fold: f64,
}

/// The serial's table: chances at `x`, the win rate in even shares.
#[must_use]
pub fn table(x: f64) -> Chances {
    let raise = if x >= 1.5 {
        0.9
    } else if x >= 1.0 {
        0.2 + 0.7 * (x - 1.0) / 0.5
    } else if x >= 0.5 {
        0.2 * (x - 0.5) / 0.5
    } else {
        0.0
    };
    let fold = if x >= 1.0 {
        0.0
    } else {
        (1.0 - (x - 0.5) / 0.5).clamp(0.0, 1.0)
    };
    Chances {
        raise,
        stay: 1.0 - raise - fold,
        fold,
    }
}

/// Chances as the serial's code has them. The table is only filled in while a raise is possible;
/// otherwise it folds, whatever it holds. It folds where a check is free.
#[must_use]
pub fn published(w: f64, situation: &Situation) -> Chances {
    if situation.raise_max > 0 {
        table(w * f64::from(situation.n))
    } else {
        Chances {
            raise: 0.0,
            stay: 0.0,
            fold: 1.0,
        }
    }
}

/// Chances as the serial's text means them: where no raise is possible it calls instead, and a free
/// check is never a fold. With a hand for which the table only folds it raises with the chance
/// `bluff`, where it can.
#[must_use]
pub fn repaired(w: f64, situation: &Situation, bluff: f64) -> Chances {
    let mut chances = table(w * f64::from(situation.n));
    if situation.raise_max > 0 {
        if chances.fold >= 1.0 {
            (chances.raise, chances.fold) = (bluff, 1.0 - bluff);
        }
    } else {
        chances.stay += chances.raise;
        chances.raise = 0.0;
    }
    if situation.to_call == 0 {
        chances.stay += chances.fold;
        chances.fold = 0.0;
    }
    chances
}

/// What a number drawn evenly from [0, 1) makes of the chances.
#[must_use]
pub fn decide(chances: &Chances, drawn: f64, situation: &Situation) -> Decision {
    if drawn < chances.raise {
        situation.raise_by_part(RAISE_PARTS)
    } else if chances.fold <= 0.0 || drawn < chances.raise + chances.stay {
        Decision::Stay
    } else {
        Decision::Fold
    }
}
