//! Hold'em over the protocol of the Annual Computer Poker Competition (ACPC), version 2.0.0.
//!
//! A client first sends its version. It then receives a line for every state of every hand. To act,
//! it sends this line back, followed by its action. Lines that do not answer the current state are
//! ignored, as by the contest's dealer. An illegal action is a fault; the fault rule of the league
//! then chooses the action. Players keep their seats and the button moves after every hand, so the
//! position of a client changes as in the competition.
//!
//! The league defines the options of a match. Leagues with antes, pot limit or stacks that persist
//! from hand to hand are rejected, because the game definition files of the competition cannot
//! express these options.

mod client;
mod follow;
mod line;
mod protocol;
mod seat;

pub use client::{AcpcMatchOptions, AcpcResult, play_match};
pub use protocol::PROTOCOL;
