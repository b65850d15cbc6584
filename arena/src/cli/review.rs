//! `hattari review`.

use super::folders::Folders;
use super::{Outcome, output, signals};
use anyhow::Context;
use hattari_agents::files;
use hattari_play::review::ReviewPlan;
use hattari_play::session::Session;
use hattari_report::review::{ReviewReport, league_difference, page, prove, show_forks, text};
use hattari_report::standings::{Wishes, of_store};
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;

/// Tell which decisions cause the difference between two bots of a league
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The bot of --by plays every seat that the bot of --of has, on the same deals. Wherever the two would choose differently, the
game is played on after either choice; what such forks are worth adds up to the difference of the two bots exactly. Forks are
put into classes by what the bot could see and by what was chosen: cards left, type of play, street and so on. The classes are
chosen on one half of the blocks and measured on the other.
In every such game all bots start anew. What that leaves out (memory between deals) and what is carried over from deal to deal
is told apart. Programs that connect and bots that declare to be nondeterministic cannot be reviewed.

Examples:
  hattari review leagues/demo.yaml --of all --by all-k
  hattari review mine.yaml --of mine --by base --deals 50000
  hattari review mine.yaml --of mine --by base --format html --output review.html

Exit codes: 0 done, 2 no such entrants, or bots or league in error, 130 interrupted (what was reviewed until then is told).")]
pub(super) struct Arguments {
    /// A league, or its store
    league: PathBuf,
    /// The entrant whose decisions are judged
    #[arg(long, value_name = "NAME")]
    of: String,
    /// The entrant that plays the same seats instead
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Games to review, in whole blocks
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    deals: u64,
    /// Stop when the difference is known to within this many points a game (95 % confidence)
    #[arg(long, value_name = "POINTS")]
    precision: Option<f64>,
    /// Threads that play; without it, one for each core
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Where to write it, instead of the standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Forks to show of each kind: the most costly, and typical ones
    #[arg(long, value_name = "N", default_value_t = 10)]
    forks: usize,
    /// Play the bot with the other bot's choices in one class, by its number in the tree, and compare
    #[arg(long, value_name = "CLASS")]
    prove: Option<usize>,
    /// Check every fork by another game, not only those of a block's first deal
    #[arg(long)]
    check_all: bool,
    /// The league's store, whose own difference is compared; without it, the file beside the league
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
    let played = Session::open(&arguments.league, arguments.store.as_deref())?
        .into_replayable(&arguments.folders.folders)?;
    if let Some(why) = played.contradiction() {
        anyhow::bail!("the store is of another league: {why}");
    }
    let cast = &played.cast;
    let threads = match arguments.jobs {
        Some(jobs) => jobs.get(),
        None => available_parallelism().map_or(1, NonZeroUsize::get),
    };
    let plan = ReviewPlan {
        games: arguments.deals,
        precision: arguments.precision,
        threads,
        checks_all: arguments.check_all,
        ..ReviewPlan::new(cast, &arguments.of, &arguments.by)?
    };
    let stop = signals::stop_flag()?;
    let is_watched = std::io::stderr().is_terminal();
    let review = plan.run(cast, &stop, |games| {
        if is_watched {
            eprint!("\r{games} of {} games reviewed", plan.games);
        }
    })?;
    if is_watched {
        eprintln!();
    }
    let own = match played.store() {
        Some(store) => {
            let (_, samples) = of_store(store, None, &Wishes::default())
                .context("the league's own difference cannot be computed")?;
            league_difference(cast, &plan, &samples)
        }
        None => None,
    };
    let mut report = ReviewReport::new(cast, &plan, &review, own);
    if let Some(class) = arguments.prove {
        anyhow::ensure!(
            class < report.classes.len(),
            "there is no class {class}; the tree has classes 0 to {}",
            report.classes.len().saturating_sub(1)
        );
        prove(cast, &plan, &review, &mut report, (class, &stop))?;
    }
    show_forks(cast, &plan, &review, &mut report, arguments.forks)?;
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
    Ok(if stop.load(Ordering::Relaxed) {
        Outcome::Interrupted
    } else {
        Outcome::Done
    })
}
