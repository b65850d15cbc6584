//! UECda clients in our leagues and our bots at other servers, over real sockets.

mod again;
mod client;
mod faults;
mod games;
mod leagues;
mod lost;
mod views;
