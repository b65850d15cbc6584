//! Data that all processes of a program share.

use super::json::Encoder;
use crate::agent::Sandboxed;
use crate::agent::launch::{CommandLine, Launch};
use crate::agent::lock::lock;
use crate::agent::sandbox::SandboxSpec;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// Version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;

/// How long a program may take from its start to its greeting.
pub(super) const START: Duration = Duration::from_secs(20);
/// How long a program may take to end when its block is over.
pub(super) const LEAVING: Duration = Duration::from_secs(2);

/// What all processes of a program share.
#[derive(Debug)]
pub(super) struct Terms {
    pub name: String,
    pub command: CommandLine,
    /// Where its paths start.
    pub base: PathBuf,
    pub launch: Launch,
    /// Hash of its files when it was looked at.
    pub hash: u64,
    /// How long an answer without a limit of its own is waited for.
    pub hang: Duration,
    /// Bytes of memory of its process, where somebody has said how many.
    pub memory: Option<u64>,
    /// Its sandbox, with the measures that hold on this machine.
    pub sandbox: Option<(SandboxSpec, Sandboxed)>,
    /// Encoders by game, made once.
    pub encoders: Mutex<HashMap<&'static str, Arc<Encoder>>>,
    /// What its files were like when they last held what they are to hold.
    pub seen: Mutex<Option<Vec<Stamp>>>,
}

/// Length and time of the last change of a file, where it is there.
pub(super) type Stamp = Option<(u64, Option<SystemTime>)>;

impl Terms {
    /// Whether the program's files still hold what was looked at. They are read where they seem to
    /// have been written since.
    pub(super) fn is_unchanged(&self) -> bool {
        let stamp = |file: PathBuf| {
            file.metadata()
                .ok()
                .map(|about| (about.len(), about.modified().ok()))
        };
        let stamps: Vec<Stamp> = self.command.files(&self.base).map(stamp).collect();
        let mut seen = lock(&self.seen);
        if seen.as_ref() == Some(&stamps) {
            return true;
        }
        let is_same = self.command.hash(&self.base) == self.hash;
        *seen = is_same.then_some(stamps);
        is_same
    }

    pub(super) fn encoder(&self, game: &'static crate::games::Facts) -> Arc<Encoder> {
        let mut encoders = lock(&self.encoders);
        Arc::clone(
            encoders
                .entry(game.id)
                .or_insert_with(|| Arc::new(Encoder::of(game))),
        )
    }
}
