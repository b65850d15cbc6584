//! Services: host functions that bots call during decisions. A game has at most one service. A
//! service consists of a file that describes the methods as data, and an entry in [`SERVICES`].
//! WebAssembly modules and scripts can then call the service. For the C interface, add a struct in
//! `plugin-api/src/abi.rs`, and functions and an id in
//! `plugin/services.rs`.

mod double_dummy;
mod lookahead;
mod service;
mod table;

pub(super) use double_dummy::DOUBLE_DUMMY;
pub(super) use lookahead::LOOKAHEAD;
pub(super) use service::{
    NumberParameter, Output, Request, Service, ServiceRefusal, ServiceStep, words,
};
#[cfg(feature = "wasm")]
pub(super) use table::SERVICES;
pub(super) use table::{BlockServices, of_game};
