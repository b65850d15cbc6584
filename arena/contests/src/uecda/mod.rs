//! Daihinmin over the protocol of the UECda contest, versions 20070 and 20140.
//!
//! Messages in both directions are tables of numbers ([`table`]), which carry cards and state.
//! `board` makes the tables that a server sends, and `seat` plays a seat with them. A client
//! receives exactly what the contest's server sends: unused cells are 0, and titles stay those of
//! the start of the game, because that server does not update them. The rules are checked: an
//! illegal play is a fault, also in the two cases that the contest's server accepts by mistake. A
//! client that sends no profile speaks version 20060 and is refused.

mod board;
mod client;
mod follow;
mod protocol;
mod seat;
pub mod table;

pub use client::{Joined, MatchTerms, Unplayed, play_match};
pub use protocol::{PROTOCOL, profile};
