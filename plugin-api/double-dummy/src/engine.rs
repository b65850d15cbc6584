//! Selection between the built-in solver and libdds. Both give the same numbers at different
//! speeds.

use crate::libdds::{Libdds, LibddsError};
use crate::position::Position;
use crate::solver::Solver;
use hattari_games::bridge::{Card, Side};

hattari_games::choices! {
    /// A choice between the built-in solver and libdds.
    pub enum Engine {
        /// The built-in solver.
        Own,
        /// The libdds library of the system. [`DoubleDummy::new`] fails if it is not installed.
        Libdds,
        /// libdds if it is installed, else the built-in solver.
        Auto,
    }
}

/// A solver with a selectable engine. The results do not depend on the engine.
pub struct DoubleDummy {
    solver: Solver,
    libdds: Option<&'static Libdds>,
}

impl DoubleDummy {
    /// Creates a solver. The table of the built-in solver uses at most about `memory_mib` MiB.
    ///
    /// # Errors
    /// Returns an error if libdds is requested and cannot be opened.
    pub fn new(engine: Engine, memory_mib: usize) -> Result<Self, LibddsError> {
        let libdds = match engine {
            Engine::Own => None,
            Engine::Libdds => Some(Libdds::open()?),
            Engine::Auto => Libdds::open().ok(),
        };
        Ok(Self {
            solver: Solver::new(memory_mib),
            libdds,
        })
    }

    /// Returns, for every legal card, the number of tricks that `side` takes after it, like
    /// [`Solver::tricks_by_card`].
    ///
    /// # Errors
    /// Returns an error if libdds rejects the position. This does not happen for valid positions.
    pub fn tricks_by_card(
        &mut self,
        position: &Position,
        side: Side,
    ) -> Result<Vec<(Card, u8)>, LibddsError> {
        match self.libdds {
            Some(libdds) => libdds.tricks_by_card(position, side),
            None => Ok(self.solver.tricks_by_card(position, side)),
        }
    }

    /// Former name of [`DoubleDummy::tricks_by_card`].
    ///
    /// # Errors
    /// Returns the same errors as [`DoubleDummy::tricks_by_card`].
    #[deprecated(since = "0.3.0", note = "renamed to `tricks_by_card`")]
    pub fn all_cards(
        &mut self,
        position: &Position,
        side: Side,
    ) -> Result<Vec<(Card, u8)>, LibddsError> {
        self.tricks_by_card(position, side)
    }

    /// Returns, for every legal card, `true` if `side` takes at least `goal` tricks after it, like
    /// [`Solver::cards_reaching`].
    ///
    /// # Errors
    /// Returns the same errors as [`DoubleDummy::tricks_by_card`].
    pub fn cards_reaching(
        &mut self,
        position: &Position,
        side: Side,
        goal: u8,
    ) -> Result<Vec<(Card, bool)>, LibddsError> {
        match self.libdds {
            Some(libdds) => {
                let values = libdds.tricks_by_card(position, side)?;
                Ok(values
                    .into_iter()
                    .map(|(card, tricks)| (card, goal <= tricks))
                    .collect())
            }
            None => Ok(self.solver.cards_reaching(position, side, goal)),
        }
    }
}
