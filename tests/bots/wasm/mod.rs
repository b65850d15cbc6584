//! Bots in WebAssembly: they play like their native twins, and their faults are reproducible.

mod expensive_modules;
mod faults;
mod first_release;
mod refusals;
mod twins;
