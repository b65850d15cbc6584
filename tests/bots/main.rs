//! Tests of all kinds of bots and their hosts: compiled bots, scripts, bots from guides and
//! scaffolds, and faulty bots.

mod authors;
mod fuzz;
mod installed;
mod isolation;
mod mutants;
mod odd_files;
mod plugins;
mod programs;
mod sandboxed_programs;
mod scaffold;
mod script;
#[path = "../support/mod.rs"]
mod support;
mod trust;
mod twins;
mod wasm;
mod watch;
