//! Training tools for the data of daihinmin's policies (`plugin-api/search`) and of its luck
//! adjustment (`plugin-api/games`).
//!
//! ```sh
//! cargo run --release -p hattari-study --example train -- --help
//! ```

mod fit_hands;
mod fit_policy;
mod hands;
mod learn_policy;
mod policy;
#[cfg(test)]
mod tests;

use clap::{Parser, Subcommand};
use hattari_agents::agent::built_in;
use hattari_agents::record::JobId;
use hattari_agents::table::TypedObserver;
use hattari_agents::text;
use hattari_play::play_blocks::play_blocks;
use hattari_play::prepared::PreparedLeague;
use hattari_plugin::games::daihinmin::Daihinmin;
use hattari_study::{AtPath, daihinmin_league, threads};
use indicatif::{ProgressBar, ProgressStyle};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Fits and learns the data of daihinmin's bots and luck adjustment.
#[derive(Parser, Debug)]
struct Arguments {
    #[command(subcommand)]
    tool: Tool,
}

#[derive(Subcommand, Debug)]
enum Tool {
    /// Fit the values of daihinmin hands to the games of a league
    FitHands(fit_hands::Arguments),
    /// Fit a daihinmin policy to the choices of a league's bots
    FitPolicy(fit_policy::Arguments),
    /// Learn a daihinmin policy from the results of its games
    LearnPolicy(learn_policy::Arguments),
}

/// Options for the games of a tool and its output.
#[derive(clap::Args, Debug)]
struct Games {
    /// The league to learn from, a YAML file
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// The output file; without it, standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// An additional folder with bots; may be repeated
    #[arg(long, value_name = "DIR")]
    bots: Vec<PathBuf>,
}

impl Games {
    /// Reads the league and loads its bots.
    fn prepare(&self) -> anyhow::Result<PreparedLeague> {
        Ok(daihinmin_league(&self.league, &self.bots)?.0)
    }

    /// Plays all blocks of a league, each with an observer from `observer`, and shows the progress.
    /// Calls `take` with the observer of each block, in any order.
    ///
    /// # Errors
    /// Returns the same errors as [`play_blocks`].
    fn play<W: TypedObserver<Daihinmin> + Send>(
        &self,
        prepared: &PreparedLeague,
        stop: &AtomicBool,
        observer: impl Fn(JobId) -> W + Sync,
        mut take: impl FnMut(JobId, W),
    ) -> anyhow::Result<()> {
        let game: Daihinmin = prepared.game_as()?;
        let jobs: Vec<JobId> = prepared.jobs().collect();
        let bar = progress_bar(jobs.len() as u64, "blocks")?;
        let played = play_blocks(
            |seated, watch| seated.play(&game, watch),
            prepared,
            &jobs,
            self.threads(),
            stop,
            observer,
            |job, watch| {
                take(job, watch);
                bar.inc(1);
                anyhow::Ok(())
            },
        );
        bar.finish_and_clear();
        played
    }

    /// Returns the number of threads that play.
    fn threads(&self) -> usize {
        threads(self.jobs)
    }
}

/// Writes a result to `path`, or to standard output if it is `None`.
fn write(path: Option<&PathBuf>, text: String) -> anyhow::Result<()> {
    match path {
        None => print!("{}", text::escape_for_terminal(&text)),
        Some(path) => hattari_agents::files::write(path, text).at(path)?,
    }
    Ok(())
}

/// Returns a progress bar with `length` steps of the given unit.
fn progress_bar(length: u64, unit: &str) -> anyhow::Result<ProgressBar> {
    let bar = ProgressBar::new(length);
    let style = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{msg}} {{eta}} left");
    bar.set_style(ProgressStyle::with_template(&style)?);
    Ok(bar)
}

/// Runs a tool until it is finished or `stop` is set.
fn run(arguments: &Arguments, stop: &AtomicBool) -> anyhow::Result<()> {
    match &arguments.tool {
        Tool::FitHands(arguments) => fit_hands::run(arguments, stop),
        Tool::FitPolicy(arguments) => fit_policy::run(arguments, stop),
        Tool::LearnPolicy(arguments) => learn_policy::run(arguments, stop),
    }
}

fn main() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    for bots in hattari_bots::ALL {
        built_in::add(bots);
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // The second signal ends the process.
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    run(&arguments, &stop)?;
    Ok(match stop.load(Ordering::Relaxed) {
        false => ExitCode::SUCCESS,
        true => ExitCode::from(130),
    })
}
