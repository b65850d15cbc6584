//! What the bridge players do with hands and auctions whose best play is known.

mod deception;
mod play;
mod support;
