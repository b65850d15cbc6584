//! Plays bots that misbehave, and checks that they cannot affect other bots or this machine.
//! Compiled bots run in separate processes, WebAssembly modules and scripts in their sandboxes. The
//! other seats have agents of the host. Their cards and actions must be the same as in a game
//! without the faulty bot.

mod cases;
mod modules;
mod scripts;

pub use cases::{CASES, ExpectedOutcome, FaultyBot, HEADERS};
pub use modules::{BUDGET, build_module, clang};
pub use scripts::SCRIPTS;

use crate::catalogue::{AgentSpec, Catalogue, SearchPath};
use crate::league::Budget;
use hattari_agents::agent::reference::First;
use hattari_agents::agent::{self, Agent, ProcessReport};
use hattari_agents::record::{FaultKind, JobId, Record};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{BlockPlan, Table};
use hattari_plugin::games::Game;
use hattari_plugin::games::daihinmin::{Daihinmin, Options};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

const GAME: &str = "daihinmin/1";
const DEALS: u32 = 4;

/// Returns the limits of a bot. The memory limit is small, so that the test is fast. The time limit
/// is long enough for a busy machine, except for bots that must exceed it.
fn budget(case: &FaultyBot) -> Budget {
    let is_slow = matches!(case.outcome, ExpectedOutcome::Fault(FaultKind::Time, _));
    let decision_us = Some(if is_slow { 100_000 } else { 3_000_000 });
    Budget {
        decision_us,
        memory_mb: Some(64),
        ..Budget::default()
    }
}

/// Marker that a faulty bot puts in its error if a forbidden operation succeeded. Expected outcomes
/// never contain it.
const ESCAPED: &str = "ESCAPED";

/// The outcome of a faulty bot.
#[derive(Debug, Serialize)]
pub struct CaseOutcome {
    /// Name of the bot.
    pub bot: &'static str,
    /// Description of the outcome.
    pub outcome: String,
    /// Grade of the outcome: `Ok` if it is the expected one, `Warning` if the bot was not tested.
    pub verdict: super::Grade,
}

/// The reason why the self-test cannot run.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SelfTestError(String);

/// Converts a system error; `what` is the failed operation.
fn system_error(what: impl std::fmt::Display) -> impl FnOnce(std::io::Error) -> SelfTestError {
    move |error| SelfTestError(format!("{what}: {error}"))
}

/// Builds and plays the faulty bots: libraries with the system's C compiler, scripts, and
/// WebAssembly modules if clang supports them. Calls `on_outcome` after each outcome.
///
/// # Errors
/// Returns an error if there is no compiler, if files cannot be written, or if no worker can start.
pub fn self_test(
    on_outcome: &mut dyn FnMut(&CaseOutcome),
) -> Result<Vec<CaseOutcome>, SelfTestError> {
    let folder = tempfile::Builder::new()
        .prefix("hattari-self-test")
        .tempdir()
        .map_err(system_error("cannot create a folder for the bots"))?;
    for (name, text) in HEADERS {
        fs::write(folder.path().join(name), text)
            .map_err(system_error("cannot write the headers"))?;
    }
    let reference = play_reference_block();
    let mut outcomes = Vec::new();
    let mut note = |outcome: CaseOutcome| {
        on_outcome(&outcome);
        outcomes.push(outcome);
    };
    for case in CASES {
        let library = build(folder.path(), case)?;
        let spec = AgentSpec {
            budget: budget(case),
            isolation: Some(agent::Isolation::Process),
            threads: case.threads,
        };
        let run = play(&library, &spec, case.stopped_by)?;
        note(CaseOutcome::of(case.name, case.outcome, run, &reference));
    }
    for case in SCRIPTS {
        let run = scripts::play(case);
        note(CaseOutcome::of(case.name, case.outcome, run, &reference));
    }
    modules::play_all(folder.path(), &reference, &mut note)?;
    Ok(outcomes)
}

/// Compiles a bot into a separate folder and returns the path of the library.
///
/// # Errors
/// Returns an error if there is no compiler, or if compilation fails.
pub fn build(folder: &Path, case: &FaultyBot) -> Result<PathBuf, SelfTestError> {
    let source = folder.join(case.name).with_extension("c");
    let target = folder.join(case.name);
    fs::write(&source, case.source).map_err(system_error(source.display()))?;
    fs::create_dir_all(&target).map_err(system_error(target.display()))?;
    let library = target.join(format!("lib{}.{}", case.name, env::consts::DLL_EXTENSION));
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(&compiler);
    command.args([
        "-std=c11",
        "-D_POSIX_C_SOURCE=200809L",
        "-O1",
        "-fPIC",
        "-fvisibility=hidden",
        "-pthread",
    ]);
    command
        .args(["-Wall", "-Wextra", "-Werror", "-shared", "-I"])
        .arg(folder)
        .arg(&source)
        .arg("-o")
        .arg(&library);
    let missing = format!("the self-test needs a C compiler; cannot run `{compiler}`");
    let output = command.output().map_err(system_error(missing))?;
    let failed = format!("`{compiler}` cannot build {}", source.display());
    check_built(&output, &failed).map_err(SelfTestError)?;
    Ok(library)
}

/// Returns `failed` with the output of the compiler if it has failed.
fn check_built(output: &Output, failed: &str) -> Result<(), String> {
    if output.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{failed}:\n{errors}"))
}

/// The result of playing a faulty bot, before it is compared with the expected outcome.
enum CaseRun {
    /// The bot cannot be loaded.
    NotLoaded(String),
    /// The bot was not played, because the necessary sandbox measure is not available.
    NotEnforced(String),
    /// The bot has played a block.
    Played(Box<Record>),
}

/// Plays the bot in a file, unless this machine lacks the sandbox measure `stopped_by`.
///
/// # Errors
/// Returns an error if no process of the bot can start.
fn play(file: &Path, spec: &AgentSpec, stopped_by: Option<&str>) -> Result<CaseRun, SelfTestError> {
    let catalogue = Catalogue::discover(&SearchPath::default());
    let path = file
        .to_str()
        .ok_or_else(|| SelfTestError("the name of the folder is not valid UTF-8".to_owned()))?;
    let bot = match catalogue.find(GAME, path, Path::new("")) {
        Ok(bot) => bot,
        Err(error) => return Ok(CaseRun::NotLoaded(error.to_string())),
    };
    let factory = bot
        .agent_factory_with(spec)
        .map_err(|agent_error| SelfTestError(format!("{path}: {}", agent_error.message)))?;
    let agent = match factory.open("{}") {
        Ok(agent) => agent,
        Err(agent_error) => return Ok(CaseRun::NotLoaded(agent_error.message)),
    };
    if let Some(name) = stopped_by
        && let Some(ProcessReport { sandbox, .. }) = factory.process_report()
        && let Some(missing) = sandbox.missing().find(|measure| measure.name == name)
    {
        return Ok(CaseRun::NotEnforced(format!("{name}: {}", missing.text)));
    }
    Ok(play_block(agent, &spec.budget).into())
}

impl From<Record> for CaseRun {
    fn from(record: Record) -> CaseRun {
        CaseRun::Played(Box::new(record))
    }
}

impl CaseOutcome {
    fn of(
        bot: &'static str,
        expected: ExpectedOutcome,
        run: CaseRun,
        reference: &Record,
    ) -> CaseOutcome {
        use super::Grade::{Ok, Warning, Wrong};
        let grade = |is_expected| if is_expected { Ok } else { Wrong };
        let (outcome, verdict) = match run {
            CaseRun::NotEnforced(reason) => (
                format!("not tested, because this machine cannot enforce the limit: {reason}"),
                Warning,
            ),
            CaseRun::NotLoaded(reason) => {
                let fits = matches!(expected,
                    ExpectedOutcome::NotLoaded(words) if reason.contains(words));
                (format!("not loaded: {reason}"), grade(fits))
            }
            CaseRun::Played(record) => {
                let fault = record.faults.first();
                let has_escaped = record
                    .faults
                    .iter()
                    .any(|fault| fault.message.contains(ESCAPED));
                let fits = match (expected, fault) {
                    (ExpectedOutcome::PlaysOn, None) => true,
                    (ExpectedOutcome::Fault(kind, words), Some(fault)) => {
                        fault.kind == kind
                            && words.iter().any(|words| fault.message.contains(words))
                    }
                    _ => false,
                };
                let text = match fault {
                    None => "no fault; the bot continues to play".to_owned(),
                    Some(fault) => format!(
                        "{} × {}: {}",
                        record.fault_counts[0],
                        fault.kind.name(),
                        fault.message
                    ),
                };
                let has_changed = record.fault_counts[1..].iter().any(|&count| count > 0)
                    || record.digest != reference.digest
                    || record.sum != reference.sum;
                let change = if has_changed {
                    "; THE GAMES OF THE OTHER BOTS HAVE CHANGED"
                } else {
                    ""
                };
                (text + change, grade(fits && !has_escaped && !has_changed))
            }
        };
        CaseOutcome {
            bot,
            outcome,
            verdict,
        }
    }
}

/// Plays the block with an agent of the host in place of the faulty bot. This agent takes the same
/// actions as the host takes for a bot after a fault.
fn play_reference_block() -> Record {
    play_block(Box::new(First::<Daihinmin>::default()), &Budget::default())
}

/// Plays the block with the given agent in the first place of the line-up.
fn play_block(first: Box<dyn Agent>, budget: &Budget) -> Record {
    let game = Daihinmin::new(Options::default()).expect("the default options are valid");
    let mut agents = vec![first];
    agents.resize_with(Daihinmin::players().1, || {
        Box::new(First::<Daihinmin>::default())
    });
    let budget_us = budget.decision_us.map_or(0, u64::cast_signed);
    let plan = BlockPlan {
        deals: DEALS,
        budget_us,
        ..BlockPlan::default()
    };
    let job = JobId {
        line_up: 0,
        block: 0,
    };
    Table::new(&game)
        .play_block(job, plan, &LineUpSeeds::new(1), &mut agents, &mut ())
        .expect("faults do not stop this block")
        .0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Grade;
    use hattari_agents::record::Fault;

    #[test]
    fn a_sandbox_escape_fails_the_self_test_for_any_expected_outcome() {
        let played = play_reference_block();
        let judge = |expected, messages: &[&str]| {
            let mut record = played.clone();
            let fault = |message: &&str| Fault {
                entrant: 0,
                kind: FaultKind::Error,
                deal: 0,
                decision: 3,
                message: (*message).to_owned(),
            };
            record.faults = messages.iter().map(fault).collect();
            CaseOutcome::of("a bot", expected, record.into(), &played).verdict
        };
        let error = ExpectedOutcome::Fault(FaultKind::Error, &["act: "]);
        for (messages, verdict) in [
            (&["act: at a loss"][..], Grade::Ok),
            (&["act: ESCAPED: a file"], Grade::Wrong),
            (&["act: at a loss", "act: ESCAPED: a file"], Grade::Wrong),
        ] {
            assert_eq!(judge(error, messages), verdict, "{messages:?}");
        }
    }
}
