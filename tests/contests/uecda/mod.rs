//! UECda clients in our leagues and our bots at other servers, over real sockets.

mod absent_clients;
mod client;
mod faults;
mod games;
mod leagues;
mod lost_connections;
mod views;
