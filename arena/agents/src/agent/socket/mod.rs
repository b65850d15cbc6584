//! Clients beyond a socket: programs of contests that connect to a server and speak its protocol.
//!
//! The room knows nothing of any protocol. It listens and greets ([`Door`]), starts clients by a
//! command ([`Launch`](super::Launch)), reads and writes whole messages before a moment passes ([`Stream`]), and
//! turns whatever goes wrong into missteps ([`Host`]): a client that is slow, silent, babbles or
//! vanishes costs its own games and never holds a league up.
//!
//! # The seam for a protocol
//! A protocol is a [`Protocol`]: how a client greets, and an [`Agent`] made of a [`Host`] for one
//! seat of one thread. That agent
//! - calls [`Host::connect`] in `block_start`: **a block is a match of its own**, on a connection
//!   of its own, with a client that has kept nothing of any other (contest protocols have no word
//!   for "a new match begins", and records must not depend on the order of blocks). The same
//!   happens when a client that was lost is started anew within a block;
//! - gathers what the seat is shown in [`Host::outbox`] and asks with [`Host::ask`]. A server would
//!   have sent all that at once as it happened; a client cannot tell, and one write and one read a
//!   decision is all that the system is called for;
//! - takes an answer that is not the protocol's, or not legal, for a misstep that it returns: with
//!   [`Reach::Decision`] if the next message can still be told apart (then it answers as a server
//!   would and goes on), else after [`Host::hang_up`] with [`Reach::Deal`];
//! - says the last words of the match in `block_end` and at the next `block_start`, before
//!   [`Host::part`] or [`Host::connect`];
//! - returns `true` from [`Agent::is_asked_when_forced`] where the server asks a client that has
//!   one thing to do.
//!
//! [`Agent`]: super::traits::Agent
//! [`Agent::is_asked_when_forced`]: super::traits::Agent::is_asked_when_forced
//! [`Reach::Decision`]: super::Reach::Decision
//! [`Reach::Deal`]: super::Reach::Deal

mod client;
mod door;
mod doors;
mod handshake;
mod host;
mod protocol;
mod stream;
mod terms;

pub use client::ClientBot;
pub use door::{Door, kept};
pub use doors::Doors;
pub use handshake::{Greeting, Handshake, NAME_KEPT};
pub use host::{Host, Received};
pub use protocol::Protocol;
pub use stream::{Lost, Stream};
pub use terms::{ClientTerms, START};
