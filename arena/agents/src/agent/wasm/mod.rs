//! WebAssembly bots: one file for all machines, isolated by the engine.
//!
//! A module implements the C interface as a library does, with 4-byte pointers
//! ([`abi32`](hattari_plugin::abi32)). It exports its memory, its table of functions,
//! `hattari_entry` and an allocator. The host adds its functions to the table and its records to
//! the memory. Every block gets a fresh instance.
//!
//! Games do not depend on the machine. Fuel, which counts instructions, stops long calls, and the
//! bits of NaN values are fixed. There are no threads, the only clock is the time left for the
//! decision, and random numbers depend on the seed. Memory limits are the same everywhere. There is
//! one exception: sizes of stack frames depend on the processor, so nested calls overflow the
//! host's stack at different depths. If a module is linked with a small stack of its own, that
//! stack overflows first.

mod agent;
mod cache;
mod compile;
mod faults;
mod guest;
mod kind;
mod limits;
mod load;
mod memory;
mod module;
mod services;
mod state;
mod wasi;

pub use compile::serve;
pub(super) use kind::WasmBackend;
pub use kind::WasmBot;
pub use limits::WasmLimits;
