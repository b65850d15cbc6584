//! `hattari` without a command: introduction.

use super::output;
use hattari_study::CommandResult;

const START: &str = "\
Hattari plays card-game bots against each other and estimates which bot is stronger, with confidence intervals.

First steps
  hattari run --demo                play an example league of five bots and print the report
  hattari serve hattari-demo        view its games in a browser, and play against the bots
  hattari new lua daihinmin mine    create a working bot with tests and a league
  hattari watch mine/mine.lua       replay the same games after every save

Then
  hattari show bots                 list the bots that leagues can name
  hattari show rules daihinmin      print the rules of a game
  hattari --help                    list all commands
";

/// Prints the introduction.
pub(super) fn main() -> CommandResult {
    output::print(START)
}
