//! The `hattari` command with the compiled bots of this project.

use std::process::ExitCode;

fn main() -> ExitCode {
    hattari_bots::ALL
        .iter()
        .fold(hattari::command(), |command, bots| command.bots(bots))
        .run()
}
