//! Network protocols of bot contests. Clients written for a contest can play in leagues, and our
//! bots can play on a contest's server.
//!
//! Each protocol has a folder and an entry in [`PROTOCOLS`]. `protocol.rs` contains the handshake.
//! `seat.rs` lets a connected client play a seat. `client.rs` lets one of our bots play a match on
//! a server. `follow.rs` reconstructs the state of such a match from the server's messages.

pub mod acpc;
mod player;
pub mod uecda;

use hattari_agents::agent::socket::Protocol;
pub use player::{Faults, MatchError};

/// The protocols that entrants can use.
pub static PROTOCOLS: [&Protocol; 2] = [&uecda::PROTOCOL, &acpc::PROTOCOL];
