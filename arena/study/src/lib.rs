//! Studies that reproduce papers, with one folder or file per study.
//!
//! Only `hattari study` uses this package. A study computes its results, draws its figures and
//! returns the output to print.

mod boards;
mod host;
mod league;
mod sensitivity;
mod stud;

pub use host::{AtPath, CommandResult, Interrupted, Outcome, write_csv};
pub(crate) use host::{StopFlag, StudyResult};
pub use league::{daihinmin_league, threads};
pub use sensitivity::tanhinmin;

use clap::Subcommand;

/// Reproduce the results of papers: sensitivity, tanhinmin, bridge boards, stud
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand, Debug)]
enum Study {
    /// Measure chance-node sensitivity of daihinmin, and the score of players with more or fewer
    /// playouts (Nishino and Nishino, figures 3 to 6)
    Sensitivity(sensitivity::Arguments),
    /// Solve tanhinmin exactly: does the best lead depend on the hidden cards? (Nishino and
    /// Nishino, tables 1 and 2)
    Tanhinmin(tanhinmin::Arguments),
    /// Compare the pairs of a bridge league board by board: tricks, contracts made, IMPs
    Boards(boards::Arguments),
    /// Recompute recorded estimates of stud hands: scores, expectations, potentials
    Stud(stud::Arguments),
}

/// Runs a study.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or if the arguments do not match the
/// league.
pub fn run(arguments: &Arguments, stop_flag: StopFlag) -> anyhow::Result<StudyResult> {
    match &arguments.study {
        Study::Sensitivity(arguments) => sensitivity::run(arguments, stop_flag),
        Study::Tanhinmin(arguments) => tanhinmin::run(arguments),
        Study::Boards(arguments) => boards::run(arguments),
        Study::Stud(arguments) => stud::run(arguments),
    }
}
