//! A league in one file: its text, the files that it reads and those of its bots, for any machine
//! that has this program.
//!
//! A pack is a gzipped tar archive: first a list of all that is in it with digests ([`Manifest`]),
//! then these files in the order of the list, below `files/`. The same files give the same bytes.
//! What is read of a pack is what its list says, digest by digest: nothing else is unpacked. Bots
//! of its league are those of its list; names that the machine has for other bots mean nothing to
//! it.

mod archive;
mod cache;
mod collect;
mod opened;

pub use collect::{Pack, pack};
pub use opened::{LeagueFile, is_pack};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How the name of a pack ends.
pub const ENDING: &str = "hattari";
/// The format that is written, and the newest that is read.
pub(crate) const FORMAT: u32 = 1;
/// Most bytes of a pack.
const PACK_MAX: u64 = 512 << 20;
/// Most bytes of all its files together, unpacked.
const FILES_MAX: u64 = 512 << 20;
/// Most files in it.
const COUNT_MAX: usize = 10_000;

/// What a pack holds, as its first file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of the format.
    pub format: u32,
    /// Version of the program that packed it.
    pub hattari: String,
    /// The league's file.
    pub league: String,
    /// The bots, by the names that the league has for them.
    pub bots: BTreeMap<String, PackedBot>,
    /// All files, by path.
    pub files: Vec<PackedFile>,
}

/// A bot of a packed league.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedBot {
    /// Its name in its file, or in the program.
    pub bot: String,
    /// Its file in the pack; `None` for one that is part of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Text by which results know its version:
    /// [`Found::known_by`](crate::catalogue::Found::known_by).
    pub hash: String,
    /// The machines that its file is for; `None` where it is for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// A file of a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedFile {
    /// Where it lies, from the pack's own folder, with `/` between names.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// SHA-256 of them, in hexadecimal.
    pub sha256: String,
}

/// What is wrong with a pack, or with what is to be packed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {what}; {cure}", path.display())]
pub struct PackError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub cure: String,
}

impl PackError {
    fn new(path: &Path, what: impl Into<String>, cure: impl Into<String>) -> PackError {
        PackError {
            path: path.to_owned(),
            what: what.into(),
            cure: cure.into(),
        }
    }
}

/// The machines that compiled code of this program is for.
fn machine() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// SHA-256 in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
