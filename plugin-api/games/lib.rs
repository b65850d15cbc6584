//! Rules of the card games that Hattari plays.
//!
//! Every game lives in a folder of its own and implements [`Game`]. Rules are pure: no input or output, no clock, no
//! globals, no floats; chance comes in through the caller's generator. What a bot may see, what has happened in public
//! and what it may do are plain fixed-layout records ([`mod@frame`]), the same bytes for every way of hosting a bot.

pub mod bridge;
pub mod chance;
pub mod conformance;
pub mod daihinmin;
pub mod frame;
mod game;
pub mod holdem;
pub mod poker;
pub mod scene;
pub mod stud;
pub mod tanhinmin;

#[doc(hidden)]
pub use bytemuck;
pub use game::{Game, GameTypes, Grant};

/// The records of every game: what C headers, Lua stubs and the golden layout file are made from.
pub const SCHEMAS: &[frame::Schema] =
    &[bridge::SCHEMA, daihinmin::SCHEMA, holdem::SCHEMA, stud::SCHEMA, tanhinmin::SCHEMA];
