//! The amounts that a decision is between.

use hattari_plugin::Choice;
use hattari_plugin::stud::{Moves, Turn, kind};

/// What a seat may have put in on this street after its decision, unless it folds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The total with which it stays in as cheaply as can be: that of a check, a call or the
    /// bring-in, and the least bet where one has to bet.
    pub lowest: i64,
    /// The highest total that it may bet or raise to; [`Range::lowest`] where it may not.
    pub highest: i64,
    /// Chips that the lowest total takes.
    pub price: i64,
    /// A check costs nothing.
    pub is_free: bool,
}

impl Range {
    /// The range of a decision about chips.
    #[must_use]
    pub fn of(turn: &Turn) -> Range {
        let (view, legal) = (turn.view(), turn.legal());
        let stay = legal
            .iter()
            .find(|action| matches!(action.kind, kind::CHECK | kind::CALL | kind::BRING_IN));
        let raise = legal.iter().find(|action| action.kind == kind::RAISE);
        let paid = view.bets[usize::from(view.seat)];
        let lowest = match (stay, raise) {
            (Some(stay), _) => paid + stay.lowest,
            (None, Some(raise)) => raise.lowest,
            (None, None) => paid,
        };
        let highest = raise.map_or(lowest, |raise| raise.highest);
        Range {
            lowest,
            highest,
            price: lowest - paid,
            is_free: stay.is_some_and(|stay| stay.kind == kind::CHECK),
        }
    }

    /// The total at a share from 0 to 1 of the range, rounded down.
    #[must_use]
    pub fn at(&self, share: f64) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "within the range, which is far below 2^53"
        )]
        let more = (share.clamp(0.0, 1.0) * (self.highest - self.lowest) as f64).floor() as i64;
        self.lowest + more
    }

    /// The legal choice whose total is nearest to `total`; of two as near the higher. At fixed
    /// limit that is staying in for the lower half of the range and a raise for the upper one.
    #[must_use]
    pub fn nearest(&self, turn: &Turn, total: i64) -> Choice {
        let moves = Moves::of(turn.legal());
        match moves.raise() {
            Some((least, _)) if least - total <= total - self.lowest => {
                moves.raise_to(total).unwrap_or(moves.stay())
            }
            _ => moves.stay(),
        }
    }

    /// Folds, but checks where that costs nothing.
    #[must_use]
    pub fn give_up(&self, turn: &Turn) -> Choice {
        let moves = Moves::of(turn.legal());
        if self.is_free {
            moves.stay()
        } else {
            moves.fold()
        }
    }
}
