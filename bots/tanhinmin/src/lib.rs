//! Compiled tanhinmin bots: three simple plans and a random one.

/// The bots, one per file, collected by the build script.
pub mod bots {
    include!(concat!(env!("OUT_DIR"), "/bots.rs"));
}
