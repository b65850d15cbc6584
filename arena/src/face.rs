//! The command as others build on it.

use crate::agent::built_in;
use crate::{cli, table};
use hattari_plugin::Collection;
use hattari_plugin::games::Game;
use std::process::ExitCode;

/// The `hattari` command, to which games and bots can be added.
#[derive(Debug)]
#[must_use = "a command does nothing before it is run"]
pub struct Command(());

/// The command with the games that come with the arena, and without bots: who links some adds them.
pub fn command() -> Command {
    Command(())
}

impl Command {
    /// Adds a game. One whose name is taken is not added: the arena's own stay what they are.
    pub fn game<G: Game>(self) -> Command {
        table::add::<G>();
        self
    }

    /// Adds bots that this program links, as [`collect_bots!`](hattari_plugin::collect_bots!) makes
    /// them. They are trusted as the program is, and found by their names wherever it runs; a
    /// file that is found nearer takes the place of one.
    pub fn bots(self, bots: &'static Collection) -> Command {
        built_in::add(bots);
        self
    }

    /// Parses the command line of this process, runs what it says, prints an error with its causes.
    /// Exit codes: 0 done, 1 found what the command looks for, 2 wrong usage or any error, 130
    /// interrupted.
    #[must_use]
    pub fn run(self) -> ExitCode {
        cli::main()
    }
}
