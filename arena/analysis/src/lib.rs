//! Analyses of games that need no bots: exact solvers and measures computed with them. Pure
//! functions over values; the host adds progress, files and printing.

pub mod tanhinmin;
