//! Tests of the stud bots: each statement about their play.

mod fuzzy;
mod players;
mod support;
mod worked;
