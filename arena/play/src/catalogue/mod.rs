//! Finds bots by name or path and prepares them for seating.

mod found;
mod list;
mod not_found;
mod search;
#[cfg(test)]
mod tests;

pub use found::{FoundBot, agent_spec};
pub use hattari_agents::agent::backend::AgentSpec;
pub use list::{Catalogue, PinnedBot, UnreadFile};
pub use not_found::{NotFound, NotFoundReason};
pub use search::{BOTS_VARIABLE, FolderError, SearchPath};
