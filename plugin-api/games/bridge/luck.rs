//! Worth of the cards of a deal: its value with open hands, less the mean of the deals that could
//! have come.

use super::{Board, Bridge, Contract, Deal, source};
use crate::{ChanceEvent, LUCK_PARTS};
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::sync::OnceLock;

/// The estimate that luck is measured by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Luck {
    /// Luck is not measured.
    #[default]
    None,
    /// The score of declarer's side where all four play perfectly with open hands.
    DoubleDummy,
}

impl Luck {
    pub(super) fn is_none(&self) -> bool {
        *self == Luck::None
    }
}

/// Tricks of declarer's side in a deal where all four play perfectly with open hands.
pub type Solve = fn(&Deal, &Contract) -> u8;

static SOLVER: OnceLock<Solve> = OnceLock::new();

/// Gives the rules the solver that [`Luck::DoubleDummy`] needs; the first one stays. It is not part
/// of the rules, which do not search.
pub fn set_solver(solve: Solve) {
    SOLVER.get_or_init(|| solve);
}

/// The solver.
///
/// # Errors
/// This program has none.
pub(super) fn solver() -> Result<Solve, String> {
    SOLVER
        .get()
        .copied()
        .ok_or_else(|| "luck: this program has no double-dummy solver; remove `luck`".to_owned())
}

/// The kinds of chance that bridge tells the worth of.
pub(super) const CHANCES: &[&str] = &["the deal"];

/// Deals that are drawn for the mean, anew for every deal that is played. With three, the mean adds
/// a third to the variance of the value.
const DRAWN: i64 = 3;

/// Tells what the cards of a finished deal were worth: as [`crate::Game::luck`].
pub(super) fn tell<R: Rng>(
    game: &Bridge,
    solve: Solve,
    board: &Board,
    chance: &mut R,
    mut tell: impl FnMut(ChanceEvent<'_>),
) {
    let contract = game.contract();
    let worth = |deal: &Deal| game.worth(solve(deal, contract));
    let dealt = worth(&game.cards(board));
    let drawn: i64 = (0..DRAWN)
        .map(|_| worth(&source::draw(&game.setting().holdings, chance)))
        .sum();
    let more = (DRAWN * dealt - drawn) * LUCK_PARTS / DRAWN;
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
