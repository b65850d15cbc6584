//! Tests of the daihinmin bots: each statement about their play.

mod client;
mod deals;
mod following;
mod history;
mod leading;
mod locks;
mod monte_carlo;
mod names;
mod plan;
mod policy;
mod random;
mod sample;
mod stairs;
#[path = "../support/mod.rs"]
mod support;
mod trace;
