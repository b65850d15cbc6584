//! `hattari verify`.

use super::Outcome;

/// Arguments of `hattari verify`.
#[derive(clap::Args, Debug)]
pub struct Arguments {}

/// Runs the command.
pub fn main(_arguments: &Arguments) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `verify` yet")
}
