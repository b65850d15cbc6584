//! `hattari review`.

use super::folders::Folders;
use super::{Outcome, output, signals};
use anyhow::Context;
use hattari_agents::files;
use hattari_agents::text::{counted, grouped, shell};
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{EXTREME_FORKS_MAX, ReviewPlan};
use hattari_play::schedule::Part;
use hattari_play::session::{Replayable, Session};
use hattari_play::store::{ReviewStore, StoreError, default_path};
use hattari_report::review::{ReviewReport, league_difference, page, prove, show_forks, text};
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
Reviewed blocks are kept in the store of the league, which is created if necessary. The same command resumes an interrupted review,
and a review of more games plays only the missing blocks. Several machines can each review a part.

Examples:
  hattari review leagues/demo.yaml --of all --by all-k
  hattari review mine.yaml --of mine --by base --deals 50000
  hattari review mine.yaml --of mine --by base --format html --output review.html
  hattari review mine.yaml --of mine --by base --unit 0-99 --store 1.sqlite     a part; merge with `hattari cluster merge`

Exit codes: 0 done, 2 unknown entrants, or an error of the bots or the league, 130 interrupted (the results so far are printed).")]
pub(super) struct Arguments {
    /// A league, or its store
    league: PathBuf,
    /// The entrant whose decisions are reviewed
    #[arg(long, value_name = "NAME")]
    of: String,
    /// The entrant that plays the same seats instead
    #[arg(long, value_name = "NAME")]
    by: String,
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
    /// Number of forks to show of each kind: the most costly and typical ones (at most 50)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u8).range(0..=EXTREME_FORKS_MAX as i64))]
    forks: u8,
    /// Play the bot with the other bot's choices in one class, by its number in the tree, and
    /// compare
    #[arg(long, value_name = "CLASS")]
    prove: Option<usize>,
    /// Check every fork by another game, not only the forks of the first deal of a block
    #[arg(long)]
    check_all: bool,
    /// Review only one of N equal parts of the blocks, as in 1/4, and keep the results in a store
    #[arg(long, value_name = "I/N", value_parser = Part::shard, conflicts_with_all = ["unit", "precision", "prove"])]
    shard: Option<Part>,
    /// Review only the blocks with these numbers, counted from 0, and keep the results in a store
    #[arg(long, value_name = "UNIT", value_parser = Part::unit, conflicts_with_all = ["precision", "prove"])]
    unit: Option<Part>,
    /// The store that keeps the reviewed blocks, and whose difference is shown for comparison
    /// (default: the file next to the league)
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

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    // A store that does not exist yet will be created for the reviewed blocks.
    let given = arguments.store.as_deref().filter(|path| path.exists());
    let mut played =
        Session::open(&arguments.league, given)?.into_replayable(&arguments.folders.folders)?;
    if let Some(why) = played.contradiction() {
        anyhow::bail!("the store belongs to another league: {why}");
    }
    let threads = match arguments.jobs {
        Some(jobs) => jobs.get(),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let plan = ReviewPlan {
        games: arguments.deals,
        precision: arguments.precision,
        threads,
        checks_all: arguments.check_all,
        ..ReviewPlan::new(&played.cast, &arguments.of, &arguments.by)?
    };
    // Report what cannot be reviewed before a store is created.
    plan.units(&played.cast)?;
    let own = match played.store() {
        Some(store) => {
            let (_, samples) = of_store(store, None, &ReportOptions::default())
                .context("cannot compute the difference in the league's results")?;
            league_difference(&played.cast, &plan, &samples)
        }
        None => None,
    };
    let part = arguments.unit.as_ref().or(arguments.shard.as_ref());
    let mut store = keep(arguments, &mut played, &plan, part)?;
    let cast = &played.cast;
    let stop = signals::stop_flag()?;
    let is_watched = std::io::stderr().is_terminal();
    let progress = |games: u64| {
        if is_watched {
            eprint!("\r{games} of {} games reviewed", plan.games);
        }
    };
    if let Some((part, store)) = part.zip(store.as_mut()) {
        return review_part(arguments, (cast, &plan), store, part, &stop, progress);
    }
    let review = plan.resume(cast, store.as_mut(), &stop, progress)?;
    drop(store);
    if is_watched {
        eprintln!();
    }
    let mut report = ReviewReport::new(cast, &plan, &review, own);
    if let Some(class) = arguments.prove {
        anyhow::ensure!(
            class < report.classes.len(),
            "there is no class {class}; the tree has classes 0 to {}",
            report.classes.len().saturating_sub(1)
        );
        prove(cast, &plan, &review, &mut report, (class, &stop))?;
    }
    show_forks(cast, &plan, &review, &mut report, arguments.forks.into())?;
    let made = match arguments.format {
        Format::Text => text::render(&report),
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Html => page::render(&report),
    };
    match &arguments.output {
        Some(path) => {
            files::write(path, made).with_context(|| path.display().to_string())?;
            output::tell(format_args!("{}: written", path.display()));
        }
        None => output::print(&made)?,
    }
    Ok(ended(&stop))
}

/// Opens the store that keeps the reviewed blocks, and closes the store of the comparison. Without
/// a part, a review that cannot use the store goes on without it.
fn keep(
    arguments: &Arguments,
    played: &mut Replayable,
    plan: &ReviewPlan,
    part: Option<&Part>,
) -> anyhow::Result<Option<ReviewStore>> {
    let found = played.found.take().and_then(Result::ok);
    let path = match (&arguments.store, part, found) {
        (Some(path), ..) => path.clone(),
        (None, Some(part), _) => default_path(&played.file, part),
        (None, None, Some(store)) => store.path().to_owned(),
        (None, None, None) => default_path(&played.file, &Part::WHOLE),
    };
    let (identity, source) = (played.identity(), played.source());
    match ReviewStore::open(&path, &identity, &source, [plan.of, plan.by]) {
        Ok(store) => Ok(Some(store)),
        Err(error @ (StoreError::Busy { .. } | StoreError::ReadOnly { .. })) if part.is_none() => {
            tracing::warn!("the reviewed blocks are not kept: {error}");
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

/// Reviews a part of the blocks.
fn review_part(
    arguments: &Arguments,
    (cast, plan): (&PreparedLeague, &ReviewPlan),
    store: &mut ReviewStore,
    part: &Part,
    stop: &AtomicBool,
    progress: impl FnMut(u64),
) -> anyhow::Result<Outcome> {
    let is_listed = matches!(part, Part::Meetings(_));
    anyhow::ensure!(
        !is_listed && !cast.schedule.plays_in_rounds(),
        "a review in parts needs a league whose pairings do not depend on results, and numbers of \
         blocks such as 0-99"
    );
    let [planned, played] = plan.play_part(cast, store, part, stop, progress)?;
    anyhow::ensure!(
        0 < planned,
        "the part {part} contains none of the blocks of this review; --deals sets their number"
    );
    let path = shell(&store.path().to_string_lossy());
    let whole = default_path(&arguments.league, &Part::WHOLE);
    output::tell(format_args!(
        "{path}: {} of the part, {} played now. To use them: hattari cluster merge {} {path}, then \
         review without --unit and --shard",
        counted(planned as u64, "block"),
        grouped(played as u64),
        shell(&whole.to_string_lossy())
    ));
    Ok(ended(stop))
}

/// Returns the outcome of work that `stop` may have interrupted.
fn ended(stop: &AtomicBool) -> Outcome {
    if !stop.load(Ordering::Relaxed) {
        return Outcome::Done;
    }
    output::tell("interrupted; run the same command again to continue");
    Outcome::Interrupted
}
