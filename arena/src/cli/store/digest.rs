//! `hattari store digest`.

use crate::cli::{CommandResult, output};
use hattari_play::session::Session;
use std::path::PathBuf;

/// Print the digest of all stored blocks, and their number
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Two leagues have the same digest if and only if all games were played identically.

Examples:
  hattari store digest demo.sqlite

Exit codes: 0 printed, 2 any error.")]
pub(super) struct Arguments {
    /// A league, or its store
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let (digest, blocks) = Session::open(&arguments.league, None)?
        .into_stored()?
        .1
        .digest()?;
    output::print(&format!("{digest:016x} {blocks}\n"))
}
