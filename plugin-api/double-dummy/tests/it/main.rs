//! The solver against minimax, against libdds, and on deals that others have solved.

mod deception;
mod libdds;
mod minimax;
#[path = "../support/mod.rs"]
mod support;
