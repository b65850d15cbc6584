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
mod charges;
pub(super) mod decoder;
mod host;
mod intern;
mod kind;
mod library;
mod limits;
mod memory;
mod meter;
mod script;
mod shared;
mod state;
mod structs;
pub mod stubs;
mod vm;

pub(super) use kind::ScriptBackend;
pub use limits::ScriptLimits;
pub use script::Script;

#[cfg(feature = "wasm")]
pub(super) use shared::ScopedPtr;
