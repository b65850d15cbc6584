//! `hattari show schema`.

use crate::cli::{CommandResult, output};
use hattari_play::league;

/// Print a JSON Schema of league files, for editors
#[derive(clap::Args, Debug)]
#[command(after_help = "\
With the schema, an editor completes keys, shows their documentation and marks errors. For the \
YAML Language Server (in VS Code the extension YAML), name the schema in the first line of a \
league:

  # yaml-language-server: $schema=hattari.schema.json

`hattari run LEAGUE --dry-run` checks what a schema cannot: for example, whether the bots exist \
and the table sizes are allowed.

Examples:
  hattari show schema > hattari.schema.json

Exit codes: 0 printed.")]
pub(super) struct Arguments {}

/// Prints the JSON schema of league files.
pub(super) fn main(_arguments: &Arguments) -> CommandResult {
    output::print_json(&league::schema())
}
