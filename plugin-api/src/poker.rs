//! Helpers for bots of all poker games.

use crate::games::poker::VariantActions;
use crate::games::poker::event::{self, BettingAction};
use crate::{Choice, Rng};

/// The legal actions of a betting decision, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moves {
    fold: Option<usize>,
    /// Index of the check, call or bring-in.
    stay: Option<usize>,
    raise: Option<(usize, i64, i64)>,
}

impl Moves {
    /// Finds the legal actions of each kind in the list `legal`.
    #[inline]
    #[must_use]
    pub fn of<A: VariantActions>(legal: &[A]) -> Moves {
        let mut moves = Moves::default();
        let legal: &[BettingAction] = bytemuck::cast_slice(legal);
        for (index, action) in legal.iter().enumerate() {
            match action.kind {
                event::FOLD => moves.fold = Some(index),
                event::RAISE => moves.raise = Some((index, action.lowest, action.highest)),
                _ => moves.stay = Some(index),
            }
        }
        moves
    }

    /// Stays in with the fewest chips: checks, calls, posts the bring-in, or makes the minimum bet
    /// if a bet is required.
    #[must_use]
    pub fn stay(&self) -> Choice {
        let stay = self.stay.map(Choice::from);
        let least_bet = || self.raise_to(i64::MIN);
        stay.or_else(least_bet).unwrap_or(0.into())
    }

    /// Folds, even if a check is possible. If folding is illegal, stays in with the fewest chips.
    #[must_use]
    pub fn fold(&self) -> Choice {
        self.fold.map_or(self.stay(), Choice::from)
    }

    /// Returns the lowest and highest total of this street for a raise, or `None` if raising is
    /// illegal.
    #[must_use]
    pub fn raise(&self) -> Option<(i64, i64)> {
        self.raise.map(|(_, lowest, highest)| (lowest, highest))
    }

    /// Bets or raises to `total` on this street, or to the nearest legal total. Returns `None` if
    /// raising is illegal.
    #[must_use]
    pub fn raise_to(&self, total: i64) -> Option<Choice> {
        self.raise.map(|(action, lowest, highest)| Choice {
            action,
            amount: total.clamp(lowest, highest),
        })
    }
}

/// Returns a random action with a random amount, but no fold if a check is free. All actions are
/// equally likely, and so are all amounts of a raise.
///
/// # Panics
/// Panics if `legal` is empty.
#[must_use]
pub fn random_choice<A: VariantActions>(legal: &[A], rng: &mut Rng) -> Choice {
    let legal: &[BettingAction] = bytemuck::cast_slice(legal);
    let is_free = legal.iter().any(|action| action.kind == event::CHECK);
    let is_sensible = |&action: &usize| !is_free || legal[action].kind != event::FOLD;
    let actions: Vec<usize> = (0..legal.len()).filter(is_sensible).collect();
    let action = rng.pick(&actions).copied().unwrap_or(0);
    let BettingAction {
        lowest, highest, ..
    } = legal[action];
    let span = u32::try_from(highest - lowest).map_or(u32::MAX, |span| span.saturating_add(1));
    Choice {
        action,
        amount: lowest + i64::from(rng.below(span)),
    }
}
