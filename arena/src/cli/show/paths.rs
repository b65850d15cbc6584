//! `hattari show paths`.

use crate::cli::folders::Folders;
use crate::cli::{CommandResult, output};
use crate::shipped;
use anyhow::{Context, ensure};
use hattari_agents::text::counted;
use hattari_agents::user_dirs;
use hattari_play::catalogue::SearchPath;
use hattari_play::trust;
use serde_json::{Value, json};
use std::env;
use std::path::{Path, PathBuf};

/// Show search paths and data directories
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The compiled bots of the project are built into the program, and so are its leagues, scripts, C \
bots and the SDK for Rust bots. --unpack writes the files to a folder in which every later run \
finds them.

Examples:
  hattari show paths                    all folders, and whether they exist
  hattari show paths --unpack           install leagues and scripts for this user
  hattari show paths --unpack --to here install leagues and scripts in ./here

Exit codes: 0 done, 2 any error.")]
pub(super) struct Arguments {
    /// Write the built-in files to the data folder of the user
    #[arg(long)]
    unpack: bool,
    /// Write the files to this folder instead, which must be empty or not exist
    #[arg(long, value_name = "DIR", requires = "unpack")]
    to: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "unpack")]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    if arguments.unpack {
        return unpack(arguments.to.as_deref());
    }
    let data_paths = user_data();
    let search = SearchPath::new(None, &arguments.folders.folders)?;
    let searched: Vec<PathBuf> = search.folders();
    let installed = user_dirs::data_folders();
    if arguments.json {
        let data_paths: serde_json::Map<String, Value> = data_paths
            .iter()
            .map(|(name, path)| ((*name).to_owned(), json!(path)))
            .collect();
        let all = json!({
            "program": env::current_exe().ok(), "version": env!("CARGO_PKG_VERSION"), "bots": searched, "installed": installed, "kept": data_paths,
        });
        return output::print(&format!("{all:#}\n"));
    }
    let program = env::current_exe()
        .map_or_else(|error| error.to_string(), |path| path.display().to_string());
    let mut out = format!(
        "program {program}, version {}; contains the project's compiled bots\n\n\
        search order for bots (--bots and HATTARI_BOTS add folders):\n",
        env!("CARGO_PKG_VERSION")
    );
    for folder in &searched {
        out += &format!("  {}\n", folder.display());
    }
    if searched.is_empty() {
        out += "  no folder `bots` or `scripts` in this folder or above it\n";
    }
    out += "\ninstalled leagues, scripts and SDK (`--unpack` writes to the first folder):\n";
    for folder in &installed {
        out += &format!("  {}\n", path_with_note(folder));
    }
    out += "\ndata of this user:\n";
    for (name, path) in data_paths {
        let path = path.map_or_else(
            || "none (no home folder is known)".to_owned(),
            |path| path_with_note(&path),
        );
        out += &format!("  {name:8} {path}\n");
    }
    output::print(&out)
}

/// Returns the names and paths of user data that is stored outside leagues: compiled modules,
/// unpacked packs and trusted code.
fn user_data() -> [(&'static str, Option<PathBuf>); 3] {
    [
        ("modules", user_dirs::cache("wasm")),
        ("packs", user_dirs::cache("packs")),
        ("trust", trust::list_path()),
    ]
}

/// Returns a path as text, with a note if the path does not exist.
fn path_with_note(path: &Path) -> String {
    format!(
        "{}{}",
        path.display(),
        if path.exists() {
            ""
        } else {
            "  (does not exist)"
        }
    )
}

/// Writes the embedded files to the folder `to`, or to the data folder of the user.
fn unpack(to: Option<&Path>) -> CommandResult {
    let folder = match to {
        Some(folder) => folder.to_owned(),
        None => user_dirs::data().context("no home folder is known: give a folder with --to")?,
    };
    let is_empty = folder
        .read_dir()
        .map_or(!folder.exists(), |mut entries| entries.next().is_none());
    ensure!(
        is_empty,
        "{} exists already and is not overwritten: move it away, or choose another folder with \
        --to",
        folder.display()
    );
    let files = shipped::unpack(&folder)
        .with_context(|| format!("{} cannot be written", folder.display()))?;
    output::print(&format!(
        "{} in {}\n",
        counted(files as u64, "file"),
        folder.display()
    ))
}
