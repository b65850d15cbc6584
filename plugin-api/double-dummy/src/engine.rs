//! A choice between the own solver and libdds, which give the same numbers at different speeds.

use crate::libdds::{Libdds, LibddsError};
use crate::position::Position;
use crate::solver::Solver;
use hattari_games::bridge::{Card, Side};
use serde::{Deserialize, Serialize};

/// What solves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// The project's own solver.
    #[default]
    Own,
    /// The system's libdds; an error where there is none.
    Libdds,
    /// libdds where the system has it, else the own solver.
    Auto,
}

/// Solves positions with the engine of the caller's choice. Numbers do not depend on which it is.
pub struct Analyst {
    solver: Solver,
    libdds: Option<&'static Libdds>,
}

impl Analyst {
    /// An analyst; the own solver remembers positions in about `memory_mib` MiB at most.
    ///
    /// # Errors
    /// If libdds is asked for and is not there.
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

    /// As [`Solver::all_cards`].
    ///
    /// # Errors
    /// If libdds refuses the position, which it does with no position that it should take.
    pub fn all_cards(
        &mut self,
        position: &Position,
        side: Side,
    ) -> Result<Vec<(Card, u8)>, LibddsError> {
        match self.libdds {
            Some(libdds) => libdds.all_cards(position, side),
            None => Ok(self.solver.all_cards(position, side)),
        }
    }

    /// As [`Solver::reaching`].
    ///
    /// # Errors
    /// As [`Analyst::all_cards`].
    pub fn reaching(
        &mut self,
        position: &Position,
        side: Side,
        goal: u8,
    ) -> Result<Vec<(Card, bool)>, LibddsError> {
        match self.libdds {
            Some(libdds) => {
                let values = libdds.all_cards(position, side)?;
                Ok(values
                    .into_iter()
                    .map(|(card, tricks)| (card, goal <= tricks))
                    .collect())
            }
            None => Ok(self.solver.reaching(position, side, goal)),
        }
    }
}
