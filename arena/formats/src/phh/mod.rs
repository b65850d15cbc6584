//! Poker hand histories in the PHH format (Poker Hand History, by the University of Toronto's
//! computer poker students). Converts between text and records for no-limit and fixed-limit hold'em
//! and fixed-limit seven-card stud. All functions are pure; callers read and write files.
//!
//! A hand is a TOML document. Players are listed by position, from the one left of the button (the
//! small blind at a full table, the big blind heads-up) to the button. Fields with names that begin
//! with `_` are extensions of this program. They hold the source of a hand and the options of its
//! rules as JSON, so that a replay gives the same chips.

mod hand;
mod parse;
mod replay;
mod write;

pub(crate) use hand::Variant;
pub use hand::{Hand, HandOrigin, Step, decimal};
pub use parse::{HandLocation, ParseError, parse};
pub use replay::{Overrides, ReplayError, ReplayedHand, odd_chips, replay};
pub use write::{WriteHandError, document, hand_of, table};
