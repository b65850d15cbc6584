//! `hattari` without a command: introduction.

use super::{Outcome, output};

const START: &str = "\
Hattari plays card-game bots against each other and tells which is stronger, and how sure that is.

First steps
  hattari run --demo                play a first league of five bots, with a report
  hattari serve hattari-demo        see its games in a browser, and play against the bots
  hattari new lua daihinmin mine    write a bot to start from, with tests and a league
  hattari watch mine/mine.lua       play it again after every save

Then
  hattari show bots                 the bots that leagues can name
  hattari show rules daihinmin      the rules of a game
  hattari --help                    all commands
";

/// Prints the introduction.
pub(super) fn main() -> anyhow::Result<Outcome> {
    output::print(START)?;
    Ok(Outcome::Done)
}
