//! `hattari analyse`: computations about games, some of them on the games of a league.

mod cast;
mod cns;
mod deal;
mod equity;
mod fit_policy;
mod stud;
mod tanhinmin;

pub(super) use cast::threads;

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
    /// What hold'em hands are worth against each other or against random ones.
    Equity(equity::Arguments),
    /// Compute recorded estimates of stud hands again: scores, expectations, potentials
    Stud(stud::Arguments),
    /// Solve tanhinmin exactly: does the best lead depend on what the others hold?
    Tanhinmin(tanhinmin::Arguments),
    /// Measure how much daihinmin's moves depend on what the others hold, and draw it.
    Cns(cns::Arguments),
    /// Fit daihinmin's policy to the choices of a league's bots.
    FitPolicy(fit_policy::Arguments),
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Deal(arguments) => deal::main(arguments),
        What::Equity(arguments) => equity::main(arguments),
        What::Stud(arguments) => stud::main(arguments),
        What::Tanhinmin(arguments) => tanhinmin::main(arguments),
        What::Cns(arguments) => cns::main(arguments),
        What::FitPolicy(arguments) => fit_policy::main(arguments),
    }
}
