//! Two small poker games from outside of the arena, and a solver for games as small as they are.
//!
//! [`kuhn`] and [`leduc`] are whole games in a file each: records, rules, words and pictures.
//! `main.rs` gives them the arena's command, `examples/bots.rs` bots. The README says how to write
//! a game of one's own after them.

pub mod cfr;
pub mod kuhn;
pub mod leduc;
pub mod solved;
mod two;

pub use two::Block;
