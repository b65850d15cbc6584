//! The host of scripts, driven by hand-made decisions.

mod answers;
mod decode;
mod life;
mod sandbox;
mod stubs;
mod table;
