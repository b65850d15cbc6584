//! Protocols of contests: their clients can play in our leagues, and our bots can play on their
//! servers.
//!
//! Each protocol has a folder and an entry in [`PROTOCOLS`]. `protocol.rs` contains the handshake.
//! `seat.rs` plays a seat with a connected client. `client.rs` plays a match of one of our bots on
//! a server. `follow.rs` reconstructs the state of this match from the messages of the server.

pub mod acpc;
mod player;
pub mod uecda;

use hattari_agents::agent::socket::Protocol;

/// The protocols that entrants can use.
pub static PROTOCOLS: [&Protocol; 2] = [&uecda::PROTOCOL, &acpc::PROTOCOL];
