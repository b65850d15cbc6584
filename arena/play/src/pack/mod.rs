//! A pack: one file with a league, the files that it reads and its bots. It can be used on any
//! machine with this program.
//!
//! A pack is a gzipped tar archive. It starts with a list of all files with digests ([`Manifest`]),
//! followed by these files below `files/`, in the order of the list. The same files give the same
//! bytes. Only listed files with correct digests are unpacked. The league uses the bots of the
//! list; other bots on the machine are ignored.

mod archive;
mod cache;
mod collect;
mod opened;
#[cfg(test)]
mod tests;

pub use collect::{Pack, pack};
pub use opened::LeagueFile;
pub(crate) use opened::is_kind;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File extension of packs.
pub const EXTENSION: &str = "hattari";
/// The only format that is written and can be read.
pub(crate) const FORMAT: u32 = 1;
/// Maximum size of a pack in bytes.
const PACK_MAX: u64 = 512 << 20;
/// Maximum total size of the unpacked files in bytes.
const FILES_MAX: u64 = 512 << 20;
/// Maximum number of files.
const COUNT_MAX: usize = 10_000;

/// The list of a pack's contents, which is its first file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Number of the format.
    pub format: u32,
    /// Version of Hattari that created the pack.
    pub hattari: String,
    /// Path of the league file.
    pub league: String,
    /// The bots, by their names in the league.
    pub bots: BTreeMap<String, PackedBot>,
    /// All files, by path.
    pub files: Vec<PackedFile>,
}

/// A bot of a packed league.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PackedBot {
    /// Name of the bot in its file, or in this program.
    pub bot: String,
    /// Path of the file in the pack; `None` for a built-in bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Text that identifies the version in results:
    /// `FoundBot::version_id`.
    pub hash: String,
    /// The platform of the file; `None` if the file runs on all platforms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
}

/// A file of a pack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PackedFile {
    /// Path relative to the root of the pack, with `/` between names.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256 of the content in hexadecimal.
    pub sha256: String,
}

/// An error of a pack, or of files to be packed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {what}; {remedy}", path.display())]
pub struct PackError {
    /// Path of the pack, or of the file that cannot be packed.
    pub path: PathBuf,
    /// Cause of the error, without the path.
    pub what: String,
    /// Advice to the user on how to remove the cause.
    pub remedy: String,
}

impl PackError {
    fn new(path: &Path, what: impl Into<String>, remedy: impl Into<String>) -> PackError {
        PackError {
            path: path.to_owned(),
            what: what.into(),
            remedy: remedy.into(),
        }
    }
}

/// Returns the platform for which this program is compiled, for example `linux x86_64`.
fn machine() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Returns the SHA-256 in hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    format!("{:x}", Sha256::digest(bytes))
}
