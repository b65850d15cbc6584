//! The small-bluff player: chooses randomly, so that its hand is harder to infer.

use crate::situation::{Decision, Situation};

/// The size of a raise is the pot divided by this number.
pub(crate) const RAISE_PARTS: i64 = 5;

/// Probabilities of the actions; their sum is 1.
#[derive(Debug)]
pub struct Chances {
    /// Probability of a bet or raise.
    pub raise: f64,
    /// Probability of a check or call.
    pub stay: f64,
    /// Probability of a fold.
    pub fold: f64,
}

/// Returns the probabilities of the actions by the table of the article series. `x` is the win rate
/// divided by an even share, which is 1 divided by the number of players.
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

/// Returns the probabilities according to the published code for the win rate `w`. The code applies
/// the table only if a raise is possible; otherwise it always folds, even if a check is free.
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

/// Returns the probabilities for the win rate `w` by the text of the article series. A player who
/// cannot raise calls instead, and one who can check does not fold. Hands that always fold
/// according to the table raise with probability `bluff` if possible.
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

/// Returns the decision for a random number `drawn` that is uniform in [0, 1).
pub fn decide(chances: &Chances, drawn: f64, situation: &Situation) -> Decision {
    if drawn < chances.raise {
        situation.raise_by_part(RAISE_PARTS)
    } else if chances.fold <= 0.0 || drawn < chances.raise + chances.stay {
        Decision::Stay
    } else {
        Decision::Fold
    }
}
