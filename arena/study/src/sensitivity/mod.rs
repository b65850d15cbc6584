//! The study of Nishino and Nishino, "Chance Node Sensitivity of the game of Computer Daihinmin"
//! (2013, 大貧民における偶然手番感度): how much the best move depends on the hidden cards.
//!
//! [`tanhinmin`] solves the small game exactly (tables 1 and 2). `decisions` measures daihinmin
//! positions by playouts (figures 3 and 4). `budget` compares score and thinking time for different
//! numbers of playouts (figures 5 and 6).

mod budget;
mod chart;
mod decisions;
pub mod tanhinmin;

use crate::host::{StopFlag, StudyResult};
use clap::Subcommand;

/// Arguments of `hattari study sensitivity`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand, Debug)]
enum Part {
    /// Measure how much the moves of daihinmin depend on the hidden cards, and draw figures
    Decisions(decisions::Arguments),
    /// Draw score and time as a function of a setting, such as the number of playouts
    Budget(budget::Arguments),
}

/// Runs a part of the study.
pub(crate) fn run(arguments: &Arguments, stop_flag: StopFlag) -> anyhow::Result<StudyResult> {
    match &arguments.part {
        Part::Decisions(arguments) => decisions::run(arguments, stop_flag),
        Part::Budget(arguments) => budget::run(arguments, stop_flag),
    }
}
