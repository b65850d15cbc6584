//! Bots that are programs of any language: the host starts them and speaks with them through their
//! standard input and output, in lines of JSON or, where a program asks for it, in the frames that
//! workers speak. A process serves one block and ends with it.
//!
//! Nothing holds a program but time, and memory where a league says how much, so it runs only where
//! the user trusts it; what lies in `play/trust.rs` is asked before one is seated here. With
//! `isolation: process` it runs in a room of its own ([`jail`]) and asks for no trust. [`messages`]
//! is the protocol in words, and what its guide is made from.

mod answer;
pub mod go;
pub mod jail;
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
use super::worker::{Hosting, Isolation, Jailed, Limits};
use super::{Agent, Budget, Misstep, Seatable};
use jail::Cell;
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
    /// Bytes of memory of its process, where somebody has said how many.
    memory: Option<u64>,
    /// Where it is held, and what by.
    cell: Option<(Cell, Jailed)>,
    /// Encoders by game, made once.
    encoders: Mutex<HashMap<&'static str, Arc<Encoder>>>,
    /// What its files were like when they last held what they are to hold.
    seen: Mutex<Option<Vec<Stamp>>>,
}

/// Length and time of the last change of a file, where it is there.
type Stamp = Option<(u64, Option<SystemTime>)>;

impl ProgramBot {
    /// The program of that command, whose files had this hash. With `isolation` it is held, and
    /// asks for no trust.
    ///
    /// # Errors
    /// The folder that it is to run in is none, or it cannot be held here.
    pub fn new(
        name: &str,
        command: &CommandLine,
        base: PathBuf,
        hash: u64,
        budget: &Budget,
        isolation: Isolation,
    ) -> Result<ProgramBot, String> {
        let launch = command.launch(&base)?;
        let limits = Limits::of(budget);
        let cell = (isolation == Isolation::Process)
            .then(|| held(command, &base, limits))
            .transpose()?;
        let (name, command) = (name.to_owned(), command.clone());
        let terms = Terms {
            name,
            command,
            base,
            launch,
            hash,
            hang: limits.hang,
            memory: budget.memory_mb.map(|mb| mb << 20),
            cell,
            encoders: Mutex::default(),
            seen: Mutex::default(),
        };
        Ok(ProgramBot(Arc::new(terms)))
    }
}

/// The cell of a command, and what holds whoever is in it.
#[cfg(target_os = "linux")]
fn held(
    command: &CommandLine,
    base: &std::path::Path,
    limits: Limits,
) -> Result<(Cell, Jailed), String> {
    let cell = Cell::of(command, base, limits)?;
    let jailed = jail::prove(&cell)?;
    Ok((cell, jailed))
}

#[cfg(not(target_os = "linux"))]
fn held(
    command: &CommandLine,
    base: &std::path::Path,
    limits: Limits,
) -> Result<(Cell, Jailed), String> {
    Cell::of(command, base, limits).map(|cell| (cell, Jailed::default()))
}

impl Terms {
    /// Whether the program's files still hold what was looked at. They are read where they seem to
    /// have been written since.
    fn is_unchanged(&self) -> bool {
        let stamp = |file: PathBuf| {
            file.metadata()
                .ok()
                .map(|about| (about.len(), about.modified().ok()))
        };
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
        Arc::clone(
            encoders
                .entry(game.id)
                .or_insert_with(|| Arc::new(Encoder::of(game))),
        )
    }
}

impl Seatable for ProgramBot {
    /// Nothing is started yet: which game it is, is known when a block begins.
    #[cfg(unix)]
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Ok(Box::new(agent::ProgramAgent::new(
            Arc::clone(&self.0),
            config_json,
        )))
    }

    #[cfg(not(unix))]
    fn open(&self, _config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        Err(Misstep::new(
            crate::record::FaultKind::Start,
            "programs are not played on this system",
        ))
    }

    /// Starts it once and hears its greeting: what cannot even begin is told at once, and not as a
    /// fault in every block.
    #[cfg(unix)]
    fn prove(&self, _config_json: &str) -> Result<(), Misstep> {
        talk::Talk::begin(&self.0).map(drop)
    }

    fn heard(&self) -> Option<&str> {
        self.0.launch.heard()
    }

    fn hosting(&self) -> Option<Hosting> {
        self.0.cell.as_ref().map(|(_, jail)| Hosting {
            jail: jail.clone(),
            peak_kib: 0,
        })
    }
}
