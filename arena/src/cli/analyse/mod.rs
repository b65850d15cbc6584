//! `hattari analyse`: computations about games that need no league.

mod equity;
mod stud;
mod tanhinmin;

use super::Outcome;
use clap::Subcommand;

/// Arguments of `hattari analyse`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// What hold'em hands are worth against each other or against random ones.
    Equity(equity::Arguments),
    /// Compute recorded estimates of stud hands again: scores, expectations, potentials
    Stud(stud::Arguments),
    /// Solve tanhinmin exactly: does the best lead depend on what the others hold?
    Tanhinmin(tanhinmin::Arguments),
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Equity(arguments) => equity::main(arguments),
        What::Stud(arguments) => stud::main(arguments),
        What::Tanhinmin(arguments) => tanhinmin::main(arguments),
    }
}
