//! `hattari check`.

mod mutants;
mod mutate;
mod stages;
mod tokens;

use self::stages::Stages;
use super::folders::Folders;
use super::options::{choice, config};
use super::{CommandResult, Outcome, output};
use crate::watch::WatchOptions;
use anyhow::{Context, bail, ensure};
use hattari_agents::agent::Isolation;
use hattari_agents::games;
use hattari_play::catalogue::{AgentSpec, Catalogue, FoundBot, FoundForGames};
use hattari_play::check::{self, CheckPlan, CheckReport, Finding, Grade, Speed};
use hattari_play::league::Budget;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check a bot for faults, speed and determinism
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The bot plays several line-ups: against itself, and against built-in agents. Everything is \
played again in reverse order and on two threads at once: a bot must make the same decisions \
whatever it played before and whatever runs in parallel. A built-in compiled bot runs in this \
process, where a crash ends the check. A bot in a library runs in a separate process, where a \
crash is a fault; the limits that apply there are listed.

Examples:
  hattari check cautious                                    a bot by name
  hattari check bots/c/libcautious.so#cautious              by path
  hattari check scripts/daihinmin/mine.lua --config '{\"greed\": 0.3}'
  hattari check mine/mine.lua --mutate                      which lines of the script matter
  hattari check --self-test                                 test the limits and the sandbox of this machine
  hattari check cautious --budget-ms 5 --time 60            with a time limit for decisions, for a minute

Exit codes: 0 no errors (warnings are allowed), 1 at least one check failed, 2 unknown bot, bot \
that needs --trust, or wrong usage.")]
pub(super) struct Arguments {
    /// Bots, by name or path as in a league
    #[arg(
        required_unless_present = "self_test",
        conflicts_with = "self_test",
        value_name = "BOT"
    )]
    bots: Vec<String>,
    /// Check only this game (default: every game that the bot plays)
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Preset of the rules
    #[arg(long)]
    preset: Option<String>,
    /// Config of the bot, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}")]
    config: String,
    /// Number of blocks per line-up
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    blocks: u32,
    /// Number of deals per block (default: as many as the time allows, at most 1000)
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    deals: Option<u32>,
    /// Approximate duration of the check in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    time: Duration,
    /// Time limit per decision in milliseconds; a longer decision is a fault. Not for scripts, which
    /// are limited by steps
    #[arg(long, value_name = "MS")]
    budget_ms: Option<f64>,
    /// Process in which a compiled bot runs (default: this process for built-in bots, a separate
    /// process for libraries). `process` also runs a program bot in a sandbox, which needs no
    /// --trust
    #[arg(long, value_parser = choice(ISOLATIONS))]
    isolation: Option<Isolation>,
    /// Memory limit in MiB of a compiled bot in a separate process, or of a program
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    memory_mb: Option<u64>,
    /// Number of threads that a compiled bot in a separate process may start
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=64))]
    threads: u32,
    /// Random seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play mutants of a Lua script, copies with one small change, against the script, in --deals
    /// deals each (default: 400; games with duplicate deals play each in every rotation): shows
    /// which code affects the result
    #[arg(long, conflicts_with_all = ["self_test", "blocks", "time", "budget_ms", "isolation", "memory_mb", "threads"])]
    mutate: bool,
    /// With --mutate: also write the mutants to this folder, as SCRIPT-NUMBER.lua, and copies of the
    /// files that they require
    #[arg(long, value_name = "DIR", requires = "mutate")]
    save: Option<PathBuf>,
    /// Test the limits and the sandbox of this machine with faulty bots; needs a C compiler
    #[arg(long)]
    self_test: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

impl Arguments {
    /// Returns the time limit per decision in microseconds; 0 if there is none.
    fn budget_us(&self) -> anyhow::Result<i64> {
        let Some(budget_ms) = self.budget_ms else {
            return Ok(0);
        };
        ensure!(
            0.0 < budget_ms && budget_ms < 3_600_000.0,
            "--budget-ms: give a number above 0 and below 3600000"
        );
        #[expect(clippy::cast_possible_truncation, reason = "bounded above")]
        let budget_us = (budget_ms * 1000.0).ceil() as i64;
        Ok(budget_us)
    }

    /// Checks that the bot uses all options for limits.
    ///
    /// # Errors
    /// Returns an error with an option that has no effect on a script or a WebAssembly module.
    fn refuse_unused(&self, bot: &FoundBot) -> anyhow::Result<()> {
        if bot.isolation.is_some() {
            return Ok(());
        }
        let is_script = bot.kind.name() == "script";
        let given = [
            ("--isolation", self.isolation.is_some()),
            ("--threads", self.threads > 0),
            ("--memory-mb", is_script && self.memory_mb.is_some()),
            ("--budget-ms", is_script && self.budget_ms.is_some()),
        ];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
            bail!(
                "{option} has no effect on `{}`: {} runs in a sandbox with its own limits. Leave out \
                the option",
                bot.name,
                bot.kind.file_term()
            );
        }
        Ok(())
    }
}

/// Maximum of `--time` in seconds: eleven days.
const SECONDS_MAX: f64 = 1e6;

/// Parses the option `--time`.
fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.0..=SECONDS_MAX).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("it must be a number of seconds from 0 to {SECONDS_MAX}"))
}

/// The values of `--isolation`.
const ISOLATIONS: &[(&str, &str, Isolation)] = &[
    ("process", "In a separate process", Isolation::Process),
    ("none", "In this process", Isolation::None),
];

/// The results of checking a bot in one game.
#[derive(Serialize)]
struct BotCheck {
    bot: FoundBot,
    game: String,
    #[serde(flatten)]
    report: CheckReport,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    if arguments.self_test {
        return self_test(arguments.json);
    }
    let config = config(&arguments.config)?;
    let budget_us = arguments.budget_us()?;
    let budget = Budget {
        decision_us: u64::try_from(budget_us).ok().filter(|us| *us > 0),
        memory_mb: arguments.memory_mb,
        ..Budget::default()
    };
    let spec = AgentSpec {
        budget,
        isolation: arguments.isolation,
        threads: arguments.threads,
    };
    let catalogue = arguments.folders.catalogue(None)?;
    if arguments.mutate {
        return play_mutants(arguments, &catalogue, &config);
    }
    let stages = Stages::new(arguments.json);
    let mut checked = Vec::new();
    let mut add = |result: BotCheck| {
        if !arguments.json {
            output::print(&text(&result))?;
        }
        checked.push(result);
        anyhow::Ok(())
    };
    for name in &arguments.bots {
        let found = find(&catalogue, name, arguments.game.as_deref())?;
        let declaring = found.bots[0].1.clone();
        arguments.refuse_unused(&declaring)?;
        for (game, bot) in found.bots {
            let plan = CheckPlan {
                game: game.id.to_owned(),
                preset: arguments.preset.clone(),
                config_json: arguments.config.clone(),
                blocks: arguments.blocks,
                deals: arguments.deals,
                time: arguments.time,
                budget_us,
                spec,
                seed: arguments.seed,
            };
            let report = check::check(&bot, &plan, &|text| stages.tell(text));
            stages.clear();
            let report = report.with_context(|| format!("cannot check {}", bot.name))?;
            let game = game.id.to_owned();
            add(BotCheck { bot, game, report })?;
        }
        for error in found.broken {
            let bot = declaring.clone();
            let report = CheckReport {
                findings: vec![Finding::new("load", Grade::Wrong, error.to_string())],
                speed: None,
            };
            let game = error.game;
            add(BotCheck { bot, game, report })?;
        }
    }
    if arguments.json {
        output::print_json(&checked)?;
    }
    let mut reports = checked.iter().map(|result| &result.report);
    Ok(Outcome::of_search(
        reports.any(|report| report.count(Grade::Wrong) > 0),
    ))
}

/// Plays the mutants of all scripts.
fn play_mutants(
    arguments: &Arguments,
    catalogue: &Catalogue,
    config: &serde_json::Value,
) -> CommandResult {
    let deals = arguments.deals.unwrap_or(mutate::DEALS);
    let mut bots = Vec::new();
    for name in &arguments.bots {
        for (game, bot) in find(catalogue, name, arguments.game.as_deref())?.bots {
            let options = WatchOptions {
                game,
                preset: arguments.preset.clone(),
                config: config.clone(),
                against: Vec::new(),
                blocks: deals.div_ceil(mutate::BLOCK).max(2),
                deals: Some(mutate::BLOCK.min(deals)),
                seed: arguments.seed,
            };
            bots.push((options, bot));
        }
    }
    mutate::run(&bots, catalogue, arguments.save.as_deref(), arguments.json)
}

/// Plays the faulty bots and prints the results.
fn self_test(json: bool) -> CommandResult {
    let mut trouble = Ok(Outcome::Done);
    let outcomes = check::self_test::self_test(&mut |outcome| {
        if !json && trouble.is_ok() {
            let grade = grade_name(outcome.verdict);
            trouble = output::print(&format!(
                "{grade:<7}  {:<21}  {}\n",
                outcome.bot, outcome.outcome
            ));
        }
    })?;
    trouble?;
    if json {
        output::print_json(&outcomes)?;
    }
    let mut verdicts = outcomes.iter().map(|outcome| outcome.verdict);
    Ok(Outcome::of_search(
        verdicts.any(|verdict| verdict == Grade::Wrong),
    ))
}

fn grade_name(grade: Grade) -> &'static str {
    match grade {
        Grade::Ok => "ok",
        Grade::Warning => "WARNING",
        Grade::Wrong => "ERROR",
    }
}

/// Finds the bot `name` for each game to check.
fn find(catalogue: &Catalogue, name: &str, game: Option<&str>) -> anyhow::Result<FoundForGames> {
    let games = game.map_or_else(
        || Ok(games::all()),
        |game| games::named(game).map(|game| vec![game]),
    )?;
    Ok(catalogue.find_for_games(&games, name, Path::new(""))?)
}

fn text(checked: &BotCheck) -> String {
    let BotCheck { bot, game, report } = checked;
    let mut text = format!("{} ({}), {game}\n", bot.name, output::short(&bot.path));
    for Finding {
        point,
        verdict: grade,
        text: found,
    } in &report.findings
    {
        let grade = grade_name(*grade);
        let mut lines = found.lines();
        text += &format!(
            "  {grade:<7}  {point:<21}  {}\n",
            lines.next().unwrap_or_default()
        );
        for line in lines {
            text += &format!("{:34}{line}\n", "");
        }
    }
    if let Some(speed) = &report.speed {
        text += &format!("  {:<7}  {:<21}  {}\n", "", "speed", describe(speed));
    }
    match (report.count(Grade::Wrong), report.count(Grade::Warning)) {
        (0, 0) => text += "  no errors\n",
        (wrong, warnings) => text += &format!("  errors: {wrong}, warnings: {warnings}\n"),
    }
    text
}

fn describe(speed: &Speed) -> String {
    let [median, p99, worst] =
        [speed.median_nanos, speed.p99_nanos, speed.worst_nanos].map(Duration::from_nanos);
    let at = &speed.worst_at;
    format!(
        "{} decisions, {:.0} per second; median {median:.1?}, 99 % below {p99:.1?}, worst \
        {worst:.1?} (line-up {}, block {}, deal {}, decision {})",
        speed.decisions, speed.decisions_per_second, at.line_up, at.block, at.deal, at.decision
    )
}
