//! Finds bots by name or path and prepares them for seating.

mod for_games;
mod found;
mod list;
mod not_found;
mod search;
#[cfg(test)]
mod tests;

pub use for_games::FoundForGames;
pub use found::FoundBot;
pub use hattari_agents::agent::backend::AgentSpec;
pub(crate) use list::PinnedBot;
pub use list::{Catalogue, UnreadFile};
pub use not_found::{NotFound, NotFoundReason};
pub(crate) use search::FolderError;
pub use search::SearchPath;
