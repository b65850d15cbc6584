//! Bots in WebAssembly: they play what their native twins play, and what they do wrong is the same
//! fault every time.

mod bombs;
mod faults;
mod first_release;
mod refusals;
mod twins;
