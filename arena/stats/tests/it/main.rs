//! Statistics, compared with known answers and simulations.

#![allow(
    clippy::disallowed_methods,
    reason = "numbers computed for a test may differ in the last bit"
)]

mod common;
mod compare_layer;
mod comparisons;
mod distributions;
mod race;
mod ratings;
mod robustness;
mod sequential;
mod simulation;
