//! Text formats of single games. All functions are pure conversions between text and records.
//!
//! - [`phh`]: poker hand histories (PHH), for hold'em and seven-card stud.
//! - [`acpc`]: game definitions, match states and log lines of the Annual Computer Poker
//!   Competition.

pub mod acpc;
mod deck;
pub mod phh;
