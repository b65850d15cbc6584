//! `hattari analyse fit-hands`.

use super::cast::{cast, threads};
use crate::cli::bots::Folders;
use crate::cli::{Outcome, output, signals};
use anyhow::Context;
use hattari_agents::text::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Arguments of `hattari analyse fit-hands`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Plays a league of daihinmin from its seed and fits, for each title, what cards of each rank were worth in the hand that was dealt and in
those of the others, by their titles: least squares over the points of all seats. The arena tells luck from play by such figures; those of
the rules were made so. The output is what the rules include.

Example:
  hattari analyse fit-hands leagues/hands.yaml --output plugin-api/games/daihinmin/luck_values.txt

Exit codes: 0 fitted, 2 any error, 130 interrupted.")]
pub(super) struct Arguments {
    /// The league to learn from, a YAML file
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Where the figures go; without it, to the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads that play; without it, one for each core
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    folders: Folders,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let stop = signals::stop_flag()?;
    let (cast, _) = cast(&arguments.league, &arguments.folders)?;
    let bar = ProgressBar::new(cast.schedule.jobs());
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {pos}/{len} blocks, {eta} left",
    )?);
    let fit = hattari_study::hands::fit(&cast, threads(arguments.jobs), &stop, |done| {
        bar.set_position(done)
    });
    bar.finish_and_clear();
    let fit = fit?;
    if stop.load(Ordering::Relaxed) {
        return Ok(Outcome::Interrupted);
    }
    let shares: Vec<String> = fit
        .explained
        .iter()
        .map(|share| format!("{:.1}", 100.0 * share))
        .collect();
    eprintln!(
        "{} deals; of the variance of points explained, %: without titles {}, from daifugo to daihinmin {}",
        grouped(fit.deals),
        shares[0],
        shares[1..].join(", ")
    );
    let text = fit.source();
    match &arguments.output {
        None => output::print(&text)?,
        Some(path) => {
            hattari_agents::files::write(path, text).with_context(|| path.display().to_string())?
        }
    }
    Ok(Outcome::Done)
}
