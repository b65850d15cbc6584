//! Reports: one format, one file. Nothing is computed here; every format prints the same standings.

pub mod markdown;
pub mod table;
pub mod terminal;
