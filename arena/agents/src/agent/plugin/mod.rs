//! Compiled bots in the host's process.
//!
//! Such a bot is trusted. A running call cannot be stopped (time is checked after the call), and a
//! crash ends the host.

mod agent;
mod library;
mod library_info;
mod services;

pub use agent::PluginBot;
pub use library::Library;
pub(super) use library_info::LibraryInfo;
