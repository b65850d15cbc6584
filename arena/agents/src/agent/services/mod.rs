//! Functions that the host offers to bots at their decisions. Each service is a file with its
//! methods as data and a line in [`SERVICES`]. Backends call them through one adapter each.

mod block;
mod double_dummy;
mod lookahead;
mod service;
mod table;

pub(super) use block::BlockServices;
pub(super) use double_dummy::DOUBLE_DUMMY;
pub(super) use lookahead::LOOKAHEAD;
pub(super) use service::{Number, Output, Refusal, Request, Service, Step, words};
#[cfg(feature = "wasm")]
pub(super) use table::SERVICES;
pub(super) use table::of_game;
