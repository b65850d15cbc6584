//! `hattari completions` and `hattari man`: what shells and readers of manuals are given, made from
//! the commands as they are.

use super::{Arguments, Outcome, output};
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use std::fs;
use std::path::PathBuf;

/// Arguments of `hattari completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari completions bash > ~/.local/share/bash-completion/completions/hattari
  hattari completions zsh > ~/.zfunc/_hattari
  hattari completions fish > ~/.config/fish/completions/hattari.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Runs the command.
pub(super) fn completions(arguments: &Completions) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Arguments::command(),
        "hattari",
        &mut script,
    );
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Done)
}

/// Arguments of `hattari man`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari man ~/.local/share/man/man1      then: man hattari, man hattari-run")]
pub(super) struct Man {
    /// The folder; it is made where it is not there
    folder: PathBuf,
}

/// Runs the command.
pub(super) fn man(arguments: &Man) -> anyhow::Result<Outcome> {
    let folder = &arguments.folder;
    let write = || {
        fs::create_dir_all(folder)?;
        clap_mangen::generate_to(Arguments::command(), folder)
    };
    write().with_context(|| format!("{} cannot be written", folder.display()))?;
    Ok(Outcome::Done)
}
