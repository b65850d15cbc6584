//! Contest clients at our tables and our bots at others', over real sockets.

mod again;
mod client;
mod faults;
mod games;
mod leagues;
mod lost;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod views;
