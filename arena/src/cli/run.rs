//! `hattari run`.

use super::deadline::{self, Deadline};
use super::folders::Folders;
use super::ready::{ChosenOption, PrepareOptions, PreparedRun};
use super::{Outcome, output, progress, signals};
use crate::shipped;
use anyhow::{Context, bail};
use clap::builder::ArgPredicate;
use hattari_agents::text::{counted, grouped, quoted, shell};
use hattari_play::league::Sequential;
use hattari_play::prepared::EntrantBot;
use hattari_play::runner::{self, Progress, RunEnd, RunError, RunObserver, RunOptions};
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{self, LeagueIdentity, Store, StoreWriter, UnusedBlocks};
use hattari_stats::sequential::StoppingRule;
use serde_json::json;
use std::fmt::{self, Write};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// Run or resume a league, then print the report
#[derive(clap::Args, Debug)]
#[command(after_help = "\
If a league was stopped or killed, `hattari run` resumes it. Results are stored in a file next \
to the league, LEAGUE.sqlite, with a page with figures, LEAGUE.html. The results do not depend \
on the number of threads, on shards or on interruptions: the digest at the end is the same.
Ctrl-C stops the run after the current blocks; a second Ctrl-C stops it at once. Finished blocks \
are kept.

Examples:
  hattari run --demo                              play an example league, in any folder
  hattari run leagues/demo.yaml                   play a league on all cores and print the report
  hattari run leagues/table2.yaml --dry-run       show what would be played
  hattari run leagues/table1.yaml --blocks 5      play only the first 5 blocks of each line-up
  hattari run leagues/table1.yaml --shard 1/2     play one half on this machine (merge with hattari cluster merge)
  hattari run leagues/table1.yaml --unit 0-99     play a unit of `hattari cluster plan`
  hattari run mine.yaml --bots ~/my-bots --jobs 1 use bots of a folder, on one thread
  hattari run x.yaml --option stack=1000,5000     play a league for each value, with a joint report
  hattari run mine.yaml --hours 8                 stop after 8 hours; running blocks are finished

Exit codes: 0 played or time limit reached, 2 any error (finished blocks are kept), 130 \
interrupted.")]
pub(super) struct Arguments {
    /// The league: a YAML file, or a pack made by `hattari cluster pack`
    #[arg(
        value_name = "LEAGUE",
        required = false,
        required_unless_present = "demo",
        default_value_if("demo", ArgPredicate::IsPresent, DEMO)
    )]
    league: PathBuf,
    /// Play an example league, which is written with its scripts to hattari-demo/ in the current
    /// folder
    #[arg(long, conflicts_with = "league")]
    demo: bool,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Play one of N equal parts of the league, as in 1/4
    #[arg(long, value_name = "I/N", default_value = "1/1", value_parser = Part::shard)]
    shard: Part,
    /// Play one unit of `hattari cluster plan`
    #[arg(long, value_name = "UNIT", value_parser = Part::unit, conflicts_with = "shard")]
    unit: Option<Part>,
    /// Show what would be played, without playing it
    #[arg(long)]
    dry_run: bool,
    /// The store of the results (default: next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Discard stored results and start over
    #[arg(long)]
    restart: bool,
    /// Number of blocks per line-up, instead of the number in the league
    #[arg(long, value_name = "N")]
    blocks: Option<u32>,
    /// Stop after this many hours, once the running blocks are finished; the same command resumes
    /// the league
    #[arg(long, value_name = "H", value_parser = deadline::hours)]
    hours: Option<Duration>,
    /// Stop at this time in UTC, as in 2026-12-01T08:00, once the running blocks are finished
    #[arg(long, value_name = "TIME", value_parser = deadline::time, conflicts_with = "hours")]
    until: Option<SystemTime>,
    /// Play one league for each value of an option of the rules, as in stack=1000,5000, each in its
    /// own store LEAGUE.stack=1000.sqlite. The seed is raised by 1 from league to league
    #[arg(long, value_name = "NAME=V,V", value_parser = option, conflicts_with_all = ["store", "shard", "unit", "demo"])]
    option: Option<(String, Vec<String>)>,
    /// Print only the report, warnings and errors, without progress
    #[arg(short, long)]
    quiet: bool,
    /// Do not print the report or write the page
    #[arg(long)]
    no_report: bool,
    /// Print one line of JSON on what was played, without progress and report
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

impl Arguments {
    /// Returns the part of the league to play.
    fn part(&self) -> &Part {
        self.unit.as_ref().unwrap_or(&self.shard)
    }

    /// Returns the time at which the run stops, or `None` if there is no time limit.
    fn end(&self) -> Option<SystemTime> {
        let hours = self.hours.map(|hours| SystemTime::now() + hours);
        hours.or(self.until)
    }
}

/// Path of the demo league.
const DEMO: &str = "hattari-demo/demo.yaml";
/// Path of the scripts of the demo league in the embedded files.
const DEMO_SCRIPTS: &str = "scripts/daihinmin/";

/// Writes the demo league and its scripts. Keeps existing files, which may have been edited.
fn write_demo() -> anyhow::Result<()> {
    let folder = Path::new(DEMO).parent().unwrap_or(Path::new(""));
    for (name, content) in shipped::files() {
        let path = match name.as_str() {
            "leagues/demo.yaml" => DEMO.into(),
            name if name.starts_with(DEMO_SCRIPTS) => folder.join(name),
            _ => continue,
        };
        if !path.exists() {
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            // The header of the league contains its path in the project.
            let content = match path.ends_with("demo.yaml") {
                true => String::from_utf8_lossy(&content)
                    .replace("leagues/demo.yaml", DEMO)
                    .into_bytes(),
                false => content,
            };
            fs::write(&path, content).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Runs the command: one league, or one for each value of an option.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if arguments.demo {
        write_demo()?;
    }
    let end = arguments.end();
    let Some((name, values)) = &arguments.option else {
        let path = arguments
            .store
            .clone()
            .unwrap_or_else(|| store::default_path(&arguments.league, arguments.part()));
        return run_league(arguments, &path, None, end);
    };
    let beside = store::default_path(&arguments.league, &Part::WHOLE);
    let mut stores = Vec::new();
    for (number, value) in (0..).zip(values) {
        let option = ChosenOption {
            name: name.clone(),
            value: serde_json::from_str(value).unwrap_or_else(|_| value.as_str().into()),
            number,
        };
        let path = beside.with_extension(format!("{name}={value}.sqlite"));
        match run_league(arguments, &path, Some(&option), end)? {
            Outcome::Done => stores.push(path),
            other => return Ok(other),
        }
    }
    if !(arguments.dry_run || arguments.json || arguments.no_report) {
        let page = beside.with_extension(format!("{name}.html"));
        super::report::after_runs(&stores, &page)?;
        output::tell(format_args!("{}: report on all leagues", page.display()));
    }
    Ok(Outcome::Done)
}

/// Parses the name of an option and its values.
fn option(text: &str) -> Result<(String, Vec<String>), String> {
    let (name, values) = text.split_once('=').unwrap_or((text, ""));
    let mut found: Vec<String> = Vec::new();
    for value in values.split(',') {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
        if value.is_empty() || !value.chars().all(is_name) || found.iter().any(|one| one == value) {
            return Err(
                "give an option and its different values, as in stack=1000,5000".to_owned(),
            );
        }
        found.push(value.to_owned());
    }
    Ok((name.to_owned(), found))
}

/// Plays a league until the time `end`, with the store `path`. `option` replaces an option of the
/// league's rules.
fn run_league(
    arguments: &Arguments,
    path: &Path,
    option: Option<&ChosenOption>,
    end: Option<SystemTime>,
) -> anyhow::Result<Outcome> {
    let (part, quiet) = (arguments.part(), arguments.quiet || arguments.json);
    let how = PrepareOptions {
        blocks: arguments.blocks,
        option,
        is_dry_run: arguments.dry_run,
        quiet: arguments.quiet,
    };
    let ready = PreparedRun::prepare(&arguments.league, how, &arguments.folders)?;
    if ready.prepared.schedule.plays_in_rounds()
        && !matches!(part, &Part::WHOLE | Part::Pairings(_))
    {
        let why = "later pairings depend on results, so the league cannot be split beforehand";
        bail!(
            "{}: {why}; split the remaining work with `hattari cluster plan`, and play its units \
            with --unit",
            arguments.league.display()
        );
    }
    if arguments.dry_run {
        let plan = describe(arguments, &ready.identity, path)?;
        return output::print(&plan);
    }
    let tell = |text: String| {
        if !quiet {
            output::tell(text);
        }
    };
    if let Some(line) = ready.isolated.summary() {
        tell(line);
    }
    // This warning is also shown with `--quiet`.
    ready.isolated.warn();
    if arguments.restart {
        store::remove(path)?;
    }
    let (mut writer, is_new) = StoreWriter::open(path, &ready.identity, &ready.source)?;
    let league = &ready.identity.league;
    if !is_new {
        let store = writer.store();
        let (kept, planned) = (
            grouped(store.blocks_played()?),
            counted(store.schedule().jobs(), "block"),
        );
        tell(format!("{kept} of {planned} are already stored"));
        unused_block_notes(store)?.into_iter().for_each(tell);
    }
    let threads = match arguments.jobs {
        Some(threads) => threads as usize,
        // Every thread needs one client per entrant, and only one client of each is known to exist.
        None if ready.waits => 1,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let orders = RunOptions {
        threads,
        part: part.clone(),
    };
    let stop = signals::stop_flag()?;
    let mut deadline = Deadline::new(end, &stop);
    let end = play(&ready, &mut writer, &orders, &mut deadline, quiet);
    let is_late = deadline.is_reached;
    let heard = league
        .entrants
        .iter()
        .zip(&ready.prepared.seats)
        .enumerate();
    let heard = heard
        .filter_map(|(number, (entrant, seat))| Some((number, entrant, seat.bot.first_output()?)));
    heard
        .clone()
        .for_each(|(_, entrant, words)| tell(format!("output of `{}`: {words}", entrant.name)));
    let (end, progress) = match end {
        Ok((end, progress)) => {
            tell(summary(&progress, threads));
            for (number, _, output) in heard {
                writer.store_output(number, output)?;
            }
            (end, progress)
        }
        Err(error) => {
            // If the disk is full, this fails too; report the first error.
            _ = writer.end_run(&error.to_string());
            return Err(error.into());
        }
    };
    let is_finished = end == RunEnd::Finished;
    let (outcome, why) = match (is_finished, is_late) {
        (true, _) => ("finished", ""),
        (false, true) => ("interrupted", "time limit reached"),
        (false, false) => ("interrupted", "interrupted"),
    };
    writer.end_run(outcome)?;
    if !is_finished {
        tell(format!("{why}; run the same command again to continue"));
    }
    if is_finished && ready.identity.league.sequential.is_some() {
        tell(match *part {
            Part::WHOLE => "the stopping rule needs no more blocks".to_owned(),
            _ => "a part plays all its blocks: `hattari cluster merge` applies the stopping rule to all parts".to_owned(),
        });
    }
    let (digest, blocks) = writer.store().digest()?;
    let planned = writer.store().schedule().jobs();
    drop(writer);
    tell(format!(
        "{}: {} of {} blocks, digest {digest:016x}",
        path.display(),
        grouped(blocks),
        grouped(planned)
    ));
    if arguments.json {
        let (blocks, digest) = (blocks, format!("{digest:016x}"));
        let line = json!({
            "store": path, "finished": is_finished, "played": progress.blocks, "deals": progress.deals,
            "faults": progress.faults, "seconds": progress.elapsed.as_secs_f64(), "blocks": blocks, "planned": planned,
            "digest": digest,
        });
        output::print(&format!("{line}\n"))?;
    } else if !arguments.no_report {
        let store = Store::read(path)?;
        let played = ready.prepared.as_played(&store);
        let page = super::report::after_run(&store, &played, is_finished)?;
        drop(store);
        if let Some(page) = page {
            tell(format!("{}: report with figures", page.display()));
        }
        tell(format!(
            "`hattari report {}` prints the full report",
            shell(&path.to_string_lossy())
        ));
        if arguments.demo && !quiet {
            output::print(&after_demo(&ready.bots)?)?;
        }
    }
    Ok(if is_finished || is_late {
        Outcome::Done
    } else {
        Outcome::Interrupted
    })
}

/// Returns the text at the end of the demo: the bots, and next steps.
fn after_demo(bots: &[EntrantBot]) -> Result<String, fmt::Error> {
    let mut out = String::from("\nThe bots\n");
    for bot in bots {
        if let EntrantBot::Bot(bot) = bot {
            writeln!(out, "  {:9}  {}", bot.name, bot.description)?;
        }
    }
    out += "\nNext\n";
    for (command, what) in [
        (
            format!("hattari replay {DEMO} --block 3 --game 17"),
            "print one of these games with all cards",
        ),
        (
            "hattari serve hattari-demo".to_owned(),
            "watch all games in a browser, or play yourself",
        ),
        (
            "hattari new lua daihinmin mine".to_owned(),
            "create your own bot, with tests and a league",
        ),
    ] {
        writeln!(out, "  {command:56}  {what}")?;
    }
    Ok(out)
}

/// Returns lines on stored blocks that are not used, and on bots built again from the same sources.
fn unused_block_notes(store: &Store) -> anyhow::Result<Vec<String>> {
    let line = |UnusedBlocks { why, blocks }| {
        format!(
            "{} are stored but not used: {why}",
            counted(blocks, "block")
        )
    };
    let rebuilt = |(name, file): (String, String)| {
        format!("{name}: same sources, built as another file ({file}); its blocks are used")
    };
    let lines = store.unused_blocks()?.into_iter().map(line);
    Ok(lines
        .chain(store.rebuilt_entrants()?.into_iter().map(rebuilt))
        .collect())
}

/// Plays the remaining blocks.
fn play(
    ready: &PreparedRun,
    writer: &mut StoreWriter,
    orders: &RunOptions,
    deadline: &mut Deadline<'_>,
    quiet: bool,
) -> Result<(RunEnd, Progress), RunError> {
    let threads = u32::try_from(orders.threads).unwrap_or(u32::MAX);
    writer.begin_run(threads, &orders.part)?;
    deadline.check(SystemTime::now());
    let stop = deadline.stop;
    let mut observer = LastProgress {
        inner: progress::observer(quiet),
        last: Progress::default(),
        deadline,
    };
    let game = ready.prepared.game().expect("the options were checked");
    let (league, seats) = (&ready.identity.league, &ready.prepared.seats);
    let end = runner::run(&*game, league, seats, writer, orders, stop, &mut observer)?;
    Ok((end, observer.last))
}

/// An observer that checks the deadline, and keeps the latest progress for the summary.
struct LastProgress<'d, 's> {
    inner: Box<dyn RunObserver>,
    last: Progress,
    deadline: &'d mut Deadline<'s>,
}

impl RunObserver for LastProgress<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        self.deadline.check(SystemTime::now());
        self.last = *progress;
        self.inner.progress(progress);
    }
}

/// Returns a line that summarizes a run.
fn summary(progress: &Progress, threads: usize) -> String {
    if progress.blocks_planned == 0 {
        return "nothing is left to play".to_owned();
    }
    let seconds = progress.elapsed.as_secs_f64();
    #[expect(clippy::cast_precision_loss, reason = "the speed is only displayed")]
    let speed = progress.deals as f64 / seconds.max(1e-3);
    let (blocks, deals) = (
        counted(progress.blocks, "block"),
        counted(progress.deals, "deal"),
    );
    let (speed, threads) = (progress::rounded(speed), counted(threads as u64, "thread"));
    let faults = counted(progress.faults, "fault");
    format!("played {blocks} ({deals}) in {seconds:.1} s: {speed} deals/s on {threads}; {faults}")
}

/// Returns a description of what would be played.
fn describe(
    arguments: &Arguments,
    identity: &LeagueIdentity,
    path: &Path,
) -> anyhow::Result<String> {
    let league = &identity.league;
    let is_ours = |index: u64| arguments.part().contains(index);
    let mut schedule = Schedule::of(league);
    let mut beside = Vec::new();
    let (mut is_over, mut played, mut state) = (false, 0, "new".to_owned());
    if path.exists() && !arguments.restart {
        let store = Store::read_as(path, identity.clone())?;
        (schedule, beside) = (store.schedule().clone(), unused_block_notes(&store)?);
        is_over = store.round_schedule().is_some_and(|rounds| rounds.is_over);
        let jobs = store.played()?;
        let indices = jobs.into_iter().filter_map(|job| schedule.find(job));
        played = indices.filter(|&index| is_ours(index)).count() as u64;
        state = format!("contains {}", counted(store.blocks_played()?, "block"));
    }
    let seats = schedule
        .line_ups
        .first()
        .map_or(0, |line_up| line_up.entrants.len());
    let rotations = league.rotations(seats);
    let block_games = u64::from(league.deals) * u64::from(rotations);
    let ours = (0..schedule.jobs()).filter(|&index| is_ours(index)).count() as u64;
    let open = ours.saturating_sub(played);
    // If pairings depend on results, later rounds are unknown.
    let least = if schedule.plays_in_rounds() && !league.format.is_planned() && !is_over {
        "at least "
    } else {
        ""
    };
    let names: Vec<&str> = league
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    let rotated = if league.duplicate {
        format!(", each with {rotations} rotations")
    } else {
        String::new()
    };
    let same = if league.same_deals {
        ", the same games for every line-up"
    } else {
        ""
    };
    let mut rows = vec![
        ("league", arguments.league.display().to_string()),
        ("game", format!("{}, preset {}", league.game, league.preset)),
        ("seed", league.seed.to_string()),
        (
            "entrants",
            format!("{}: {}", names.len(), quoted(names.iter().copied())),
        ),
        ("format", league.format.description(league)),
        (
            "line-ups",
            format!("{least}{}", grouped(schedule.line_ups.len() as u64)),
        ),
        (
            "blocks",
            format!(
                "{} per line-up, {} per block{rotated}{same}",
                grouped(league.blocks.into()),
                counted(league.deals.into(), "game")
            ),
        ),
    ];
    if let Some(sequential) = &league.sequential {
        rows.push(("stopping", describe_stopping_rule(sequential)));
    }
    if *arguments.part() != Part::WHOLE {
        let name = if arguments.unit.is_some() {
            "unit"
        } else {
            "shard"
        };
        rows.push((
            name,
            format!("{}: {}", arguments.part(), counted(ours, "block")),
        ));
    }
    rows.push((
        "to play",
        format!(
            "{least}{}, {}",
            counted(open, "block"),
            counted(open.saturating_mul(block_games), "game")
        ),
    ));
    rows.push((
        "store",
        format!(
            "{} ({state}), {least}about {} when complete",
            path.display(),
            size(ours, seats as u64, block_games)
        ),
    ));
    let own = league
        .entrants
        .iter()
        .filter_map(|entrant| Some((entrant, entrant.budget?)));
    rows.extend(own.map(|(entrant, budget)| ("budget", format!("{}: {budget}", entrant.name))));
    rows.extend(
        league
            .excluded
            .iter()
            .map(|excluded| ("excluded", excluded.to_string())),
    );
    rows.extend(beside.into_iter().map(|line| ("besides", line)));
    Ok(rows
        .iter()
        .map(|(name, value)| format!("{name:<9} {value}\n"))
        .collect())
}

/// Returns a description of the rule that may end the league early.
fn describe_stopping_rule(sequential: &Sequential) -> String {
    let rule = match &sequential.rule {
        StoppingRule::ConfidenceSequence(_) => "a confidence sequence",
        StoppingRule::Betting(_) => "betting",
        StoppingRule::Sprt(_) => "a sequential probability ratio test",
    };
    let pairs = match &sequential.pairs[..] {
        [] => "every pair that plays together".to_owned(),
        pairs => pairs
            .iter()
            .map(|[a, b]| format!("{a} against {b}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    format!("{rule} may end the league early: {pairs}")
}

/// Returns the estimated size of a store. `games` is the number of games per block. Integers are
/// stored with seven bits per byte.
#[expect(clippy::cast_precision_loss, reason = "the estimate is only displayed")]
fn size(blocks: u64, seats: u64, games: u64) -> String {
    let bytes_of = |number: u64| {
        u64::from(64 - (2 * number).leading_zeros())
            .div_ceil(7)
            .max(1)
    };
    let pairs = seats * (seats + 1) / 2;
    let record = seats * bytes_of(games * 3)
        + (pairs + seats) * bytes_of(games * 9)
        + seats * seats * (bytes_of(games / 5) + bytes_of(games / 2))
        + seats;
    // The constants allow for keys, headers and half-empty pages.
    let bytes = (40_000 + blocks * (record + 40) * 5 / 4) as f64;
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}
