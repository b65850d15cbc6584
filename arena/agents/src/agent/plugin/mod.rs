//! Compiled bots in the host's own process.
//!
//! A bot here is trusted. It cannot be stopped while it thinks (a budget is measured after the
//! call), and its crash is ours.

mod agent;
mod decision_services;
mod image;
mod library;
mod services;
mod state;

pub use agent::PluginBot;
pub(super) use image::Image;
pub use library::Library;
