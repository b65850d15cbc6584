//! Bots in Luau: compiled once from text, one sandboxed virtual machine for every agent.
//!
//! A script is a chunk that returns a table of functions; `scripts/README.md` is the guide for its
//! author. A script sees the records that compiled bots get, decoded by source that `decoder`
//! writes from the descriptions of the records. It never sees the host, other scripts, files or the
//! clock.

mod about;
mod agent;
mod arena;
mod callbacks;
mod charges;
mod decisions;
pub(super) mod decoder;
mod hooks;
mod host;
mod intern;
mod kind;
mod library;
mod limits;
mod loan;
mod memory;
mod meter;
mod modules;
mod natives;
mod region;
mod script;
mod seat;
mod shared;
mod slot;
mod state;
mod strict;
mod structs;
pub mod stubs;
mod vm;

pub(super) use kind::Scripts;
pub use limits::Limits;
pub use script::Script;

#[cfg(feature = "wasm")]
pub(super) use loan::Loan;
