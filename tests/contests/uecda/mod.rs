//! Contest clients at our tables and our bots at others', over real sockets.

mod again;
mod client;
mod faults;
mod games;
mod leagues;
mod lost;
mod table;
mod views;
