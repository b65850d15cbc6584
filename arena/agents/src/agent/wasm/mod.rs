//! Bots in WebAssembly: one file for every machine, which can touch nothing but what it is handed.
//!
//! A module keeps to the C interface as a library does, in the layout of a memory with pointers of
//! 4 bytes ([`abi32`](hattari_plugin::abi32)): it exports its memory, its table of functions,
//! `hattari_entry` and an allocator, and the host puts its own functions into the table and its
//! records into the memory. Every block gets a fresh instance.
//!
//! Nothing that decides a game differs between machines. Fuel, counted by instructions, ends what
//! takes too long; which NaN comes of a sum is fixed; there are no threads, no clock but the
//! interface's own, and no chance but by seed. Where memory ends, it ends everywhere. One thing is
//! left to the processor: how deep calls may go before the host's stack ends, for frames differ
//! in size; a module linked with a small stack of its own meets that end first.

mod agent;
mod bot;
mod cache;
mod caller;
mod compile;
mod engine;
mod faults;
mod guest;
mod kind;
mod limits;
mod load;
mod memory;
mod meter;
mod module;
mod services;
mod state;
mod wasi;
mod wrong;

pub use bot::WasmBot;
pub use compile::serve;
pub(super) use kind::Modules;
pub use limits::Limits;
