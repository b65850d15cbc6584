//! Hold'em over the protocol of the Annual Computer Poker Competition, version 2.0.0: its clients
//! at our tables.
//!
//! A client says its version, then gets a line for every state of every hand of the match, and
//! answers the states in which it is to act, with the line that it answers before its action. A
//! line that does not answer the current state is passed over, as a dealer passes over it; an
//! action that is not legal is a fault, for which the league's rule plays. Seats keep their order
//! and the button moves on with every hand, so a client's position changes as it does at the
//! competition.
//!
//! A match is played by the league's options. What the competition's definition files cannot say
//! (antes, stacks that are carried from hand to hand, pot limit) its clients cannot play, and such
//! a league is refused.

mod client;
mod follow;
mod line;
mod protocol;
mod seat;

pub use client::{Joined, MatchTerms, Unplayed, play_match};
pub use protocol::PROTOCOL;
