//! Exact solver for bridge with all four hands visible (double dummy): the number of tricks after
//! each card if all players play perfectly.
//!
//! [`Solver`] accepts any [`Position`]: any number of cards per hand, any strain, any leader, and
//! up to three cards on the table. Deals are read and written in PBN notation ([`Deal`]). The
//! auction, scoring and hidden cards are not part of this package.
//!
//! ```
//! use hattari_double_dummy::{Deal, Position, Seat, Side, Solver, Strain};
//!
//! // The king of East is behind the ace and queen of North: the finesse loses, and the ace is the
//! // only trick.
//! let deal: Deal = "N:AQ... K2... 54... 63...".parse()?;
//! let position = Position::new(deal.hands, Strain::NoTrump, Seat::South, &[])?;
//! assert_eq!(Solver::default().solve(&position, Side::NorthSouth), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
#[cfg(test)]
mod bounds_tests;
mod engine;
mod libdds;
mod order;
mod position;
mod search;
mod solver;
mod table;

pub use engine::{DoubleDummy, Engine};
pub use hattari_games::bridge::{
    Card, CardSet, Cards, Deal, DealError, NotationError, Seat, Side, Strain, Suit,
};
pub use libdds::{LIBDDS_NAMES, LIBDDS_PATH, Libdds, LibddsError};
pub use position::{Position, PositionError};
pub use solver::{MEMORY_MIB_DEFAULT, Solver};
