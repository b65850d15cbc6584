//! Tests of the hold'em bots: each statement about their play.

mod clauses;
mod players;
mod support;
#[path = "../support/table.rs"]
mod table;
