//! The parameters of programs and their time limits.

use crate::agent::sandbox::SandboxSpec;
use crate::agent::{CommandLine, Launch, SandboxReport, lock};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// Version of the protocol.
pub(crate) const PROTOCOL: u32 = 1;

/// Time that a program has from its start to its greeting.
pub(super) const START: Duration = Duration::from_secs(20);
/// Time that a program has to exit after its block.
pub(super) const LEAVING: Duration = Duration::from_secs(2);

/// The parameters that all processes of a program share.
#[derive(Debug)]
pub(super) struct ProgramSpec {
    pub name: String,
    pub command: CommandLine,
    /// Folder to which the paths in `command` are relative.
    pub base: PathBuf,
    pub launch: Launch,
    /// Hash of the program's files when they were inspected.
    pub hash: u64,
    /// Time limit of an answer if the league sets none.
    pub hang: Duration,
    /// Memory limit of a process in bytes, if the league sets one.
    pub memory: Option<u64>,
    /// Sandbox, with the restrictions in effect on this machine.
    pub sandbox: Option<(SandboxSpec, SandboxReport)>,
    /// Lengths and times of the program's files when their hash was last verified.
    pub seen: Mutex<Option<Vec<FileStamp>>>,
}

/// Length and modification time of a file; `None` if it does not exist.
type FileStamp = Option<(u64, Option<SystemTime>)>;

impl ProgramSpec {
    /// Returns `true` if the program's files have not changed since they were inspected. The files
    /// are read only if a length or modification time has changed.
    pub(super) fn is_unchanged(&self) -> bool {
        let stamp = |file: PathBuf| {
            file.metadata()
                .ok()
                .map(|about| (about.len(), about.modified().ok()))
        };
        let stamps: Vec<FileStamp> = self.command.files(&self.base).map(stamp).collect();
        let mut seen = lock(&self.seen);
        if seen.as_ref() == Some(&stamps) {
            return true;
        }
        let is_same = self.command.hash(&self.base) == self.hash;
        *seen = is_same.then_some(stamps);
        is_same
    }
}
