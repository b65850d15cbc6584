//! Tests of the solver: comparison with minimax and libdds, and deals with published solutions.

mod deception;
mod libdds;
mod minimax;
#[path = "../support/mod.rs"]
mod support;
