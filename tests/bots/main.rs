//! Bots of every kind and their hosts: compiled ones, scripts, those of the guides and scaffolds,
//! and such as misbehave.

mod authors;
mod fuzz;
mod holdem_twins;
mod installed;
mod isolation;
mod odd_files;
mod plugins;
mod programs;
mod programs_held;
mod scaffold;
mod script;
#[path = "../support/mod.rs"]
mod support;
mod trust;
mod twins;
mod wasm;
mod watch;
