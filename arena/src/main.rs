//! The `hattari` command, with the project's own compiled bots.

use std::process::ExitCode;

fn main() -> ExitCode {
    hattari_bots::ALL
        .iter()
        .fold(hattari::command(), |command, bots| command.bots(bots))
        .run()
}
