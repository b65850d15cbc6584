//! `hattari show rules`.

use crate::cli::{CommandResult, output};
use anyhow::ensure;
use hattari_agents::games;

/// Print the rules of a game
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  hattari show rules daihinmin       print the rules, and a table of the options that leagues can set

Exit codes: 0 printed, 2 unknown game, or a game without a text of its rules.")]
pub(super) struct Arguments {
    /// Name of the game, as in `daihinmin`
    game: String,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let game = games::named(&arguments.game)?;
    ensure!(
        !game.rules.is_empty(),
        "Hattari contains no text with the rules of {}",
        game.name()
    );
    output::print(game.rules)
}
