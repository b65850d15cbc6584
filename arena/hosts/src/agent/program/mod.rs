//! Bots that are programs of any language: the host starts them and speaks with them through their standard input and output, in lines of
//! JSON or, where a program asks for it, in the frames that workers speak. A process serves one block and ends with it.
//!
//! Nothing holds a program but time, so it runs only where the user trusts it; what lies in `play/trust.rs` is asked before one is seated
//! here. [`messages`] is the protocol in words, and what its guide is made from.

mod answer;
pub mod go;
mod json;
mod kind;
pub mod messages;

#[cfg(unix)]
mod agent;
#[cfg(unix)]
mod pipe;
#[cfg(unix)]
mod talk;

pub use kind::Programs;

use super::launch::{CommandLine, Launch};
use super::worker::Limits;
use super::{Agent, Misstep, Seatable};
use json::Encoder;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Version of the protocol.
pub const PROTOCOL: u32 = 1;

/// How long a program may take from its start to its greeting.
const START: Duration = Duration::from_secs(20);
/// How long a program may take to end when its block is over.
const LEAVING: Duration = Duration::from_secs(2);

/// A program that can be seated.
#[derive(Clone, Debug)]
pub struct ProgramBot(Arc<Terms>);

/// What all processes of a program share.
#[derive(Debug)]
struct Terms {
    name: String,
    command: CommandLine,
    /// Where its paths start.
    base: PathBuf,
    launch: Launch,
    /// Hash of its files when it was looked at.
    hash: u64,
    /// How long an answer without a limit of its own is waited for.
    hang: Duration,
    /// Encoders by game, made once.
    encoders: Mutex<HashMap<&'static str, Arc<Encoder>>>,
    /// What its files were like when they last held what they are to hold.
    seen: Mutex<Option<Vec<Stamp>>>,
}

/// Length and time of the last change of a file, where it is there.
type Stamp = Option<(u64, Option<SystemTime>)>;

impl ProgramBot {
    /// The program of that command, whose files had this hash.
    ///
    /// # Errors
    /// The folder that it is to run in is none.
    pub fn new(
        name: &str,
        command: &CommandLine,
        base: PathBuf,
        hash: u64,
        limits: Limits,
    ) -> Result<ProgramBot, String> {
        let launch = command.launch(&base)?;
        let (name, command) = (name.to_owned(), command.clone());
        let terms = Terms {
            name,
            command,
            base,
            launch,
            hash,
            hang: limits.hang,
            encoders: Mutex::default(),
            seen: Mutex::default(),
        };
        Ok(ProgramBot(Arc::new(terms)))
    }
}

impl Terms {
    /// Whether the program's files still hold what was looked at. They are read where they seem to have been written since.
    fn is_unchanged(&self) -> bool {
        let stamp = |file: PathBuf| file.metadata().ok().map(|about| (about.len(), about.modified().ok()));
        let stamps: Vec<Stamp> = self.command.files(&self.base).map(stamp).collect();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.as_ref() == Some(&stamps) {
            return true;
        }
        let is_same = self.command.hash(&self.base) == self.hash;
        *seen = is_same.then_some(stamps);
        is_same
    }

    fn encoder(&self, game: &'static crate::games::Facts) -> Arc<Encoder> {
        let mut encoders = self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(encoders.entry(game.id).or_insert_with(|| Arc::new(Encoder::of(game))))
    }
}

impl Seatable for ProgramBot {
    /// Nothing is started yet: which game it is, is known when a block begins.
    #[cfg(unix)]
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Ok(Box::new(agent::ProgramAgent::new(Arc::clone(&self.0), config_json)))
    }

    #[cfg(not(unix))]
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Err(Misstep::new(crate::record::FaultKind::Start, "programs are not played on this system"))
    }

    /// Starts it once and hears its greeting: what cannot even begin is told at once, and not as a fault in every block.
    #[cfg(unix)]
    fn prove(&self, _config_json: &str) -> Result<(), Misstep> {
        talk::Talk::begin(&self.0).map(drop)
    }

    fn heard(&self) -> Option<&str> {
        self.0.launch.heard()
    }
}
