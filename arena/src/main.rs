//! The `hattari` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    hattari::command().run()
}
