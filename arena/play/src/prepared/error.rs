//! Errors of seating a league's entrants and of playing a block.

use crate::catalogue::FolderError;
use crate::league::LeagueError;
use crate::pack::PackError;
use crate::store::StoreError;
use hattari_agents::games::UnknownGame;

/// The reason why a league cannot be seated, or why a block ended early.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// A search folder for bots does not exist.
    #[error(transparent)]
    Search(#[from] FolderError),
    /// The pack of the league is missing, invalid or has changed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The league file cannot be read.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// This program does not support the game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The options are not valid for the game, an entrant cannot be seated, too few entrants are
    /// left, or a fault ended a block and the host cannot continue.
    #[error("{0}")]
    Other(String),
}
