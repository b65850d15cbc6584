//! Poker hand histories in the PHH format (Poker Hand History, the standard of the University of
//! Toronto's computer poker students): text to record and back, for hold'em without limit and at
//! fixed limit and for seven-card stud at fixed limit. Pure functions; files are the caller's.
//!
//! A hand is a TOML document. Players are listed in the order of their position, first the one left
//! of the button (the small blind at a full table, the big blind heads-up), last the button. Fields
//! whose names begin with `_` are ours: where a hand comes from, and the options of its rules as
//! JSON, so that it can be replayed to the same chips.

mod amount;
mod hand;
mod parse;
mod replay;
mod step;
mod write;

pub use amount::decimal;
pub use hand::{Hand, Origin, Variant};
pub use parse::{ParseError, Place, parse};
pub use replay::{Decision, Overrides, ReplayError, Replayed, odd_chips, replay};
pub use step::Step;
pub use write::{Inexpressible, Recorded, document, of_poker, table};
