//! Calls of Rust bots through C, in one process: by a correct host, by an incorrect host, and after
//! a panic of the bot.

mod bots;
mod faults;
mod growth;
mod lifecycle;
mod nulls;
#[path = "../support/mod.rs"]
mod support;

pub use bots::HATTARI_ENTRY;

use bytemuck::Zeroable;
use hattari_plugin::daihinmin::{Event, View, phase};

const NOTHING: &[Event] = &[];

/// Returns a view in the phase of play.
fn playing() -> View {
    View {
        phase: phase::PLAY,
        ..View::zeroed()
    }
}
