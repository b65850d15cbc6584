//! Checks a bot by playing its game, and reports problems. Keeps no records.

mod config;
mod play;
pub mod self_test;
mod speed;
mod time_allowance;

pub use hattari_agents::agent::backend::{Finding, Grade};
pub use speed::Speed;

use crate::catalogue::{AgentSpec, FoundBot};
use crate::trust::NotTrusted;
use hattari_agents::agent::{AgentFactory, Isolation, ProcessLimits};
use hattari_agents::{games, table};
use serde::Serialize;
use std::time::{Duration, Instant};

/// Options of a check.
#[derive(Debug)]
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
#[derive(Debug, Default, Serialize)]
pub struct CheckReport {
    /// The findings, in the order of the checks.
    pub findings: Vec<Finding>,
    /// Thinking times; `None` if the bot could not be played.
    pub speed: Option<Speed>,
}

impl CheckReport {
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

/// Name of the finding for the tests of a script.
const OWN_TESTS: &str = "own tests";

/// The reason why a bot cannot be checked.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CheckError(String);

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
    let findings = bot.examine();
    let facts = games::named(&plan.game).map_err(|error| CheckError(error.to_string()))?;
    let preset = plan.preset.as_deref().unwrap_or(facts.presets[0]);
    if !facts.presets.contains(&preset) {
        let (id, presets) = (facts.id, facts.presets.join(", "));
        return Err(CheckError(format!(
            "{id} has no preset `{preset}`; its presets are {presets}"
        )));
    }
    let rules = facts
        .apply_overrides(preset, &[])
        .map_err(|problems| CheckError(problems[0].message.clone()))?;
    let game = table::game(facts.id, &rules.options).map_err(CheckError)?;
    if let Err(NotTrusted { code }) = bot.check_trust(&plan.spec) {
        return Err(CheckError(format!(
            "{code}.\nNothing was run. To continue, confirm with `--trust` (only once; it is \
            remembered), or use a sandbox: `--isolation process`, or `isolation: process` in a \
            league"
        )));
    }
    let factory = bot.agent_factory_with(&plan.spec);
    let mut report = CheckReport {
        findings,
        speed: None,
    };
    let factory = match factory {
        Ok(factory) => factory,
        Err(agent_error) => {
            let finding = Finding::new("load", Grade::Wrong, agent_error.message);
            report.findings.push(finding);
            return Ok(report);
        }
    };
    stage("starting the bot");
    let mut check = Check {
        bot,
        plan,
        factory: &*factory,
        stage,
        report,
    };
    if check.check_creation() {
        // A program receives its config only when it plays.
        if bot.started.is_none() {
            check.check_configs();
        }
        check.run_own_tests();
        check.play(&*game);
        check.report_limits();
    }
    Ok(check.report)
}

/// A check in progress.
struct Check<'a> {
    bot: &'a FoundBot,
    plan: &'a CheckPlan,
    factory: &'a dyn AgentFactory,
    stage: &'a dyn Fn(&str),
    report: CheckReport,
}

impl Check<'_> {
    fn add(&mut self, point: &'static str, verdict: Grade, text: impl Into<String>) {
        let finding = Finding::new(point, verdict, text);
        self.report.findings.push(finding);
    }

    /// Creates and destroys the bot many times. Returns `false` after reporting a bot that fails.
    fn check_creation(&mut self) -> bool {
        let Check {
            bot, plan, factory, ..
        } = *self;
        let needs_process =
            bot.isolation_with(&plan.spec) == Some(Isolation::Process) || bot.started.is_some();
        let creations_max = if needs_process { PROCESSES } else { CREATIONS };
        let start = Instant::now();
        let mut created = 0;
        while created < CREATIONS_MIN || (created < creations_max && start.elapsed() < CREATING) {
            if let Err(agent_error) = factory.check_start(&plan.config_json) {
                let prefix = match created {
                    0 => String::new(),
                    _ => format!("after {created} successful starts: "),
                };
                self.add("create", Grade::Wrong, prefix + &agent_error.message);
                return false;
            }
            created += 1;
        }
        let mean = start.elapsed() / created;
        let text = format!("created and destroyed {created} times, {mean:.1?} each");
        self.add("create", Grade::Ok, text);
        true
    }

    fn run_own_tests(&mut self) {
        let plan = self.plan;
        let results = match self.bot.run_tests(&plan.spec, &plan.config_json) {
            Ok(results) if results.is_empty() => return,
            Ok(results) => results,
            Err(agent_error) => return self.add(OWN_TESTS, Grade::Wrong, agent_error.message),
        };
        let failures: Vec<String> = results
            .iter()
            .filter_map(|test| Some(format!("\n{}: {}", test.name, test.failure.as_ref()?)))
            .collect();
        let count = hattari_agents::text::counted(results.len() as u64, "test");
        let (verdict, text) = match failures.len() {
            0 => (Grade::Ok, format!("{count} passed")),
            failed => {
                let list = failures.concat();
                (Grade::Wrong, format!("{failed} of {count} failed{list}"))
            }
        };
        self.add(OWN_TESTS, verdict, text);
    }

    /// Reports the limits that were enforced during play, and the memory used.
    fn report_limits(&mut self) {
        let Some(process_report) = self.factory.process_report() else {
            if self.bot.isolation.is_some() {
                let text = match self.bot.started {
                    Some(_) => {
                        "runs without a sandbox, with your permissions; time is measured, and \
                        `memory_mb` is the only other limit"
                    }
                    None => {
                        "runs in Hattari's own process; time is measured, and there are no other \
                        limits"
                    }
                };
                self.add("limits", Grade::Ok, text);
            }
            return;
        };
        let missing = process_report.sandbox.missing();
        let missing: Vec<&str> = missing.map(|measure| measure.name.as_str()).collect();
        let (verdict, limits) = if missing.is_empty() {
            (Grade::Ok, "; all limits are enforced".to_owned())
        } else {
            let names = missing.join(", ");
            (Grade::Warning, format!(", without limits for {names}"))
        };
        let mut text = format!("runs in a separate process{limits}");
        for restriction in &process_report.sandbox.restrictions {
            let effect = if restriction.is_in_effect {
                ""
            } else {
                "NOT ENFORCED: "
            };
            text += &format!("\n{}: {effect}{}", restriction.name, restriction.text);
        }
        self.add("limits", verdict, text);
        if process_report.peak_kib > 0 {
            let tenths = process_report.peak_kib * 10 / 1024;
            let limit = ProcessLimits::of(&self.plan.spec.budget).memory_mb;
            let text = format!(
                "peak {}.{} MiB, including the memory of Hattari itself; limit: {limit} MiB \
                without that memory",
                tenths / 10,
                tenths % 10
            );
            self.add("memory", Grade::Ok, text);
        }
    }
}
