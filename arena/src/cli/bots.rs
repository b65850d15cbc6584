//! `hattari bots`.

use super::Outcome;

/// Arguments of `hattari bots`.
#[derive(clap::Args, Debug)]
pub struct Arguments {}

/// Runs the command.
pub fn main(_arguments: &Arguments) -> anyhow::Result<Outcome> {
    anyhow::bail!("this build has no `bots` yet")
}
