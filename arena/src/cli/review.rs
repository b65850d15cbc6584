//! `hattari review`.

use super::folders::Folders;
use super::report::{edit_warning, positive_points};
use super::{CommandResult, Outcome, output, signals};
use anyhow::{Context, ensure};
use hattari_agents::games;
use hattari_agents::table::parse_conditions;
use hattari_agents::text::{counted, grouped, shell};
use hattari_play::review::{EXTREME_FORKS_MAX, Review, ReviewError, ReviewPlan};
use hattari_play::samples::Samples;
use hattari_play::schedule::Part;
use hattari_play::session::{Replayable, Session};
use hattari_play::store::{ReviewStore, StoreError, default_path};
use hattari_report::review::{
    CONFIDENCE, ExampleOptions, HybridGain, LeagueDifference, ReviewReport, ReviewSummary,
    league_difference, measure_hybrid, page, show_forks, text,
};
use hattari_report::standings::samples;
use hattari_study::threads;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Find the decisions that cause the difference between two bots of a league
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The bot of --by plays every seat of the bot of --of, on the same deals. Whenever the two would \
choose differently (a fork), the game is played to its end after each of the two choices. The \
values of all forks add up exactly to the difference between the two bots. Forks are grouped \
into classes by what the bot could see and by the choice: cards left, type of play, street and \
so on. The classes are chosen on one half of the blocks and measured on the other half.
All bots restart in every such game. The effect of their memory between deals, and of state that \
is carried from deal to deal, is reported separately. Programs that connect and nondeterministic \
bots cannot be reviewed. Reviewed blocks are kept in the store of the league, which is created \
if necessary. The same command resumes an interrupted review, and a review of more games plays \
only the missing blocks. Several machines can each review a part.

Examples:
  hattari review leagues/demo.yaml --of base --by all-k
  hattari review mine.yaml --of mine --by base --deals 50000
  hattari review mine.yaml --of mine --by base --format html --output review.html
  hattari review mine.yaml --of mine --by all                  who gains most in its seats, and where
  hattari review mine.yaml --of mine --by base --prove 'turn: follow, own cards: 8 or more'
  hattari review mine.yaml --of mine --by base --unit 0-99 --store 1.sqlite     a part; merge with `hattari cluster merge`

Exit codes: 0 done, 2 unknown entrants, or an error of the bots or the league, 130 interrupted \
(the results so far are printed).")]
pub(super) struct Arguments {
    /// A league, or its store
    league: PathBuf,
    /// The entrant whose decisions are reviewed
    #[arg(long = "of", value_name = "NAME")]
    reviewed: String,
    /// The entrant that plays the same seats instead. `all` reviews the bot by each other entrant
    /// and prints a summary (default; if an entrant is called `all`, leave --by out for a summary)
    #[arg(long = "by", value_name = "NAME")]
    other: Option<String>,
    /// Number of deals to review, rounded to whole blocks (default: 10,000; at most those of the
    /// league)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    deals: Option<u64>,
    /// Stop when the 95 % interval of the difference is narrower than plus or minus this many
    /// points per deal
    #[arg(long, value_name = "POINTS", value_parser = positive_points)]
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
    /// Number of forks to show of each kind: the most costly and typical ones (at most 50)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=EXTREME_FORKS_MAX as i64))]
    forks: u8,
    /// Number of other deals in which each shown fork is played. They fit what the seat knew, so
    /// they separate a bad decision from bad luck. 0 for none
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    samples: u32,
    /// Number of a class in the tree, or its conditions: play the bot with the choices of the other
    /// bot in this class, and compare
    #[arg(long, value_name = "CLASS")]
    prove: Option<String>,
    /// Verify the value of every fork by one more game (default: only the forks of the first deal
    /// of each block)
    #[arg(long)]
    check_all: bool,
    /// Review only one of N equal parts of the blocks, as in 1/4, and keep the results in a store
    #[arg(long, value_name = "I/N", value_parser = Part::shard, conflicts_with_all = ["unit", "precision", "prove"], conflicts_with_all = PRINTING)]
    shard: Option<Part>,
    /// Review only the blocks with these numbers, counted from 0, and keep the results in a store
    #[arg(long, value_name = "UNIT", value_parser = Part::unit, conflicts_with_all = ["precision", "prove"], conflicts_with_all = PRINTING)]
    unit: Option<Part>,
    /// The store that keeps the reviewed blocks, and whose difference is shown for comparison
    /// (default: the file next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

impl Arguments {
    /// Returns the part of the blocks to review; `None` for all blocks.
    fn part(&self) -> Option<&Part> {
        self.unit.as_ref().or(self.shard.as_ref())
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug, Default)]
enum Format {
    #[default]
    Text,
    Json,
    Html,
}

/// The options of the printed review, which a part of a review does not have.
const PRINTING: [&str; 4] = ["format", "output", "forks", "samples"];

/// Default number of deals.
const DEALS: u64 = 10_000;

/// The value of `--by` for all other entrants.
const ALL: &str = "all";

/// The settings of a running review.
struct ReviewTask<'a> {
    arguments: &'a Arguments,
    played: &'a Replayable,
    /// The results of the league, if it has been played.
    samples: Option<Samples>,
    /// The store that keeps the reviewed blocks.
    path: PathBuf,
    threads: usize,
    stop: &'a AtomicBool,
}

impl ReviewTask<'_> {
    fn plan(&self, other: &str) -> Result<ReviewPlan, ReviewError> {
        let plan = ReviewPlan {
            games: self.arguments.deals.unwrap_or(DEALS),
            precision: self.arguments.precision,
            part: self.arguments.part().cloned().unwrap_or(Part::WHOLE),
            threads: self.threads,
            checks_all: self.arguments.check_all,
            ..ReviewPlan::new(&self.played.prepared, &self.arguments.reviewed, other)?
        };
        // Report a review that is impossible before a store is created.
        plan.blocks(&self.played.prepared)?;
        Ok(plan)
    }

    /// Tells the user if the league has fewer deals than `--deals` requests.
    fn tell_missing_deals(&self, plan: &ReviewPlan) -> anyhow::Result<()> {
        let wanted = self.arguments.deals.unwrap_or(0);
        let found = plan.games_found(&self.played.prepared)?;
        if found < wanted {
            output::tell(format_args!(
                "--deals {wanted}: the league has only {} for the review of {}",
                counted(found, "deal"),
                self.arguments.reviewed
            ));
        }
        Ok(())
    }

    fn open_store(&self, plan: &ReviewPlan) -> Result<ReviewStore, StoreError> {
        let (identity, source) = (self.played.identity(), self.played.source());
        ReviewStore::open(&self.path, &identity, &source, plan.reviewed, plan.other)
    }

    /// Plays the games of a review and shows the progress. If the store is read-only or in use, the
    /// results are not stored.
    fn run(&self, plan: &ReviewPlan) -> anyhow::Result<Review> {
        let mut store = match self.open_store(plan) {
            Ok(store) => Some(store),
            Err(error @ (StoreError::Busy { .. } | StoreError::ReadOnly { .. })) => {
                tracing::warn!("the reviewed blocks are not kept: {error}");
                None
            }
            Err(error) => return Err(error.into()),
        };
        let progress = watch_progress(plan);
        let review = plan.run(&self.played.prepared, store.as_mut(), self.stop, progress)?;
        if std::io::stderr().is_terminal() {
            output::tell("");
        }
        Ok(review)
    }

    /// Returns the difference between the two bots in the results of the league, if there are any.
    fn league_difference(&self, plan: &ReviewPlan, review: &Review) -> Option<LeagueDifference> {
        league_difference(&self.played.prepared, plan, review, self.samples.as_ref()?)
    }

    /// Reviews the bot against one other bot and returns the report.
    fn review_by(&self, other: &str) -> anyhow::Result<String> {
        let (prepared, arguments) = (&self.played.prepared, self.arguments);
        let plan = self.plan(other)?;
        self.tell_missing_deals(&plan)?;
        let review = self.run(&plan)?;
        let league = self.league_difference(&plan, &review);
        let mut report = ReviewReport::new(prepared, &plan, &review, league, CONFIDENCE);
        if let Some(decisions) = &arguments.prove {
            // The decisions are given by the number of a class or by their conditions.
            let class = decisions.parse().ok();
            ensure!(
                class.is_none_or(|class| class < report.classes.len()),
                "there is no class {decisions}; the tree has classes 0 to {}. Without --prove, the \
                 review shows them",
                report.classes.len().saturating_sub(1)
            );
            let condition = class.map_or_else(
                || decisions.clone(),
                |class: usize| report.classes[class].condition(),
            );
            let game = games::named(&prepared.league.game)?;
            let selects = parse_conditions(game, &condition).context("--prove")?;
            let gain = measure_hybrid(prepared, &plan, &review, &selects, self.stop)?;
            report.hybrid = gain.map(|gain| HybridGain {
                class,
                condition,
                gain,
            });
        }
        let options = ExampleOptions {
            forks: arguments.forks.into(),
            samples: arguments.samples,
        };
        show_forks(prepared, &plan, &review, &mut report, options, self.stop)?;
        Ok(match arguments.format {
            Format::Text => text::render(&report),
            Format::Json => serde_json::to_string_pretty(&report)? + "\n",
            Format::Html => page::render(&report),
        })
    }

    /// Reviews the bot against each other entrant for which this is possible, and returns the
    /// summary.
    fn review_by_all(&self) -> anyhow::Result<String> {
        let (prepared, reviewed) = (&self.played.prepared, self.arguments.reviewed.as_str());
        ensure!(
            self.arguments.prove.is_none(),
            "--prove needs one other bot: give its name with --by"
        );
        let (mut plans, mut skipped) = (Vec::new(), Vec::new());
        for entrant in prepared
            .league
            .entrants
            .iter()
            .filter(|entrant| entrant.name != reviewed)
        {
            match self.plan(&entrant.name) {
                Ok(plan) => plans.push(plan),
                Err(error @ ReviewError::NotReplayable(_)) => {
                    skipped.push(format!("{}: {error}", entrant.name));
                }
                Err(error) => return Err(error.into()),
            }
        }
        if let Some(plan) = plans.first() {
            self.tell_missing_deals(plan)?;
        }
        let confidence = ReviewSummary::confidence(plans.len());
        let mut reports = Vec::new();
        for plan in &plans {
            let review = self.run(plan)?;
            if review.games() == 0 {
                // The work was interrupted.
                break;
            }
            let league = self.league_difference(plan, &review);
            reports.push(ReviewReport::new(
                prepared, plan, &review, league, confidence,
            ));
        }
        let missing = plans.len() - reports.len();
        if 0 < missing {
            let all = counted(plans.len() as u64, "review");
            skipped.push(format!(
                "{missing} of {all}: interrupted before the first block"
            ));
        }
        let summary = ReviewSummary::new(reviewed, reports, skipped);
        Ok(match self.arguments.format {
            Format::Text => summary.text(),
            Format::Json => serde_json::to_string_pretty(&summary)? + "\n",
            Format::Html => page::summary(&summary),
        })
    }

    /// Reviews a part of the blocks against one other bot, and stores the results.
    fn review_part(&self, other: &str, part: &Part) -> CommandResult {
        let prepared = &self.played.prepared;
        let plan = self.plan(other)?;
        let is_listed = matches!(part, Part::Pairings(_));
        ensure!(
            !is_listed && !prepared.schedule.plays_in_rounds(),
            "a review in parts needs a league whose pairings do not depend on results, and numbers \
             of blocks such as 0-99"
        );
        let planned = plan.blocks(prepared)?.len();
        ensure!(
            0 < planned,
            "the part {part} contains none of the blocks of this review; --deals sets their number"
        );
        let mut store = self.open_store(&plan)?;
        let progress = watch_progress(&plan);
        let review = plan.run(prepared, Some(&mut store), self.stop, progress)?;
        let path = shell(&store.path().to_string_lossy());
        let whole = default_path(&self.arguments.league, &Part::WHOLE);
        output::tell(format_args!(
            "{path}: {} of the part, {} played now. To use them: hattari cluster merge {} {path}, \
             then review without --unit and --shard",
            counted(planned as u64, "block"),
            grouped(review.played),
            shell(&whole.to_string_lossy())
        ));
        Ok(ended(self.stop))
    }
}

/// Returns a callback that prints the number of reviewed games if stderr is a terminal.
fn watch_progress(plan: &ReviewPlan) -> impl FnMut(u64) + use<> {
    let (is_watched, planned) = (std::io::stderr().is_terminal(), plan.games);
    move |games| {
        if is_watched {
            output::replace_line(format_args!("{games} of {planned} games reviewed"));
        }
    }
}

/// Warns if the league or its bots have been edited since the league was played. Reviewed blocks are
/// stored with the versions of the league and of its bots, so the review is not affected.
fn warn_of_changes(played: &Replayable, given: &Path) {
    let league = &played.file.given;
    if let Some(why) = &played.contradiction {
        tracing::warn!(
            "the store belongs to another league: {why}; the review is not compared with its \
             results. `hattari run {}` plays the league as it is now",
            shell(&output::short(league))
        );
    }
    let outdated: Vec<_> = played
        .outdated
        .iter()
        .filter(|bot| 0 < bot.played.blocks)
        .cloned()
        .collect();
    if !outdated.is_empty() {
        let shown = "the difference in the games of the league is";
        tracing::warn!("{}", edit_warning(&outdated, shown, league, given));
    }
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    // A store that does not exist yet will be created for the reviewed blocks.
    let given = arguments.store.as_deref().filter(|path| path.exists());
    let mut played =
        Session::open(&arguments.league, given)?.into_replayable(&arguments.folders.folders)?;
    warn_of_changes(&played, &arguments.league);
    let results = played
        .store
        .as_ref()
        .map(|store| samples(store, true))
        .transpose()
        .context("cannot compute the difference in the league's results")?;
    // The store of the results is closed here, so that reviewed blocks can be added to it.
    let found = played.store.take();
    let part = arguments.part();
    let path = match (&arguments.store, part, found) {
        (Some(path), ..) => path.clone(),
        (None, Some(part), _) => default_path(&played.file.given, part),
        (None, None, Some(store)) => store.path().to_owned(),
        (None, None, None) => default_path(&played.file.given, &Part::WHOLE),
    };
    let stop = signals::stop_flag()?;
    let task = ReviewTask {
        arguments,
        played: &played,
        samples: results,
        path,
        threads: threads(arguments.jobs),
        stop: &stop,
    };
    let other = arguments
        .other
        .as_deref()
        .filter(|other| *other != ALL || played.prepared.league.entrant(ALL).is_some());
    if let Some(part) = part {
        let other =
            other.context("--unit and --shard need one other bot: give its name with --by")?;
        return task.review_part(other, part);
    }
    let report = match other {
        Some(other) => task.review_by(other)?,
        None => task.review_by_all()?,
    };
    match &arguments.output {
        Some(path) => output::write_page(path, &report)?,
        None => _ = output::print(&report)?,
    }
    Ok(ended(&stop))
}

/// Returns the outcome of work that `stop` may have interrupted.
fn ended(stop: &AtomicBool) -> Outcome {
    if !stop.load(Ordering::Relaxed) {
        return Outcome::Done;
    }
    output::tell("interrupted; run the same command again to continue");
    Outcome::Interrupted
}
