//! Daihinmin over the protocol of the UECda contest, versions 20070 and 20140.
//!
//! Messages in both directions are tables of numbers ([`table`]) with cards and state. `board`
//! builds the tables that a server sends, and `seat` plays a seat with them.
//!
//! A client receives exactly the data that the contest's server sends. Unused cells are 0. Titles
//! stay those of the start of the game, because that server does not update them. An illegal play
//! is a fault, also in the two cases that the contest's server accepts by mistake. A client that
//! sends no profile uses version 20060 and is rejected.

mod board;
mod client;
mod follow;
mod protocol;
mod seat;
pub mod table;

pub use client::{Joined, MatchTerms, Unplayed, play_match};
pub use protocol::{PROTOCOL, profile};
