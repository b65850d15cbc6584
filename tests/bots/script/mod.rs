//! The host of scripts, driven by hand-made decisions.

mod again;
mod answers;
mod attacks;
mod bridge;
mod costs;
mod crashes;
mod decode;
mod life;
mod poker;
mod sandbox;
mod search;
mod strict;
mod stubs;
mod table;
