//! Daihinmin over the protocol of the UECda contest, versions 20070 and 20140.
//!
//! Client and server send each other tables of numbers ([`table`]) with cards and state. `board`
//! builds the tables that a server sends, and `seat` exchanges them with a client.
//!
//! A client receives exactly the data that the contest's server sends. Unused cells are 0. Titles
//! do not change during a game, because that server does not update them. An illegal play is a
//! fault, even in the two cases in which the contest's server accepts it by mistake. A client that
//! sends no profile uses version 20060 and is rejected.

mod board;
mod client;
mod follow;
mod protocol;
mod seat;
pub mod table;

pub use client::{UecdaMatchOptions, UecdaResult, play_match};
pub use protocol::{PROTOCOL, profile};
