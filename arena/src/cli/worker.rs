//! `hattari worker`: the process that a bot has to itself.

use super::Outcome;
use hattari_hosts::agent::{program, worker};
use std::path::PathBuf;

/// Arguments of `hattari worker`.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// It is to hold a program, which the environment names
    #[arg(long)]
    program: bool,
    /// The library or program, for whoever looks at a list of processes; the order comes through the pipe
    library: PathBuf,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    _ = &arguments.library;
    if arguments.program {
        program::jail::serve()?
    } else {
        worker::serve()?
    }
    Ok(Outcome::Done)
}
