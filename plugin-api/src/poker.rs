//! What bots of all poker games use.

use crate::games::poker::Acts;
use crate::games::poker::event::{self, Deed};
use crate::player::Choice;

/// The legal actions of a decision about chips by their kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves {
    fold: Option<usize>,
    /// Index of checking, calling or posting the bring-in.
    stay: Option<usize>,
    raise: Option<(usize, i64, i64)>,
}

impl Moves {
    /// Finds them among the legal actions.
    #[inline]
    #[must_use]
    pub fn of<A: Acts>(legal: &[A]) -> Moves {
        let mut moves = Moves {
            fold: None,
            stay: None,
            raise: None,
        };
        let legal: &[Deed] = bytemuck::cast_slice(legal);
        for (index, action) in legal.iter().enumerate() {
            match action.kind {
                event::FOLD => moves.fold = Some(index),
                event::RAISE => moves.raise = Some((index, action.lowest, action.highest)),
                _ => moves.stay = Some(index),
            }
        }
        moves
    }

    /// Stays in as cheaply as can be: checks, calls, posts the bring-in, or makes the least bet
    /// where one has to bet.
    #[must_use]
    pub fn stay(&self) -> Choice {
        let least_bet = self.raise.map(|(action, lowest, _)| Choice {
            action,
            amount: lowest,
        });
        self.stay
            .map(Choice::from)
            .or(least_bet)
            .unwrap_or(0.into())
    }

    /// Folds, also where a check is free. Where one may not fold, stays in as cheaply as can be.
    #[must_use]
    pub fn fold(&self) -> Choice {
        self.fold.map_or(self.stay(), Choice::from)
    }

    /// The least and the highest total of this street that one may raise to; `None` where one may
    /// not raise.
    #[must_use]
    pub fn raise(&self) -> Option<(i64, i64)> {
        self.raise.map(|(_, lowest, highest)| (lowest, highest))
    }

    /// Bets or raises to that total of this street, or to the nearest one that is legal.
    #[must_use]
    pub fn raise_to(&self, total: i64) -> Option<Choice> {
        self.raise.map(|(action, lowest, highest)| Choice {
            action,
            amount: total.clamp(lowest, highest),
        })
    }
}
