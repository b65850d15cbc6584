//! `hattari analyse`: computations about games, some of them on the games of a league.

mod boards;
mod budget;
mod cast;
mod cns;
mod deal;
mod equity;
mod fit_hands;
mod fit_policy;
mod learn_policy;
mod luck;
mod stud;
mod tanhinmin;

pub(super) use cast::threads;

use super::Outcome;
use clap::Subcommand;

/// Arguments of `hattari analyse`.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Compare the pairs of a bridge league board by board: tricks, contracts made, IMPs.
    Boards(boards::Arguments),
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
    /// Who was lucky: what chance was worth, block by block and deal by deal.
    Luck(luck::Arguments),
    /// Draw how score and time depend on a setting, such as the playouts of Monte Carlo players.
    Budget(budget::Arguments),
    /// Fit daihinmin's policy to the choices of a league's bots.
    FitPolicy(fit_policy::Arguments),
    /// Fit what daihinmin's hands are worth to a league's games.
    FitHands(fit_hands::Arguments),
    /// Let daihinmin's policy learn from what its games bring.
    LearnPolicy(learn_policy::Arguments),
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Boards(arguments) => boards::main(arguments),
        What::Deal(arguments) => deal::main(arguments),
        What::Equity(arguments) => equity::main(arguments),
        What::Stud(arguments) => stud::main(arguments),
        What::Tanhinmin(arguments) => tanhinmin::main(arguments),
        What::Cns(arguments) => cns::main(arguments),
        What::Budget(arguments) => budget::main(arguments),
        What::FitPolicy(arguments) => fit_policy::main(arguments),
        What::FitHands(arguments) => fit_hands::main(arguments),
        What::Luck(arguments) => luck::main(arguments),
        What::LearnPolicy(arguments) => learn_policy::main(arguments),
    }
}
