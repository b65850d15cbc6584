//! The `hattari` command as a library, for programs that add games and bots.

use crate::cli;
use hattari_agents::agent::built_in;
use hattari_agents::table;
use hattari_plugin::Collection;
use hattari_plugin::games::Game;
use std::process::ExitCode;

/// The `hattari` command, to which games and bots can be added.
#[derive(Debug)]
#[must_use = "a command does nothing before it is run"]
pub struct Command(());

/// Returns the `hattari` command with the built-in games, but without bots.
pub fn command() -> Command {
    Command(())
}

impl Command {
    /// Adds a game. A game whose name is already taken is ignored.
    pub fn game<G: Game>(self) -> Command {
        table::add::<G>();
        self
    }

    /// Adds the bots in `bots`, which are declared with
    /// [`collect_bots!`](hattari_plugin::collect_bots!). They are as trusted as the program itself,
    /// and every league can name them. A bot file in the search path with the same name takes
    /// precedence.
    pub fn bots(self, bots: &'static Collection) -> Command {
        built_in::add(bots);
        self
    }

    /// Parses the command line, runs the command and prints errors with their causes. Exit codes: 0
    /// done, 1 the command found a difference or fault, 2 usage error or other error, 130
    /// interrupted.
    #[must_use]
    pub fn run(self) -> ExitCode {
        cli::main()
    }
}
