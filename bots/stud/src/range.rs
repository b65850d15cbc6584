//! The range of amounts at a decision.

use hattari_plugin::Choice;
use hattari_plugin::stud::{Moves, Turn, kind};

/// The possible totals of a player on this street after a decision other than a fold.
pub(crate) struct Range {
    /// Smallest total with which the player stays in: after a check, a call, the bring-in, or the
    /// smallest bet if a bet is required.
    pub lowest: i64,
    /// Largest total of a bet or raise; equal to [`Range::lowest`] if neither is legal.
    pub highest: i64,
    /// Number of chips that the player adds for the smallest total.
    pub price: i64,
    /// True if the player can check.
    pub is_free: bool,
    moves: Moves,
}

impl Range {
    /// Returns the range of a decision about chips, from its legal actions.
    pub(crate) fn of(turn: &Turn) -> Range {
        let (view, legal) = (turn.view(), turn.legal());
        let stay = legal
            .iter()
            .find(|action| matches!(action.kind, kind::CHECK | kind::CALL | kind::BRING_IN));
        let moves = Moves::of(legal);
        let paid = view.bets[usize::from(view.seat)];
        let lowest = match (stay, moves.raise()) {
            (Some(stay), _) => paid + stay.lowest,
            (None, Some((lowest, _))) => lowest,
            (None, None) => paid,
        };
        let highest = moves.raise().map_or(lowest, |(_, highest)| highest);
        Range {
            lowest,
            highest,
            price: lowest - paid,
            is_free: stay.is_some_and(|stay| stay.kind == kind::CHECK),
            moves,
        }
    }

    /// Returns the total at the fraction `share` (0 to 1) of the way from `lowest` to `highest`,
    /// rounded down.
    pub(crate) fn at(&self, share: f64) -> i64 {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "within the range, which is far below 2^53"
        )]
        let more = (share.clamp(0.0, 1.0) * (self.highest - self.lowest) as f64).floor() as i64;
        self.lowest + more
    }

    /// Returns the legal choice whose total is nearest to `total`; the higher one if two are
    /// equally near. At fixed limit, the lower half of the range means staying in, and the upper
    /// half a raise.
    pub(crate) fn nearest(&self, total: i64) -> Choice {
        let moves = &self.moves;
        match moves.raise() {
            Some((least, _)) if least - total <= total - self.lowest => {
                moves.raise_to(total).unwrap_or(moves.stay())
            }
            _ => moves.stay(),
        }
    }

    /// Returns a check if it is free, otherwise a fold.
    pub(crate) fn give_up(&self) -> Choice {
        if self.is_free {
            self.moves.stay()
        } else {
            self.moves.fold()
        }
    }
}
