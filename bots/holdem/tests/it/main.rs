//! The hold'em players: every clause of what they are said to do.

mod clauses;
mod players;
mod support;
