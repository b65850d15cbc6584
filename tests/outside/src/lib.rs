//! Two small poker games outside of the arena's packages, and a solver for games of this size.
//!
//! [`kuhn`] and [`leduc`] are complete games in one file each: records, rules, texts and pictures.
//! `main.rs` gives them the arena's command, and `examples/bots.rs` contains bots. The README
//! describes how to write a new game after these examples.

pub mod cfr;
pub mod kuhn;
pub mod leduc;
pub mod solved;
mod two;
