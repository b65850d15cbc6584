//! ACPC clients in our leagues and our bots at dealers, over real sockets.

mod client;
mod dealer;
mod faults;
mod leagues;
