//! Protocols of contests: their clients play at our tables, and our bots play as their clients.
//!
//! A protocol is a folder and a line in [`PROTOCOLS`]. `protocol.rs` has its greeting, `seat.rs` a
//! seat whose client is asked for decisions, `client.rs` a match that one of our bots plays at a
//! server, and `follow.rs` what that bot knows: only what the server has shown.

pub mod acpc;
mod player;
pub mod uecda;

use hattari_agents::agent::socket::Protocol;

/// The protocols that entrants may speak: one line each.
pub static PROTOCOLS: [&Protocol; 2] = [&uecda::PROTOCOL, &acpc::PROTOCOL];
