//! Checks a bot by playing its game, and reports problems. Keeps no records.

mod config;
mod play;
pub mod self_test;
mod speed;
mod time_allowance;

pub use hattari_agents::agent::backend::{Finding, Grade};
pub use speed::Speed;

use crate::catalogue::{AgentSpec, FoundBot};
use crate::trust::{NotTrusted, UntrustedCode};
use hattari_agents::agent::backend::BotTestResult;
use hattari_agents::agent::{AgentFactory, Isolation, ProcessLimits};
use hattari_agents::games::UnknownGame;
use hattari_agents::{games, table};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Options of a check.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// Id of the game with revision.
    pub game: String,
    /// Preset of the rules; `None` for the game's default.
    pub preset: Option<String>,
    /// Config of the bot as JSON.
    pub config_json: String,
    /// Number of blocks per line-up.
    pub blocks: u32,
    /// Number of deals per block; `None` for as many as `time` allows.
    pub deals: Option<u32>,
    /// Approximate playing time.
    pub time: Duration,
    /// Time limit of a decision in microseconds; 0 for none.
    pub budget_us: i64,
    /// Limits and isolation of the bot.
    pub spec: AgentSpec,
    /// Seed of all games.
    pub seed: u64,
}

/// The findings of a check, and the speed of the bot.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckReport {
    /// The findings, in the order of the checks.
    pub findings: Vec<Finding>,
    /// Thinking times; `None` if the bot could not be played.
    pub speed: Option<Speed>,
}

impl CheckReport {
    fn add(&mut self, point: &'static str, verdict: Grade, text: impl Into<String>) {
        self.findings.push(Finding::new(point, verdict, text));
    }

    /// Returns the number of findings with this verdict.
    pub fn count(&self, verdict: Grade) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.verdict == verdict)
            .count()
    }
}

/// Maximum number of instances of the bot that the check creates and destroys.
const CREATIONS: u32 = 1000;
/// Maximum number of instances if each of them needs a process.
const PROCESSES: u32 = 100;
/// Number of instances that are created even if this takes longer than [`CREATING`].
const CREATIONS_MIN: u32 = 20;
/// Time limit for creating more than [`CREATIONS_MIN`] instances.
const CREATING: Duration = Duration::from_secs(1);

/// The reason why a bot cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The game does not exist.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// The preset does not exist, or belongs to another game.
    #[error("{0}")]
    Rules(String),
    /// The bot would run outside a sandbox, and the user has not confirmed it.
    #[error(
        "{0}.\nNothing was run. To continue, confirm with `--trust` (only once; it is remembered), \
        or use a sandbox: `--isolation process`, or `isolation: process` in a league"
    )]
    Unconfirmed(UntrustedCode),
}

/// Checks `bot` in one game. Calls `stage` with a description before each step and block. The check
/// ends early if failing calls take more than two seconds in total, or if the whole check takes too
/// long.
///
/// # Errors
/// Returns an error if the game, the preset or an option does not exist, or if the bot is not
/// trusted. Problems of the bot are findings of the report.
pub fn check(
    bot: &FoundBot,
    plan: &CheckPlan,
    stage: &dyn Fn(&str),
) -> Result<CheckReport, CheckError> {
    let mut report = CheckReport::default();
    report.findings.extend(bot.examine());
    check_at_tables(bot, plan, stage, &mut report)?;
    Ok(report)
}

/// Performs the checks that need the rules of the game.
fn check_at_tables(
    bot: &FoundBot,
    plan: &CheckPlan,
    stage: &dyn Fn(&str),
    report: &mut CheckReport,
) -> Result<(), CheckError> {
    let facts = games::named(&plan.game)?;
    let preset = plan.preset.as_deref().unwrap_or(facts.presets[0]);
    if !facts.presets.contains(&preset) {
        let (id, presets) = (facts.id, facts.presets.join(", "));
        return Err(CheckError::Rules(format!(
            "{id} has no preset `{preset}`; its presets are {presets}"
        )));
    }
    let rules = facts
        .apply_overrides(preset, &[])
        .map_err(|problems| CheckError::Rules(problems[0].message.clone()))?;
    let game = table::game(facts.id, &rules.options).map_err(CheckError::Rules)?;
    if let Err(NotTrusted { code }) = bot.check_trust(&plan.spec) {
        return Err(CheckError::Unconfirmed(code));
    }
    let factory = match bot.agent_factory_with(&plan.spec) {
        Ok(factory) => factory,
        Err(agent_error) => {
            report.add("load", Grade::Wrong, agent_error.message);
            return Ok(());
        }
    };
    stage("starting the bot");
    if !check_creation(bot, plan, &*factory, report) {
        return Ok(());
    }
    // A program receives its config only when it plays.
    if bot.started.is_none() {
        config::check_configs(bot, &*factory, report);
    }
    run_own_tests(bot, plan, report);
    play::check_play(&*game, &*factory, bot, plan, stage, report);
    report_limits(bot, plan, &*factory, report);
    Ok(())
}

/// Creates and destroys the bot many times. Returns `false` after reporting a bot that fails.
fn check_creation(
    bot: &FoundBot,
    plan: &CheckPlan,
    factory: &dyn AgentFactory,
    report: &mut CheckReport,
) -> bool {
    let needs_process =
        bot.isolation_with(&plan.spec) == Some(Isolation::Process) || bot.started.is_some();
    // A program is normally started at its first block; `check_start` starts it now.
    let open = || match bot.started {
        Some(_) => factory.check_start(&plan.config_json),
        None => factory.open(&plan.config_json).map(drop),
    };
    let creations_max = if needs_process { PROCESSES } else { CREATIONS };
    let start = Instant::now();
    let mut created = 0;
    while created < CREATIONS_MIN || (created < creations_max && start.elapsed() < CREATING) {
        if let Err(agent_error) = open() {
            let prefix = if created == 0 {
                String::new()
            } else {
                format!("after {created} successful starts: ")
            };
            report.add("create", Grade::Wrong, prefix + &agent_error.message);
            return false;
        }
        created += 1;
    }
    let mean = start.elapsed() / created;
    report.add(
        "create",
        Grade::Ok,
        format!("created and destroyed {created} times, {mean:.1?} each"),
    );
    true
}

fn run_own_tests(bot: &FoundBot, plan: &CheckPlan, report: &mut CheckReport) {
    let results = match bot.run_tests(&plan.spec, &plan.config_json) {
        Ok(results) if results.is_empty() => return,
        Ok(results) => results,
        Err(agent_error) => return report.add(OWN_TESTS, Grade::Wrong, agent_error.message),
    };
    let failure = |test: &BotTestResult| Some(format!("{}: {}", test.name, test.failure.as_ref()?));
    let failures: Vec<String> = results.iter().filter_map(failure).collect();
    let count = hattari_agents::text::counted(results.len() as u64, "test");
    if failures.is_empty() {
        report.add(OWN_TESTS, Grade::Ok, format!("{count} passed"));
    } else {
        let text = format!(
            "{} of {count} failed\n{}",
            failures.len(),
            failures.join("\n")
        );
        report.add(OWN_TESTS, Grade::Wrong, text);
    }
}

/// Name of the finding for the tests of a script.
const OWN_TESTS: &str = "own tests";

/// Reports the limits that were enforced during play, and the memory used.
fn report_limits(
    bot: &FoundBot,
    plan: &CheckPlan,
    factory: &dyn AgentFactory,
    report: &mut CheckReport,
) {
    let Some(process_report) = factory.process_report() else {
        if bot.isolation.is_some() {
            let text = match bot.started {
                Some(_) => {
                    "runs without a sandbox, with your permissions; time is measured, and \
                    `memory_mb` is the only other limit"
                }
                None => {
                    "runs in Hattari's own process; time is measured, and there are no other \
                    limits"
                }
            };
            report.add("limits", Grade::Ok, text);
        }
        return;
    };
    let missing: Vec<_> = process_report
        .sandbox
        .missing()
        .map(|measure| measure.name.as_str())
        .collect();
    let (verdict, mut text) = if missing.is_empty() {
        (
            Grade::Ok,
            "runs in a separate process; all limits are enforced".to_owned(),
        )
    } else {
        (
            Grade::Warning,
            format!(
                "runs in a separate process, without limits for {}",
                missing.join(", ")
            ),
        )
    };
    for restriction in &process_report.sandbox.restrictions {
        text += &format!(
            "\n{}: {}{}",
            restriction.name,
            if restriction.is_in_effect {
                ""
            } else {
                "NOT ENFORCED: "
            },
            restriction.text
        );
    }
    report.add("limits", verdict, text);
    if process_report.peak_kib > 0 {
        let tenths = process_report.peak_kib * 10 / 1024;
        let limit = ProcessLimits::of(&plan.spec.budget).memory_mb;
        let peak = format!("{}.{} MiB", tenths / 10, tenths % 10);
        let text = format!(
            "peak {peak}, including the memory of Hattari itself; limit: {limit} MiB without that \
            memory"
        );
        report.add("memory", Grade::Ok, text);
    }
}
