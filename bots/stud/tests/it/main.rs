//! Tests of the stud bots: each statement about their play.

mod fuzzy;
mod players;
mod support;
#[path = "../../../holdem/tests/support/table.rs"]
mod table;
mod worked;
