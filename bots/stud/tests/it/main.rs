//! The stud players: every clause of what they are said to do.

mod fuzzy;
mod players;
mod support;
mod worked;
