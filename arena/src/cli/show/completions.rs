//! `hattari show completions`.

use crate::cli::{self, CommandResult, output};
use clap_complete::Shell;

/// Generate shell completions
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari show completions bash > ~/.local/share/bash-completion/completions/hattari
  hattari show completions zsh > ~/.zfunc/_hattari
  hattari show completions fish > ~/.config/fish/completions/hattari.fish")]
pub(super) struct Arguments {
    /// Shell that reads the output
    shell: Shell,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut cli::command(), "hattari", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
