//! Tests of the daihinmin bots: each statement about their play.

mod client;
mod deals;
mod monte_carlo;
mod names;
mod plan;
mod policy;
mod positions;
mod random;
#[path = "../support/mod.rs"]
mod support;
