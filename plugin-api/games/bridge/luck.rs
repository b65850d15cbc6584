//! The luck of a deal: its double-dummy value minus the mean value of the deals that the options
//! allow.

use super::{Board, Bridge, Contract, Deal};
use crate::{ChanceEvent, LUCK_PARTS, choices};
use rand::Rng;
use std::sync::OnceLock;

choices! {
    /// The way in which the luck of a deal is measured.
    pub enum Luck {
        /// Luck is not measured.
        None,
        /// The score of declarer's side if all four players play perfectly with open hands.
        DoubleDummy,
    }
}

impl Luck {
    pub(super) fn is_none(&self) -> bool {
        *self == Luck::None
    }
}

/// A function that returns declarer's tricks if all four players play perfectly with open hands.
pub type SolveDeal = fn(&Deal, &Contract) -> u8;

static SOLVER: OnceLock<SolveDeal> = OnceLock::new();

/// Sets the solver for [`Luck::DoubleDummy`]; later calls have no effect. The rules do not contain
/// a solver, because they do not search.
pub fn set_solver(solve: SolveDeal) {
    SOLVER.get_or_init(|| solve);
}

/// Returns the solver.
///
/// # Errors
/// Returns an error if no solver was set.
pub(super) fn solver() -> Result<SolveDeal, String> {
    SOLVER
        .get()
        .copied()
        .ok_or_else(|| "luck: this program has no double-dummy solver; remove `luck`".to_owned())
}

/// Names of the kinds of chance event for which bridge reports luck.
pub(super) const CHANCES: &[&str] = &["the deal"];

/// Number of random deals whose mean value is subtracted from the value of each deal. With three
/// deals, the variance of the luck is a third larger than with the exact mean.
const SAMPLED_DEALS: i64 = 3;

/// Reports the luck of a finished deal, see [`crate::Game::luck`].
pub(super) fn report_luck(
    game: &Bridge,
    solve: SolveDeal,
    board: &Board,
    chance: &mut impl Rng,
    mut tell: impl FnMut(ChanceEvent<'_>),
) {
    let contract = game.contract();
    let worth = |deal: &Deal| game.score_of(solve(deal, contract));
    let dealt = worth(&game.cards(board));
    let drawn: i64 = (0..SAMPLED_DEALS)
        .map(|_| worth(&game.draw_deal(chance)))
        .sum();
    let more = (SAMPLED_DEALS * dealt - drawn) * LUCK_PARTS / SAMPLED_DEALS;
    let north_south = if (contract.declarer as usize).is_multiple_of(2) {
        more
    } else {
        -more
    };
    tell(ChanceEvent {
        kind: 0,
        event: 0,
        worth: &[north_south, -north_south, north_south, -north_south],
    });
}
