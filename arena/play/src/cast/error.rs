//! What can keep a league's entrants from their seats, or a block from its end.

use crate::catalogue::{NoFolder, NotFound};
use crate::league::LeagueError;
use crate::pack::PackError;
use crate::store::StoreError;
use hattari_agents::games::NoGame;
use hattari_agents::record::{Fault, JobId};

/// Why a league cannot be seated, or a block of it was not played to its end.
#[derive(Debug, thiserror::Error)]
pub enum CastError {
    /// A folder of bots is not there.
    #[error(transparent)]
    Search(#[from] NoFolder),
    /// The pack that was played is not there any more, or is another file now.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The league's file cannot be read.
    #[error(transparent)]
    League(#[from] LeagueError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The host has no such game.
    #[error(transparent)]
    Game(#[from] NoGame),
    /// The options are not the game's.
    #[error("the league's options: {0}")]
    Options(String),
    /// An entrant's program is not found.
    #[error("entrant `{entrant}`: {error}")]
    NotFound {
        /// Its name.
        entrant: String,
        /// What was looked for.
        error: NotFound,
    },
    /// There is no league without those that were left out.
    #[error("{0}")]
    TooFew(String),
    /// An entrant's program cannot be seated.
    #[error("entrant `{entrant}` does not start: {message}")]
    Start {
        /// Its name.
        entrant: String,
        /// Why not.
        message: String,
    },
    /// An entrant's agent cannot be opened.
    #[error("entrant `{entrant}`: {message}")]
    Open {
        /// Its name.
        entrant: String,
        /// Why not.
        message: String,
    },
    /// A fault that the host cannot go on after ended a block.
    #[error(
        "line-up {}, block {} in game {}: {entrant}: {}: {}",
        job.line_up, job.block, fault.deal, fault.kind.name(), fault.message
    )]
    Stopped {
        /// The block.
        job: JobId,
        /// Name of the entrant.
        entrant: String,
        /// What it did.
        fault: Fault,
    },
}
