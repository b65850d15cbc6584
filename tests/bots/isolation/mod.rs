//! Compiled bots in separate processes, tested through the program. For every misbehaviour, the
//! league finishes, the fault is attributed to the right bot, and the other bots get the same cards
//! and play as before.
#![cfg(target_os = "linux")]

mod attacks;
mod honest;
mod hosting;
pub(crate) mod limits;
mod stops;
