//! Daihinmin (大貧民) as the UECda contest plays it.
//!
//! Facts: 5 players, 53 cards, places 5 … 1 points, titles carry over within a block, cards are exchanged by title.

pub mod card;
mod options;
mod records;
mod schema;

pub use options::Options;
pub use records::{Action, Event, NONE, PLAYERS, View, effect, event, kind, phase};
pub use schema::SCHEMA;
