//! Hold'em over the protocol of the Annual Computer Poker Competition (ACPC), version 2.0.0.
//!
//! A client sends its version. It then receives a line for every state of every hand. If it has to
//! act, it sends this line back, followed by its action. Lines that do not answer the current state
//! are ignored, as ACPC dealers do. An illegal action is a fault, and the fault rule of the league
//! chooses the action. Players keep their seats and the button moves after every hand, so the
//! position of a client changes as in the competition.
//!
//! The league defines the options of a match. The game definition files of the competition cannot
//! express antes, stacks that persist from hand to hand, and pot limit. Leagues with these options
//! are rejected.

mod client;
mod follow;
mod line;
mod protocol;
mod seat;

pub use client::{Joined, MatchTerms, Unplayed, play_match};
pub use protocol::PROTOCOL;
