//! Errors of seating a league's entrants and of playing a block.

use crate::catalogue::{FolderError, NotFound};
use crate::league::LeagueError;
use crate::pack::PackError;
use crate::runner::describe_fault;
use crate::store::StoreError;
use hattari_agents::games::UnknownGame;
use hattari_agents::record::{Fault, JobId};

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
    /// The options are not valid for the game.
    #[error("options of the league: {0}")]
    Options(String),
    /// The bot of an entrant was not found.
    #[error("entrant `{entrant}`: {error}")]
    NotFound {
        /// Name of the entrant.
        entrant: String,
        /// The error of the search, with similar names.
        error: NotFound,
    },
    /// Too few entrants are left after excluding those without a bot.
    #[error("{0}")]
    TooFew(String),
    /// The bot of an entrant cannot be loaded or started.
    #[error("entrant `{entrant}` does not start: {message}")]
    Start {
        /// Name of the entrant.
        entrant: String,
        /// Error of the bot or of its file.
        message: String,
    },
    /// An agent of an entrant cannot be opened.
    #[error("entrant `{entrant}`: {message}")]
    Open {
        /// Name of the entrant.
        entrant: String,
        /// Error of the bot.
        message: String,
    },
    /// A fault ended a block, and the host cannot continue.
    #[error("the block was not completed because of {}", describe_fault(*job, entrant, fault))]
    Stopped {
        /// Line-up and number of the block.
        job: JobId,
        /// Name of the entrant.
        entrant: String,
        /// Fault that ended the block.
        fault: Fault,
    },
}
