//! Tests of the bridge bots with hands and auctions whose best play is known.

mod deception;
mod play;
mod support;
