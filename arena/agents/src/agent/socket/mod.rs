//! Clients of contest protocols: programs that connect to a server over a socket.
//!
//! This module does not depend on a particular protocol. It accepts clients and reads their
//! greeting ([`SocketListener`]), starts clients with a command (`Launch`), and
//! reads and writes whole messages with deadlines ([`Stream`]). It converts failures to errors
//! ([`SeatClient`]). A client that is slow, silent or gone, or sends too much, loses its own games
//! and does not delay the league.
//!
//! # Implementing a protocol
//! A [`Protocol`] consists of the greeting of a client and a function that creates an [`Agent`]
//! from a [`SeatClient`], for one seat on one thread. That agent
//! - calls [`SeatClient::connect`] in `block_start`: **each block is a separate match** on a new
//!   connection, with a client that has no state from other blocks. Contest protocols have no
//!   message for a new match, and records must not depend on the order of blocks. The same applies
//!   if a lost client is replaced within a block;
//! - collects the seat's information in [`SeatClient::outbox`] and asks with [`SeatClient::ask`]. A
//!   real server would send each part when it happens. The client sees no difference, but a
//!   decision takes only one write and one read;
//! - returns an error for an invalid or illegal answer. If the next message can still be
//!   recognised, the error has [`FaultScope::Decision`], and the agent replies as a server would.
//!   Otherwise it has [`FaultScope::Deal`], after [`SeatClient::hang_up`];
//! - sends the last messages of the match in `block_end` and at the next `block_start`, before
//!   [`SeatClient::disconnect`] or [`SeatClient::connect`];
//! - returns `true` from [`Agent::is_asked_when_forced`] if the server asks clients that have only
//!   one legal action.
//!
//! [`Agent`]: super::traits::Agent
//! [`Agent::is_asked_when_forced`]: super::traits::Agent::is_asked_when_forced
//! [`FaultScope::Decision`]: super::FaultScope::Decision
//! [`FaultScope::Deal`]: super::FaultScope::Deal

mod host;
mod listener;
mod stream;

pub use host::{ClientBot, ClientSpec, Protocol, SeatClient};
pub use listener::{
    ClientGreeting, Handshake, NAME_BYTES, NAME_KEPT, SocketListener, SocketListeners,
    compared_name,
};
pub use stream::{ConnectionEnd, Stream};
