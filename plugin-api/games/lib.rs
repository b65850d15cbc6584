//! The rules of the card games of Hattari.
//!
//! Every game has its own folder and implements [`Game`]. Rules are pure: no input or output,
//! clocks, global state or floating-point numbers; random numbers come from the caller's generator.
//! Views, events and actions are plain records with a fixed layout ([`mod@frame`]). All kinds of
//! bots get the same bytes.

mod block;
pub mod cards;
pub mod chance;
pub mod conformance;
pub mod features;
pub mod frame;
mod game;
pub mod given;
pub mod poker;
pub mod scene;
pub mod seats;
pub mod words;

pub use block::{Block, PLAYERS_MAX};
#[doc(hidden)]
pub use bytemuck;
pub use game::{
    BlockState, ChanceEvent, Game, GameOptions, GameTypes, LUCK_PARTS, Move, Seating, check_range,
    default_line,
};

/// Passes the list of games to the macro `$each`: for each game, the name of its folder and the
/// type of its rules. This is the only list of games. The folder name is also used for the tests,
/// the SDK module and the host's additions to a game.
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

/// Declares the module of every game and lists their records.
macro_rules! modules {
    ($($folder:ident: $game:ident,)*) => {
        $(pub mod $folder;)*

        /// The records of every game, from which C headers, Lua stubs and the layout file are
        /// generated.
        pub const SCHEMAS: &[frame::Schema] = &[$(<$folder::$game as GameTypes>::SCHEMA),*];
    };
}

every_game!(modules);
