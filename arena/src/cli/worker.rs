//! `hattari worker`: the process of a single bot.

use super::{CommandResult, Outcome};
#[cfg(target_os = "linux")]
use hattari_agents::agent::program;
#[cfg(feature = "wasm")]
use hattari_agents::agent::wasm;
use hattari_agents::agent::worker;
use std::path::PathBuf;

/// Run one bot for a host process. For internal use by `hattari`.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// Run the sandbox launcher for the program named in the environment
    #[arg(long)]
    program: bool,
    /// Compile the WebAssembly module on standard input
    #[cfg(feature = "wasm")]
    #[arg(long, conflicts_with = "program")]
    compile: bool,
    /// Name of the library, program or module, shown in process lists; the command is read from the
    /// pipe
    library: PathBuf,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    _ = &arguments.library;
    #[cfg(feature = "wasm")]
    if arguments.compile {
        wasm::serve()?;
        return Ok(Outcome::Done);
    }
    #[cfg(target_os = "linux")]
    if arguments.program {
        program::run_launcher()?;
        return Ok(Outcome::Done);
    }
    worker::serve()?;
    Ok(Outcome::Done)
}
