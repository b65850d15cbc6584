//! `hattari worker`: the process of a single bot.

use super::Outcome;
#[cfg(target_os = "linux")]
use hattari_agents::agent::program;
#[cfg(feature = "wasm")]
use hattari_agents::agent::wasm;
use hattari_agents::agent::worker;
use std::path::PathBuf;

/// Serve a host as the process of one bot. Started by `hattari` itself.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// It is to hold a program, which the environment names
    #[arg(long)]
    program: bool,
    /// It is to compile the module of WebAssembly at its standard input
    #[cfg(feature = "wasm")]
    #[arg(long, conflicts_with = "program")]
    compile: bool,
    /// The library, program or module, for whoever looks at a list of processes; the order comes
    /// through the pipe
    library: PathBuf,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
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
