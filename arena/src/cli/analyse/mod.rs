//! `hattari analyse`: computations about games that need no league.

mod deal;
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
    /// Solve a bridge deal with open hands: what every card that may be played is worth.
    Deal(deal::Arguments),
    /// Solve tanhinmin exactly: does the best lead depend on what the others hold?
    Tanhinmin(tanhinmin::Arguments),
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Deal(arguments) => deal::main(arguments),
        What::Tanhinmin(arguments) => tanhinmin::main(arguments),
    }
}
