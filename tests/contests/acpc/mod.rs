//! ACPC clients at our tables and our bots at dealers', over real sockets.

mod client;
mod dealer;
mod faults;
mod leagues;
