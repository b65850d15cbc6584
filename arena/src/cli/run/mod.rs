//! `hattari run`.

mod demo;
mod dry_run;

use super::deadline::{self, Deadline};
use super::folders::Folders;
use super::ready::{LoadedLeague, PrepareOptions, PreparedRun};
use super::{CommandResult, Outcome, output, progress, signals};
use anyhow::ensure;
use clap::builder::ArgPredicate;
use demo::DEMO;
use dry_run::{DryRun, unused_block_notes};
use hattari_agents::record::{FaultKind, JobId, Record};
use hattari_agents::text::{counted, grouped, shell};
use hattari_play::league::{League, OptionSweep};
use hattari_play::prepared::EntrantBot;
use hattari_play::runner::{Progress, RunContext, RunEnd, RunError, RunObserver, RunOptions};
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{self, Store, StoreWriter};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};
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
    /// own store LEAGUE.stack=1000.sqlite. The seed is raised by 1 from league to league. The key
    /// `sweep` of a league does the same; this option replaces its values
    #[arg(long, value_name = "NAME=V,V", value_parser = OptionSweep::parse, conflicts_with_all = ["store", "shard", "unit", "demo"])]
    option: Option<OptionSweep>,
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
        self.hours
            .map(|hours| SystemTime::now() + hours)
            .or(self.until)
    }

    /// Returns the option with several values: the one on the command line, or `in_file`.
    fn sweep(&self, in_file: Option<&OptionSweep>) -> anyhow::Result<Option<OptionSweep>> {
        let Some(sweep) = in_file else {
            return Ok(self.option.clone());
        };
        let (file, option) = (self.league.display(), &sweep.option);
        if let Some(given) = &self.option {
            ensure!(
                given.option == *option,
                "--option: {file} has a `sweep` over `{option}`, and only one option can have \
                several values; give values of `{option}`, or remove `sweep`"
            );
            return Ok(Some(given.clone()));
        }
        for (name, is_given) in [
            ("--store", self.store.is_some()),
            ("--shard", self.shard != Part::WHOLE),
            ("--unit", self.unit.is_some()),
        ] {
            ensure!(
                !is_given,
                "{name} is for a single league, and {file} has a `sweep`; remove {name}, or remove \
                `sweep` and set `{option}` in `options`"
            );
        }
        Ok(Some(sweep.clone()))
    }

    /// Returns `true` if only warnings and results are printed.
    fn is_quiet(&self) -> bool {
        self.quiet || self.json
    }

    /// Prints a message on the progress, unless the run is quiet.
    fn tell(&self, message: impl Display) {
        if !self.is_quiet() {
            output::tell(message);
        }
    }
}

/// Runs the command: one league, or one for each value of an option.
pub(super) fn main(arguments: &Arguments) -> CommandResult {
    if arguments.demo {
        demo::write()?;
    }
    let end = arguments.end();
    let league = LoadedLeague::load(&arguments.league, &arguments.folders)?;
    if let Some(sweep) = arguments.sweep(league.sweep.as_ref())? {
        return run_sweep(arguments, &sweep, league, end);
    }
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| store::default_path(&arguments.league, arguments.part()));
    run_league(arguments, league, None, &path, end)
}

/// Plays one league for each value of a sweep, and reports on all of them. `league` is the file,
/// which has been loaded for the first league.
fn run_sweep(
    arguments: &Arguments,
    sweep: &OptionSweep,
    league: LoadedLeague,
    end: Option<SystemTime>,
) -> CommandResult {
    // Report an invalid value before the first league is played.
    league.check(sweep)?;
    let stores = sweep.stores(&arguments.league);
    let mut first = Some(league);
    for (number, path) in stores.iter().enumerate() {
        // The file is loaded again for each league, because a bot may have changed meanwhile.
        let league = match first.take() {
            Some(league) => league,
            None => LoadedLeague::load(&arguments.league, &arguments.folders)?,
        };
        let league = league.select(sweep, number)?;
        let setting = sweep.setting(number);
        match run_league(arguments, league, Some(setting.as_str()), path, end)? {
            Outcome::Done => {}
            other => return Ok(other),
        }
    }
    if !(arguments.dry_run || arguments.json || arguments.no_report) {
        let page = sweep.report_path(&arguments.league);
        super::report::after_runs(&stores, &page)?;
        arguments.tell(format_args!("{}: report on all leagues", page.display()));
    }
    Ok(Outcome::Done)
}

/// Plays a league until the time `end`, with the store `path`. `setting` is the option and value of
/// a league of a sweep.
fn run_league(
    arguments: &Arguments,
    league: LoadedLeague,
    setting: Option<&str>,
    path: &Path,
    end: Option<SystemTime>,
) -> CommandResult {
    let ready = league.prepare(PrepareOptions {
        blocks: arguments.blocks,
        is_dry_run: arguments.dry_run,
        quiet: arguments.quiet,
    })?;
    check_part(arguments, &ready.prepared.schedule)?;
    if arguments.dry_run {
        let dry_run = DryRun {
            file: &arguments.league,
            identity: &ready.identity,
            setting,
            path,
            part: arguments.part(),
            is_restart: arguments.restart,
        };
        return output::print(&dry_run.describe()?);
    }
    let mut writer = open_store(arguments, &ready, path)?;
    let options = RunOptions {
        threads: match arguments.jobs {
            Some(threads) => threads as usize,
            // Every thread needs one client per entrant. If clients are started outside Hattari,
            // only one of each is known to exist.
            None if ready.bots.iter().any(EntrantBot::is_started_externally) => 1,
            None => hattari_study::threads(None),
        },
        part: arguments.part().clone(),
    };
    let stop = signals::stop_flag()?;
    let mut deadline = Deadline::new(end, &stop);
    let played = play(
        &ready,
        &mut writer,
        &options,
        &mut deadline,
        arguments.is_quiet(),
    );
    let is_late = deadline.is_reached;
    let outputs: Vec<(usize, &str)> = ready
        .prepared
        .seats
        .iter()
        .enumerate()
        .filter_map(|(entrant, seat)| Some((entrant, seat.bot.first_output()?)))
        .collect();
    for &(entrant, text) in &outputs {
        let name = &ready.identity.league.entrants[entrant].name;
        arguments.tell(format_args!("output of `{name}`: {text}"));
    }
    let (run_end, progress) = match played {
        Ok(played) => played,
        Err(error) => {
            // If the disk is full, this fails too; report the first error.
            _ = writer.end_run(&error.to_string());
            return Err(error.into());
        }
    };
    arguments.tell(summary(&progress, options.threads));
    for (entrant, text) in outputs {
        writer.store_output(entrant, text)?;
    }
    let is_finished = run_end == RunEnd::Finished;
    writer.end_run(if is_finished {
        "finished"
    } else {
        "interrupted"
    })?;
    let (blocks, planned, digest) =
        tell_end(arguments, &ready, writer.store(), is_finished, is_late)?;
    drop(writer);
    if arguments.json {
        let line = json!({
            "store": path, "finished": is_finished, "played": progress.blocks,
            "deals": progress.deals, "faults": progress.faults,
            "seconds": progress.elapsed.as_secs_f64(), "blocks": blocks, "planned": planned,
            "digest": format!("{digest:016x}"),
        });
        output::print(&format!("{line}\n"))?;
    } else if !arguments.no_report {
        report(arguments, &ready, path, is_finished)?;
    }
    Ok(if is_finished || is_late {
        Outcome::Done
    } else {
        Outcome::Interrupted
    })
}

/// Prints why the run ended, and what the store contains. Returns the number of stored blocks, the
/// number of planned blocks, and the digest.
fn tell_end(
    arguments: &Arguments,
    ready: &PreparedRun,
    store: &Store,
    is_finished: bool,
    is_late: bool,
) -> anyhow::Result<(u64, u64, u64)> {
    if !is_finished {
        let reason = if is_late {
            "time limit reached"
        } else {
            "interrupted"
        };
        arguments.tell(format_args!(
            "{reason}; run the same command again to continue"
        ));
    } else if ready.identity.league.sequential.is_some() {
        arguments.tell(match *arguments.part() {
            Part::WHOLE => "the stopping rule needs no more blocks",
            _ => {
                "a part plays all its blocks: `hattari cluster merge` applies the stopping rule to \
                all parts"
            }
        });
    }
    let (digest, blocks) = store.digest()?;
    let planned = store.schedule.jobs();
    arguments.tell(format_args!(
        "{}: {} of {} blocks, digest {digest:016x}",
        store.path().display(),
        grouped(blocks),
        grouped(planned)
    ));
    Ok((blocks, planned, digest))
}

/// Returns an error if the schedule cannot be divided into the requested parts, or has no such
/// part.
fn check_part(arguments: &Arguments, schedule: &Schedule) -> anyhow::Result<()> {
    let is_known_beforehand = !schedule.plays_in_rounds();
    ensure!(
        is_known_beforehand || matches!(arguments.part(), &Part::WHOLE | Part::Pairings(_)),
        "{}: the format plays in rounds, so the league cannot be split beforehand; split the \
        remaining work with `hattari cluster plan`, and play its units with --unit",
        arguments.league.display()
    );
    if let Part::Unit(ranges) = arguments.part() {
        let (jobs, last) = (schedule.jobs(), ranges.last().map_or(0, |(_, last)| *last));
        ensure!(
            last < jobs,
            "--unit: the league has no block {last}; its blocks have the numbers 0 to {}. Plan \
            again with this league file (`hattari cluster plan`)",
            jobs.saturating_sub(1)
        );
    }
    Ok(())
}

/// Opens the store for writing. Prints where the bots run and how many blocks are stored.
fn open_store(
    arguments: &Arguments,
    ready: &PreparedRun,
    path: &Path,
) -> anyhow::Result<StoreWriter> {
    if let Some(line) = ready.isolated.summary() {
        arguments.tell(line);
    }
    // This warning is also shown with `--quiet`.
    ready.isolated.warn();
    if arguments.restart {
        store::remove(path)?;
    }
    let (writer, is_new) = StoreWriter::open(path, &ready.identity, &ready.source)?;
    if !is_new {
        let store = writer.store();
        let stored = grouped(store.blocks_played()?);
        let planned = counted(store.schedule.jobs(), "block");
        arguments.tell(format_args!("{stored} of {planned} are already stored"));
        for note in unused_block_notes(store)? {
            arguments.tell(note);
        }
    }
    Ok(writer)
}

/// Writes the page of a league. Prints the short report if the league is finished.
fn report(
    arguments: &Arguments,
    ready: &PreparedRun,
    path: &Path,
    is_finished: bool,
) -> anyhow::Result<()> {
    let store = Store::read(path)?;
    let played = ready.prepared.as_played(&store);
    let page = super::report::after_run(&store, played, is_finished)?;
    drop(store);
    if let Some(page) = page {
        arguments.tell(format_args!("{}: report with figures", page.display()));
    }
    arguments.tell(format_args!(
        "`hattari report {}` prints the full report",
        shell(&path.to_string_lossy())
    ));
    if arguments.demo && !arguments.is_quiet() {
        output::print(&demo::next_steps(&ready.bots))?;
    }
    Ok(())
}

/// Plays the remaining blocks.
fn play(
    ready: &PreparedRun,
    writer: &mut StoreWriter,
    options: &RunOptions,
    deadline: &mut Deadline<'_>,
    is_quiet: bool,
) -> Result<(RunEnd, Progress), RunError> {
    let threads = u32::try_from(options.threads).unwrap_or(u32::MAX);
    writer.begin_run(threads, &options.part)?;
    deadline.check(SystemTime::now());
    let stop = deadline.stop;
    let mut observer = LastProgress {
        inner: progress::observer(is_quiet),
        last: Progress::default(),
        unstarted: Vec::new(),
        deadline,
    };
    let game = ready.prepared.game().expect("the options were checked");
    let context = RunContext {
        game: &*game,
        league: &ready.identity.league,
        seats: &ready.prepared.seats,
        options,
        stop,
    };
    let end = context.run(writer, &mut observer)?;
    let schedule = &writer.store().schedule;
    warn_of_unstarted(&observer.unstarted, schedule, context.league);
    Ok((end, observer.last))
}

/// Warns of entrants that could not be started in some blocks, also with `--quiet`. A start before
/// the league does not try the settings of programs.
fn warn_of_unstarted(unstarted: &[(JobId, u8)], schedule: &Schedule, league: &League) {
    // Copies of an entrant at a table count once.
    let mut blocks: BTreeMap<usize, BTreeSet<JobId>> = BTreeMap::new();
    for (job, place) in unstarted {
        let entrant = schedule.line_ups[job.line_up as usize][usize::from(*place)];
        blocks.entry(entrant).or_default().insert(*job);
    }
    for (entrant, blocks) in blocks {
        let name = &league.entrants[entrant].name;
        let count = counted(blocks.len() as u64, "block");
        tracing::warn!("{name} could not be started in {count} of this run");
    }
}

/// An observer that checks the deadline, and keeps the latest progress and failed starts.
struct LastProgress<'d, 's> {
    inner: Box<dyn RunObserver>,
    last: Progress,
    /// The blocks and places of bots that could not be started.
    unstarted: Vec<(JobId, u8)>,
    deadline: &'d mut Deadline<'s>,
}

impl RunObserver for LastProgress<'_, '_> {
    fn progress(&mut self, progress: &Progress) {
        self.deadline.check(SystemTime::now());
        self.last = *progress;
        self.inner.progress(progress);
    }

    fn record(&mut self, record: &Record) {
        let faults = record.faults.iter();
        let starts = faults.filter(|fault| fault.kind == FaultKind::Start);
        self.unstarted
            .extend(starts.map(|fault| (record.job, fault.entrant)));
    }
}

/// Returns a line that summarizes a run.
fn summary(progress: &Progress, threads: usize) -> String {
    if progress.blocks_planned == 0 {
        return "nothing is left to play".to_owned();
    }
    let seconds = progress.elapsed.as_secs_f64();
    let speed = progress.deals as f64 / seconds.max(1e-3);
    let speed = progress::rounded(speed);
    let blocks = counted(progress.blocks, "block");
    let deals = counted(progress.deals, "deal");
    let threads = counted(threads as u64, "thread");
    let faults = counted(progress.faults, "fault");
    format!("played {blocks} ({deals}) in {seconds:.1} s: {speed} deals/s on {threads}; {faults}")
}
