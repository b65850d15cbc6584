//! `hattari worker`: the process that a compiled bot has to itself.

use super::Outcome;
use hattari_hosts::agent::worker;
use std::path::PathBuf;

/// Arguments of `hattari worker`.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// The library, for whoever looks at a list of processes; the order comes through the pipe
    library: PathBuf,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    _ = &arguments.library;
    worker::serve()?;
    Ok(Outcome::Done)
}
