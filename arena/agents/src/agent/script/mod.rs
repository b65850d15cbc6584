//! Bots in Luau. The source text is compiled once, and each agent runs the code in its own
//! sandboxed virtual machine.
//!
//! A script is a chunk that returns a table of functions; `scripts/README.md` is the guide for
//! authors. A script receives the same records as compiled bots, decoded by Luau source that
//! `decoder` generates from the descriptions of the records. It has no access to the host, other
//! scripts, files or clocks.

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
mod memory;
mod meter;
mod modules;
mod natives;
mod region;
mod scoped_ptr;
mod script;
mod seat;
mod shared;
mod slot;
mod state;
mod strict;
mod structs;
pub mod stubs;
mod vm;

pub(super) use kind::ScriptBackend;
pub use limits::ScriptLimits;
pub use script::Script;

#[cfg(feature = "wasm")]
pub(super) use scoped_ptr::ScopedPtr;
