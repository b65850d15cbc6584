//! `hattari show schema`.

use crate::cli::{Outcome, output};
use hattari_play::league;

/// Print a JSON Schema of league files, for editors
#[derive(clap::Args, Debug)]
#[command(after_help = "\
An editor that knows the schema completes keys, shows what they are and marks what cannot be. With the YAML Language Server (in VS
Code the extension YAML) a league names it in its first line:

  # yaml-language-server: $schema=hattari.schema.json

What needs more than the file (whether bots and entrants are there, whether sizes fit) `hattari run LEAGUE --dry-run` says.

Examples:
  hattari show schema > hattari.schema.json

Exit codes: 0 printed.")]
pub(super) struct Arguments {}

/// Runs the command.
pub(super) fn main(_arguments: &Arguments) -> anyhow::Result<Outcome> {
    output::print_json(&league::schema())?;
    Ok(Outcome::Done)
}
