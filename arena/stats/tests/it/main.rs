//! Statistics against known answers and against simulations.

mod common;
mod compare_layer;
mod comparisons;
mod distributions;
mod race;
mod ratings;
mod robustness;
mod sequential;
mod simulation;
