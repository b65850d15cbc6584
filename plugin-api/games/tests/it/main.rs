//! The rules of every game: what all games promise, rulings, and whole deals.

mod bridge;
mod daihinmin;
mod equity;
mod holdem;
mod playthrough;
#[path = "../../../../tests/support/python.rs"]
mod python;
mod stud;
mod tanhinmin;
