//! Bridge with all four hands open: how many tricks each card is worth when everybody plays
//! perfectly from here.
//!
//! [`Solver`] answers for any [`Position`]: any number of cards in each hand, any strain, any leader, up to three cards
//! on the table. Deals are read and printed as PBN writes them ([`Deal`]). No auction, no score, no
//! hidden cards: the rules of the game are a room of their own.
//!
//! ```
//! use hattari_double_dummy::{Deal, Position, Seat, Side, Solver, Strain};
//!
//! // East's king lies behind North's ace and queen: the finesse loses, and the ace is the only trick.
//! let deal: Deal = "N:AQ... K2... 54... 63...".parse()?;
//! let position = Position::new(deal.hands, Strain::NoTrump, Seat::South, &[])?;
//! assert_eq!(Solver::default().solve(&position, Side::NorthSouth), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bounds;
mod engine;
mod libdds;
mod order;
mod position;
mod search;
mod solver;
#[cfg(test)]
mod sound;
mod table;

pub use engine::{Analyst, Engine};
pub use hattari_games::bridge::{
    Card, CardSet, Cards, Deal, DealError, NotationError, Seat, Side, Strain, Suit,
};
pub use libdds::{LIBDDS_NAMES, LIBDDS_PATH, Libdds, LibddsError};
pub use position::{Position, PositionError};
pub use solver::{MEMORY_MIB_DEFAULT, Solver};
