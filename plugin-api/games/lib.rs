//! Rules of the card games that Hattari plays.
//!
//! Every game lives in a folder of its own and implements [`Game`]. Rules are pure: no input or
//! output, no clock, no globals, no floats; chance comes in through the caller's generator. What a
//! bot may see, what has happened in public and what it may do are plain fixed-layout records
//! ([`mod@frame`]), the same bytes for every way of hosting a bot.

pub mod cards;
pub mod chance;
pub mod conformance;
pub mod features;
pub mod frame;
mod game;
pub mod given;
pub mod poker;
pub mod scene;
pub mod words;

#[doc(hidden)]
pub use bytemuck;
pub use game::{ChanceEvent, Game, GameTypes, Grant, LUCK_PARTS};

/// The games, one line each and nowhere else: the folder of its rules, which is also that of its
/// tests here and of what the host adds to it and the file of its SDK, and the type that has them.
/// Hands the list to the macro `$each`.
#[macro_export]
macro_rules! every_game {
    ($each:ident) => {
        $each! {
            daihinmin: Daihinmin,
            bridge: Bridge,
            holdem: Holdem,
            stud: Stud,
            tanhinmin: Tanhinmin,
        }
    };
}

/// Makes a module of every game and lists their records.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(pub mod $folder;)*

        /// The records of every game: what C headers, Lua stubs and the golden layout file are made from.
        pub const SCHEMAS: &[frame::Schema] = &[$(<$folder::$game as GameTypes>::SCHEMA),*];
    };
}

every_game!(modules);
