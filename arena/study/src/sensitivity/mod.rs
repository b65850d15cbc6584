//! Nishino and Nishino, "Chance Node Sensitivity of the game of Computer Daihinmin" (2013,
//! 大貧民における偶然手番感度): how much the best move depends on what the others hold.
//!
//! [`tanhinmin`] solves the small game exactly (tables 1 and 2), `decisions` measures positions of
//! daihinmin by playouts (figures 3 and 4), `budget` compares score and time by playouts (figures 5
//! and 6).

mod budget;
mod chart;
mod decisions;
pub mod tanhinmin;

use crate::host::{Findings, StopFlag};
use clap::Subcommand;

/// Arguments of `hattari study sensitivity`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand, Debug)]
enum Part {
    /// Measure how much daihinmin's moves depend on what the others hold, and draw it
    Decisions(decisions::Arguments),
    /// Draw how score and time depend on a setting, such as the playouts of Monte Carlo players
    Budget(budget::Arguments),
}

/// Runs a part of the study.
pub(crate) fn run(arguments: &Arguments, stop_flag: StopFlag) -> anyhow::Result<Findings> {
    match &arguments.part {
        Part::Decisions(arguments) => decisions::run(arguments, stop_flag),
        Part::Budget(arguments) => budget::run(arguments, stop_flag),
    }
}
