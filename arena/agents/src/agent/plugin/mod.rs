//! Compiled bots in the host's process.
//!
//! Such a bot is trusted. A running call cannot be stopped (time is checked after the call), and a
//! crash ends the host.

mod agent;
mod decision_services;
mod image;
mod library;
mod services;
mod state;

pub use agent::PluginBot;
pub(super) use image::Image;
pub use library::Library;
