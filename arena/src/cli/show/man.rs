//! `hattari show man`.

use crate::cli::{self, CommandResult, Outcome};
use anyhow::Context;
use std::fs;
use std::path::PathBuf;

/// Write the manual pages
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari show man ~/.local/share/man/man1      then: man hattari, man hattari-run")]
pub(super) struct Arguments {
    /// Output folder; created if it does not exist
    folder: PathBuf,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let folder = &arguments.folder;
    let write = || {
        fs::create_dir_all(folder)?;
        clap_mangen::generate_to(cli::command(), folder)
    };
    write().with_context(|| format!("{} cannot be written", folder.display()))?;
    Ok(Outcome::Done)
}
