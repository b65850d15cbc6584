//! `hattari review`.

use super::folders::Folders;
use super::{Outcome, output, signals};
use anyhow::Context;
use hattari_agents::table::selects;
use hattari_agents::{files, games};
use hattari_play::review::{Review, ReviewError, ReviewPlan};
use hattari_play::session::{Replayable, Session};
use hattari_report::review::{
    LeagueDifference, ReviewReport, ReviewSummary, league_difference, page, prove, show_forks, text,
};
use hattari_report::standings::{ReportOptions, of_store};
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

/// Find the decisions that cause the difference between two bots of a league
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The bot of --by plays every seat of the bot of --of, on the same deals. Whenever the two would choose differently (a fork), the game
is played to its end after each of the two choices. The values of all forks add up exactly to the difference between the two bots.
Forks are grouped into classes by what the bot could see and by the choice: cards left, type of play, street and so on. The classes
are chosen on one half of the blocks and measured on the other half.
All bots restart in every such game. The effect of their memory between deals, and of state that is carried from deal to deal, is
reported separately. Programs that connect and nondeterministic bots cannot be reviewed.

Examples:
  hattari review leagues/demo.yaml --of all --by all-k
  hattari review mine.yaml --of mine --by base --deals 50000
  hattari review mine.yaml --of mine --by base --format html --output review.html
  hattari review mine.yaml --of mine --by all                  who gains most in its seats, and where
  hattari review mine.yaml --of mine --by base --prove 'turn: follow, own cards: 8 or more'

Exit codes: 0 done, 2 unknown entrants, or an error of the bots or the league, 130 interrupted (the results so far are printed).")]
pub(super) struct Arguments {
    /// A league, or its store
    league: PathBuf,
    /// The entrant whose decisions are reviewed
    #[arg(long, value_name = "NAME")]
    of: String,
    /// The entrant that plays the same seats instead. `all` reviews the bot by each other entrant
    /// and prints a summary (default; if an entrant is called `all`, leave --by out for a summary)
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// Number of games to review, rounded to whole blocks
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    deals: u64,
    /// Stop when the 95 % interval of the difference is narrower than plus or minus this many
    /// points per game
    #[arg(long, value_name = "POINTS")]
    precision: Option<f64>,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Output file (default: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Number of forks to show of each kind: the most costly and typical ones
    #[arg(long, value_name = "N", default_value_t = 10)]
    forks: usize,
    /// Number of other deals in which each shown fork is played. They fit what the seat knew, so
    /// they separate a bad decision from bad luck. 0 for none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    samples: u32,
    /// Play the bot with the other bot's choices in one class of decisions, and compare. The class
    /// is its number in the tree, or conditions as in the tree
    #[arg(long, value_name = "CLASS")]
    prove: Option<String>,
    /// Check every fork by another game, not only the forks of the first deal of a block
    #[arg(long)]
    check_all: bool,
    /// The store of the league, whose difference is shown for comparison (default: the file next to
    /// the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default)]
enum Format {
    #[default]
    Text,
    Json,
    Html,
}

/// The value of `--by` for all other entrants.
const ALL: &str = "all";

/// The data of a review that is being made.
struct ReviewTask<'a> {
    arguments: &'a Arguments,
    played: &'a Replayable,
    threads: usize,
    stop: &'a AtomicBool,
}

impl ReviewTask<'_> {
    fn plan(&self, by: &str) -> Result<ReviewPlan, ReviewError> {
        Ok(ReviewPlan {
            games: self.arguments.deals,
            precision: self.arguments.precision,
            threads: self.threads,
            checks_all: self.arguments.check_all,
            ..ReviewPlan::new(&self.played.cast, &self.arguments.of, by)?
        })
    }

    /// Plays the games of a review with progress.
    fn run(&self, plan: &ReviewPlan) -> Result<Review, ReviewError> {
        let is_watched = std::io::stderr().is_terminal();
        let review = plan.run(&self.played.cast, self.stop, |games| {
            if is_watched {
                eprint!("\r{games} of {} games reviewed", plan.games);
            }
        })?;
        if is_watched {
            eprintln!();
        }
        Ok(review)
    }

    /// Returns the difference of both bots in the games of the league.
    fn league_difference(&self, plan: &ReviewPlan) -> anyhow::Result<Option<LeagueDifference>> {
        let Some(store) = self.played.store() else {
            return Ok(None);
        };
        let (_, samples) = of_store(store, None, &ReportOptions::default())
            .context("cannot compute the difference in the league's results")?;
        Ok(league_difference(&self.played.cast, plan, &samples))
    }

    /// Reviews the bot by one other.
    fn one(&self, by: &str) -> anyhow::Result<String> {
        let (cast, arguments) = (&self.played.cast, self.arguments);
        let plan = self.plan(by)?;
        let review = self.run(&plan)?;
        let mut report = ReviewReport::new(cast, &plan, &review, self.league_difference(&plan)?);
        if let Some(proved) = &arguments.prove {
            let class = proved.parse().ok();
            anyhow::ensure!(
                class.is_none_or(|class: usize| class < report.classes.len()),
                "there is no class {proved}; the tree has classes 0 to {}",
                report.classes.len().saturating_sub(1)
            );
            let when = class.map_or_else(|| proved.clone(), |class| report.when(class));
            let selects = selects(games::named(&cast.league.game)?, &when).context("--prove")?;
            let proved = (class, when, &selects);
            prove(cast, &plan, &review, &mut report, proved, self.stop)?;
        }
        let shown = (arguments.forks, arguments.samples);
        show_forks(cast, &plan, &review, &mut report, shown)?;
        Ok(match arguments.format {
            Format::Text => text::render(&report),
            Format::Json => serde_json::to_string_pretty(&report)? + "\n",
            Format::Html => page::render(&report),
        })
    }

    /// Reviews the bot by each other entrant that can be reviewed.
    fn all(&self) -> anyhow::Result<String> {
        let (cast, of) = (&self.played.cast, self.arguments.of.as_str());
        anyhow::ensure!(
            self.arguments.prove.is_none(),
            "--prove needs one other bot: give its name with --by"
        );
        let (mut plans, mut skipped) = (Vec::new(), Vec::new());
        for entrant in cast
            .league
            .entrants
            .iter()
            .filter(|entrant| entrant.name != of)
        {
            let plan = self.plan(&entrant.name)?;
            match plan.units(cast) {
                Ok(_) => plans.push(plan),
                Err(error @ (ReviewError::Client(_) | ReviewError::Declared(_))) => {
                    skipped.push(format!("{}: {error}", entrant.name));
                }
                Err(error) => return Err(error.into()),
            }
        }
        let confidence = ReviewSummary::confidence(plans.len());
        let mut reports = Vec::new();
        for plan in &plans {
            let (review, own) = (self.run(plan)?, self.league_difference(plan)?);
            let report = ReviewReport::with_confidence(cast, plan, &review, own, confidence);
            reports.push(report);
        }
        let summary = ReviewSummary::new(of, reports, skipped);
        Ok(match self.arguments.format {
            Format::Text => summary.text(),
            Format::Json => serde_json::to_string_pretty(&summary)? + "\n",
            Format::Html => page::summary(&summary),
        })
    }
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let played = Session::open(&arguments.league, arguments.store.as_deref())?
        .into_replayable(&arguments.folders.folders)?;
    if let Some(why) = played.contradiction() {
        anyhow::bail!("the store belongs to another league: {why}");
    }
    let cast = &played.cast;
    let threads = match arguments.jobs {
        Some(jobs) => jobs.get(),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let stop = signals::stop_flag()?;
    let task = ReviewTask {
        arguments,
        played: &played,
        threads,
        stop: &stop,
    };
    let by = arguments.by.as_deref().unwrap_or(ALL);
    let is_all = arguments.by.is_none() || by == ALL && cast.league.entrant(ALL).is_none();
    let made = if is_all { task.all()? } else { task.one(by)? };
    match &arguments.output {
        Some(path) => {
            files::write(path, made).with_context(|| path.display().to_string())?;
            output::tell(format_args!("{}: written", path.display()));
        }
        None => output::print(&made)?,
    }
    Ok(if stop.load(Ordering::Relaxed) {
        Outcome::Interrupted
    } else {
        Outcome::Done
    })
}
