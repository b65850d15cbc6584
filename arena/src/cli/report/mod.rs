//! `hattari report`.

mod edits;
mod play;
mod review;
mod scores;
mod versions;

use super::folders::Folders;
use super::options::choice;
use super::{CommandResult, Outcome, deadline, output};
use anyhow::{Context, anyhow, bail, ensure};
use clap::builder::TypedValueParser;
use hattari_agents::text::{counted, joined, shell, suggestion};
use hattari_play::league::{League, OptionSweep};
use hattari_play::pack;
use hattari_play::prepared::{PrepareError, PreparedLeague};
use hattari_play::samples::Samples;
use hattari_play::session::{Session, is_store};
use hattari_play::store::Store;
use hattari_report::numbers::parse_date;
use hattari_report::replay::pick::{self, PickedGames};
use hattari_report::report::{Report, ReportFormat, figure_files};
use hattari_report::standings::{About, ReportOptions, Standings, of_store, standings};
use hattari_stats::Correction;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) use edits::{edit_warning, warn_of_edits};

const EXAMPLES: &str = "\
An unfinished league is reported with the blocks played so far, and the report says what is \
missing. All tests are on blocks. The single-deal test is printed next to them, with a label. It \
is a t-test on single deals, as in the study of play styles by Satō and Itō.

A table of scores as CSV has a header line: a column `block`, then one column of scores per bot. \
Rows with the same block are averaged within the block, because scores within a block may depend \
on each other; the tests are on blocks. If rows are independent, give each row its own block. An \
optional column `cluster` tells which blocks were dealt the same cards: they count as one \
observation together, however many there are. An empty cell (or NA) means that the bot did not \
play in that row.

Examples:
  hattari report leagues/demo.yaml
  hattari report leagues/demo.yaml --html        write a page with figures: leagues/demo.html
  hattari report mine.yaml --html --review mine:base    with a section on why they differ
  hattari report leagues/table1.yaml --per-line-up --pairs all,single
  hattari report leagues/table1.yaml --format markdown --output table1.md
  hattari report leagues/holdem.yaml --play      with statistics of play
  hattari report mine.yaml --at 2026-11-20       the report as it was at the end of this day
  hattari report leagues/table1.yaml --format latex --output table1.tex --figures figures
  hattari report x.stack=1000.sqlite x.stack=5000.sqlite    does the difference of two bots depend on the stack?
  hattari report leagues/table1.sqlite --format csv --output table1-csv
  hattari report leagues/table1.yaml --format json | jq '.pairs[] | [.a, .b, .verdict.text]'
  hattari report scores.csv                      the same tests on your own scores
  printf 'block,ada,bob\\n1,3,2\\n1,5,1\\n2,2,4\\n3,4,1\\n' | hattari report --scores -

Exit codes: 0 reported, 2 nothing to report, or wrong arguments.";

/// Returns the parser for the name of a report format. `md` is another name for Markdown.
fn format_parser() -> impl TypedValueParser<Value = ReportFormat> {
    let mut formats = ReportFormat::NAMED.to_vec();
    formats.push(("md", "", ReportFormat::Markdown));
    choice(&formats)
}

/// Report the results of a league so far, or test scores from a CSV file
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The league, or its store; or scores as CSV (see --scores). If the league has a `sweep`, the
    /// report is on all its leagues.
    #[arg(value_name = "LEAGUE.yaml|LEAGUE.hattari|STORE.sqlite|SCORES.csv")]
    file: PathBuf,
    /// More leagues: the report then shows the differences of each pair in all leagues and tests
    /// whether they depend on the league (not in csv).
    #[arg(value_name = "LEAGUE", conflicts_with_all = ["scores", "store", "versions"])]
    others: Vec<PathBuf>,
    /// Read FILE as a table of scores in CSV, regardless of its name; `-` reads standard input.
    #[arg(long, conflicts_with_all = ["store", "versions", "without_luck"])]
    scores: bool,
    /// The store of the league (default: next to the league, with the same name).
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Format of the report (default: by the extension of --output (.html, .md, .json, .tex),
    /// otherwise terminal).
    #[arg(long, value_parser = format_parser())]
    format: Option<ReportFormat>,
    /// Write a page with figures (default: a file next to the store of the league, see --output).
    #[arg(long, conflicts_with = "format")]
    html: bool,
    /// Output file, or output folder for csv (default: standard output).
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Also write every figure of the page as an SVG file into this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "versions")]
    figures: Option<PathBuf>,
    /// Count only blocks that were stored up to this time in UTC: a date, which includes the whole
    /// day, or a date and a time as in 2026-11-20T12:30.
    #[arg(long, value_name = "DATE", value_parser = end, conflicts_with_all = ["scores", "versions", "review"])]
    at: Option<i64>,
    #[command(flatten)]
    tests: TestOptions,
    /// Also print the score ratio a / (a + b) of every pair (not in csv and latex).
    #[arg(long)]
    score_ratio: bool,
    /// Also print every line-up, in terminal and markdown (json and csv always contain them).
    #[arg(long)]
    per_line_up: bool,
    /// Show only the pairs among these bots, or the pairs of a single bot with all others; p values
    /// stay adjusted for all pairs.
    #[arg(long, value_name = "BOT,BOT,…", value_delimiter = ',')]
    pairs: Vec<String>,
    /// Instead of the league, compare the stored versions of this entrant on the deals that they
    /// have in common.
    #[arg(long, value_name = "BOT", conflicts_with_all = ["pairs", "per_line_up", "without_luck"])]
    versions: Option<String>,
    /// Add a review of the entrant OF to the page: which of its decisions make the difference to the
    /// entrant BY, over 10,000 games. The full review is written to a file next to the page.
    #[arg(long, value_name = "OF:BY", conflicts_with_all = ["scores", "versions"])]
    review: Option<String>,
    /// Add statistics of play, such as VPIP in poker or the score by title in daihinmin, and the
    /// numbers that bots log (not in csv and latex). Replays all stored blocks.
    #[arg(long, conflicts_with_all = ["scores", "versions"])]
    play: bool,
    /// Time limit in seconds to replay games for a page; 0 for a page without games.
    #[arg(long, value_name = "SECONDS", default_value_t = REPLAY_SECONDS)]
    replays: u32,
    #[command(flatten)]
    folders: Folders,
}

impl Arguments {
    /// Returns the requested format, or the format for the extension of the output.
    fn format(&self) -> ReportFormat {
        if self.html {
            return ReportFormat::Html;
        }
        self.format
            .unwrap_or_else(|| ReportFormat::of_file(self.output.as_deref()))
    }

    /// Returns `true` for a format that contains all results, for programs.
    fn is_data(&self) -> bool {
        matches!(self.format(), ReportFormat::Json | ReportFormat::Csv)
    }

    /// Prints a report on `samples`. Scores are in points per `unit`. If they come from a store, its
    /// league has the settings, and cautions are added.
    fn report_samples(
        &self,
        samples: &Samples,
        title: String,
        unit: &'static str,
        store: Option<&Store>,
    ) -> CommandResult {
        ensure!(
            !self.html || self.output.is_some(),
            "--html needs --output FILE for a report on scores or versions"
        );
        let options = ReportOptions {
            score_ratio: self.score_ratio,
            for_readers: !self.is_data(),
            ..self.tests.report_options()
        };
        let settings = options.settings(store.map(|store| &store.league().report));
        let about = About {
            command: options.command,
            title,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            unit,
            score: "points",
            league: None,
        };
        let mut standings = standings(samples, about, settings, None, None)?;
        if let Some(store) = store {
            versions::add_cautions(&mut standings, store);
        }
        let report = Report {
            standings: &standings,
            samples,
            replays: None,
        };
        self.write_figures(&report)?;
        report.write(self.format(), self.output.as_deref(), false)?;
        Ok(Outcome::Done)
    }

    /// Returns an error if an option is given that a table of scores cannot have.
    fn refuse_options_of_leagues(&self) -> anyhow::Result<()> {
        for (option, is_given) in [
            ("another file", !self.others.is_empty()),
            ("--store", self.store.is_some()),
            ("--at", self.at.is_some()),
            ("--without-luck", self.tests.without_luck),
            ("--per-line-up", self.per_line_up),
            ("--pairs", !self.pairs.is_empty()),
            ("--versions", self.versions.is_some()),
            ("--play", self.play),
            ("--review", self.review.is_some()),
        ] {
            ensure!(
                !is_given,
                "{option} needs a league, and {} is a table of scores",
                self.file.display()
            );
        }
        Ok(())
    }

    /// Returns an error if an option is given that the format of the report does not show.
    /// `several` is `true` for a report on several leagues.
    fn refuse_options_without_effect(&self, several: bool) -> anyhow::Result<()> {
        const SECTIONS: &str = "terminal, json, markdown and html";
        let format = self.format();
        let is_csv = format == ReportFormat::Csv;
        let is_brief = is_csv || format == ReportFormat::Latex;
        let no_line_ups = format == ReportFormat::Html || format == ReportFormat::Latex;
        for (option, is_ignored, formats) in [
            ("--play", self.play && is_brief, SECTIONS),
            ("--score-ratio", self.score_ratio && is_brief, SECTIONS),
            (
                "--per-line-up",
                self.per_line_up && no_line_ups,
                "terminal, markdown, json and csv",
            ),
            (
                "the comparison of several leagues",
                several && is_csv,
                "terminal, json, markdown, html and latex; a report in csv is on one league or store",
            ),
        ] {
            let name = ReportFormat::NAMED
                .iter()
                .find(|named| named.2 == format)
                .map_or("", |named| named.0);
            ensure!(
                !is_ignored,
                "{option} is not part of a report in {name}; formats that have it: {formats}"
            );
        }
        Ok(())
    }

    /// Opens the leagues of the file. Also returns its sweep, if there is one.
    fn leagues(&self) -> anyhow::Result<(Vec<Session>, Option<OptionSweep>)> {
        if self.store.is_none() && self.versions.is_none() {
            return leagues_of(&self.file);
        }
        let league = Session::open(&self.file, self.store.as_deref())?;
        Ok((vec![league], None))
    }

    /// Writes the figures if a folder is given.
    fn write_figures(&self, report: &Report<'_>) -> anyhow::Result<()> {
        if let Some(folder) = &self.figures {
            let files = figure_files::write(folder, report).with_context(|| {
                format!("the figures in {} cannot be written", folder.display())
            })?;
            let files = counted(files as u64, "figure");
            output::tell(format_args!("{}: {files} written", folder.display()));
        }
        Ok(())
    }
}

/// The options of the statistical tests.
#[derive(clap::Args, Debug, Default)]
pub(super) struct TestOptions {
    /// Confidence level of intervals; the significance level of tests is 1 minus it (default: that
    /// of the league).
    #[arg(long, value_name = "LEVEL", value_parser = confidence)]
    confidence: Option<f64>,
    /// Adjustment of p values for the number of comparisons (default: that of the league).
    #[arg(long, value_parser = choice(CORRECTIONS))]
    correction: Option<Correction>,
    /// Margin of equivalence in points per deal: bots are equal if their difference is
    /// significantly smaller (default: that of the league).
    #[arg(long, value_name = "POINTS", value_parser = positive_points)]
    equal_within: Option<f64>,
    /// Use luck-adjusted scores; the section "Luck" shows both.
    #[arg(long)]
    without_luck: bool,
}

impl TestOptions {
    /// Returns report options with these settings and defaults for the others.
    pub(super) fn report_options(&self) -> ReportOptions {
        ReportOptions {
            confidence: self.confidence,
            correction: self.correction,
            equal_within: self.equal_within,
            without_luck: self.without_luck,
            command: command_line(),
            omitted_folder: std::env::current_dir().ok(),
            ..ReportOptions::default()
        }
    }
}

/// Number of seconds of a day.
const SECONDS_OF_DAY: i64 = 86_400;
/// Default time limit for replaying games, in seconds.
const REPLAY_SECONDS: u32 = 5;

/// The values of `--correction`.
const CORRECTIONS: &[(&str, &str, Correction)] = &[
    (
        "max-t",
        "Largest t statistic under random sign flips, if all pairs share their blocks or deals; \
         otherwise Holm",
        Correction::MaxT,
    ),
    (
        "holm",
        "Holm: controls the probability of any false claim",
        Correction::Holm,
    ),
    ("none", "No adjustment", Correction::None),
];

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let is_table = arguments
        .file
        .extension()
        .is_some_and(|ending| ending == "csv");
    if arguments.scores || is_table {
        arguments.refuse_options_of_leagues()?;
        arguments.refuse_options_without_effect(false)?;
        return scores::main(arguments);
    }
    let (mut leagues, sweep) = arguments.leagues()?;
    let several = leagues.len() > 1 || !arguments.others.is_empty();
    arguments.refuse_options_without_effect(several)?;
    let (league, mut store) = open(leagues.remove(0), arguments.at)?;
    if let Some(name) = &arguments.versions {
        return versions::main(arguments, &store, name);
    }
    let format = arguments.format();
    let options = ReportOptions {
        score_ratio: arguments.score_ratio,
        for_readers: arguments.pairs.is_empty() && !arguments.is_data(),
        ..arguments.tests.report_options()
    };
    let file: &Path = match &sweep {
        Some(_) => store.path(),
        None => &arguments.file,
    };
    warn_of_edits(file, &store, league.as_ref(), &arguments.folders.folders)?;
    let (mut standings, samples) = of_store(&store, league.as_ref(), &options)?;
    for file in &arguments.others {
        leagues.extend(leagues_of(file)?.0);
    }
    let mut others = Vec::new();
    for league in leagues {
        let (league, store) = open(league, arguments.at)?;
        let folders = &arguments.folders.folders;
        warn_of_edits(store.path(), &store, league.as_ref(), folders)?;
        others.push(of_store(&store, league.as_ref(), &options)?.0);
    }
    compare(&mut standings, &others)?;
    if arguments.play {
        let folders = &arguments.folders.folders;
        play::add(&mut standings, &samples, &mut store, folders)?;
    }
    if !arguments.pairs.is_empty() {
        check_pairs(&arguments.pairs, &standings)?;
        standings.keep_pairs(&arguments.pairs);
    }
    let is_page = format == ReportFormat::Html;
    let picked = is_page
        .then(|| {
            let prepared = PreparedLeague::of_store(&store, &arguments.folders.folders);
            pick_games(prepared, &store, &standings, &samples, arguments.replays)
        })
        .flatten();
    let report = Report {
        standings: &standings,
        samples: &samples,
        replays: picked.as_ref(),
    };
    arguments.write_figures(&report)?;
    let page = arguments.output.clone().unwrap_or_else(|| match &sweep {
        Some(sweep) if arguments.others.is_empty() => sweep.report_path(&arguments.file),
        _ => page_of(store.path(), &arguments.others),
    });
    if let Some(pair) = &arguments.review {
        ensure!(is_page, "--review adds a section to a page: add --html");
        return review::main(pair, &store, &arguments.folders.folders, &report, &page);
    }
    if arguments.html {
        report.write(ReportFormat::Html, Some(&page), false)?;
        output::tell(format_args!("{}: written", page.display()));
        return Ok(Outcome::Done);
    }
    report.write(format, arguments.output.as_deref(), arguments.per_line_up)?;
    Ok(Outcome::Done)
}

/// Returns the leagues of a file: one, or one for each value of its `sweep`. Also returns the
/// sweep, if there is one.
fn leagues_of(file: &Path) -> anyhow::Result<(Vec<Session>, Option<OptionSweep>)> {
    let (leagues, sweep) = Session::open_all(file)?;
    if let Some(missing) = sweep
        .as_ref()
        .map(|sweep| sweep.stores(file))
        .unwrap_or_default()
        .into_iter()
        .find(|store| !store.exists())
    {
        bail!(
            "there is no store `{}`: `hattari run {}` plays its league",
            missing.display(),
            shell(&file.to_string_lossy())
        );
    }
    Ok((leagues, sweep))
}

/// Maximum length of the name of a page on several leagues, in bytes.
const PAGE_NAME_MAX: usize = 200;

/// Returns the default path of the page on the league of `store` and the leagues `others`, next to
/// the store. A page on several leagues has all their names, so that it does not replace the page
/// on one of them.
fn page_of(store: &Path, others: &[PathBuf]) -> PathBuf {
    let stem = |path: &Path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    if others.is_empty() {
        return store.with_extension("html");
    }
    let mut name = stem(store);
    let names: String = others
        .iter()
        .map(|other| format!("+{}", stem(other)))
        .collect();
    if name.len() + names.len() > PAGE_NAME_MAX {
        name += &format!("+{}", others.len());
    } else {
        name += &names;
    }
    store.with_file_name(name + ".html")
}

/// Opens the store of a league, with the blocks that were stored up to the time `until`. Also
/// returns the league as its file defines it now; `None` if only the store was named.
fn open(league: Session, until: Option<i64>) -> anyhow::Result<(Option<League>, Store)> {
    let (league, store) = league.into_stored()?;
    let store = match until {
        Some(time) => store.until(time)?,
        None => store,
    };
    Ok((league, store))
}

/// Adds a comparison with other leagues, if there are any, to `standings`.
fn compare(standings: &mut Standings, others: &[Standings]) -> anyhow::Result<()> {
    if !others.is_empty() {
        let compared = standings.compare_with(others);
        compared.map_err(|reason| anyhow!("the leagues cannot be compared: {reason}"))?;
    }
    Ok(())
}

/// Prints the short report on the stores of a sweep after `hattari run`, and writes their page.
pub(super) fn after_runs(stores: &[PathBuf], page: &Path) -> anyhow::Result<()> {
    let Some((first, others)) = stores.split_first() else {
        return Ok(());
    };
    let options = ReportOptions {
        for_readers: true,
        ..TestOptions::default().report_options()
    };
    let (mut standings, samples) = of_store(&Store::read(first)?, None, &options)?;
    let others: Vec<Standings> = others
        .iter()
        .map(|store| Ok(of_store(&Store::read(store)?, None, &options)?.0))
        .collect::<anyhow::Result<_>>()?;
    compare(&mut standings, &others)?;
    let report = Report {
        standings: &standings,
        samples: &samples,
        replays: None,
    };
    report.print_brief()?;
    report.write(ReportFormat::Html, Some(page), false)?;
    Ok(())
}

/// Replays games for a page, for at most this number of seconds. If that fails, logs a warning and
/// returns `None`.
fn pick_games(
    prepared: Result<PreparedLeague, PrepareError>,
    store: &Store,
    standings: &Standings,
    samples: &Samples,
    seconds: u32,
) -> Option<PickedGames> {
    let time = Duration::from_secs(seconds.into());
    pick::for_page(prepared, store, standings, samples, time)
        .map_err(|error| tracing::warn!("the page contains no games: {error:#}"))
        .ok()
}

/// Writes the page of a store after `hattari run`, and prints the short report if `to_terminal`.
/// Returns the path of the page. If it cannot be written, logs a warning and returns `None`,
/// because the results are stored.
///
/// # Errors
/// Returns an error if the store cannot be read or stdout cannot be written.
pub(super) fn after_run(
    store: &Store,
    prepared: PreparedLeague,
    to_terminal: bool,
) -> anyhow::Result<Option<PathBuf>> {
    let options = ReportOptions {
        for_readers: true,
        ..TestOptions::default().report_options()
    };
    let (standings, samples) = of_store(store, Some(&prepared.league), &options)?;
    let picked = pick_games(Ok(prepared), store, &standings, &samples, REPLAY_SECONDS);
    let report = Report {
        standings: &standings,
        samples: &samples,
        replays: picked.as_ref(),
    };
    let page = store.path().with_extension("html");
    let written = report.write(ReportFormat::Html, Some(&page), false);
    if to_terminal {
        report.print_brief()?;
    }
    match written {
        Ok(()) => Ok(Some(page)),
        Err(error) => {
            tracing::warn!("the page was not written: {error}");
            Ok(None)
        }
    }
}

/// Returns the command line, quoted for a shell.
fn command_line() -> String {
    let arguments = std::env::args_os()
        .skip(1)
        .map(|argument| shell(&argument.to_string_lossy()));
    joined(std::iter::once("hattari".to_owned()).chain(arguments), " ")
}

/// Returns an error if `names`, the value of `--pairs`, has an unknown bot or one bot twice.
fn check_pairs(names: &[String], standings: &Standings) -> anyhow::Result<()> {
    let known = || standings.bots.iter().map(|bot| bot.name.as_str());
    for name in names {
        ensure!(
            known().any(|known| known == name),
            "--pairs: there is no bot `{name}` in this league; {}",
            suggestion(name, "bots", known().collect::<Vec<_>>())
        );
    }
    for (index, name) in names.iter().enumerate() {
        ensure!(
            !names[..index].contains(name),
            "--pairs: `{name}` is given twice; name different bots, or one bot to see its pairs \
             with all others"
        );
    }
    Ok(())
}

/// Returns `true` if `file` is a store or has the extension of a league or pack.
pub(super) fn is_league_or_store(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["yaml", "yml", pack::EXTENSION].contains(&ending))
        || is_store(file)
}

/// Parses a confidence level, above 0.5 and below 1.
fn confidence(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(level) if 0.5 < level && level < 1.0 => Ok(level),
        Ok(level) if 50.0 < level && level < 100.0 => {
            Err(format!("give {level} % as {}", level / 100.0))
        }
        _ => Err("give a confidence level above 0.5 and below 1, as in 0.95".to_owned()),
    }
}

/// Parses a time in UTC. Returns the end of the day for a date.
fn end(text: &str) -> Result<i64, String> {
    let seconds = parse_date(text).ok_or(deadline::TIME_FORM)?;
    let is_date = !text.contains(':');
    Ok(seconds + if is_date { SECONDS_OF_DAY - 1 } else { 0 })
}

/// Parses a number of points above 0.
pub(super) fn positive_points(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|points| points.is_finite() && *points > 0.0)
        .ok_or_else(|| "give a number above 0, as in 0.05".to_owned())
}
