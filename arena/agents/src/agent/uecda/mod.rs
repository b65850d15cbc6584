//! Daihinmin over the protocol of the UECda contest: its clients at our tables.
//!
//! Tables ([`table`]) carry cards and state both ways; [`board`] makes those that a server shows,
//! `seat` plays a seat with them. What a client is shown is what the contest's server shows: no
//! cell that is not used tells anything, and titles stay those that the game began with (the server
//! lets them go stale). Answers are held to the rules: a play that is not legal is a fault, and so
//! are the two that the contest's server lets through by mistake. Versions 20070 and 20140 are
//! spoken; who sends no profile speaks 20060, and is sent away.

pub mod board;
mod protocol;
mod seat;
pub mod table;

pub use protocol::{PROTOCOL, profile};
pub use seat::Seat;
