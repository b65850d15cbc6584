//! The faulty bots as WebAssembly modules, and their expected outcomes. A module fails at the same
//! decision on every machine.

use super::{
    CASES, CaseOutcome, CaseRun, Expected, SelfTestError, open_bot, play_block, system_error,
};
use crate::catalogue::AgentSpec;
use crate::check::Grade;
use crate::league::Budget;
use Expected::{Fault, NotLoaded, PlaysOn};
use hattari_agents::agent::BACKENDS;
use hattari_agents::record::FaultKind::{Crash, Error, IllegalAction, Memory, Panic, Time};
use hattari_agents::record::Record;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A faulty bot as a module.
pub struct ModuleCase {
    /// Name of the module.
    pub name: &'static str,
    /// Name of the bot in [`CASES`], which contains the source.
    pub bot: &'static str,
    /// Expected outcome; `None` if WebAssembly has no such feature, so that compiling or linking
    /// fails.
    pub outcome: Option<Expected>,
}

/// Limits of each module. They are small so that the test is fast. The time limit is long, because
/// the fuel ends slow modules.
pub const BUDGET: Budget = Budget {
    decision_us: Some(60_000_000),
    memory_mb: Some(16),
    wasm_fuel: Some(100_000_000),
    block_us: None,
    lua_steps: None,
    lua_memory_mb: None,
};

/// Compiler options: the exports that the host needs, and a stack smaller than the host's.
const CLANG: [&str; 9] = [
    "--target=wasm32-wasi",
    "-mexec-model=reactor",
    "-std=c11",
    "-Wl,--export=hattari_entry",
    "-Wl,--export=malloc",
    "-Wl,--export-table",
    "-Wl,--growable-table",
    "-Wl,--stack-first",
    "-Wl,-z,stack-size=65536",
];

/// Creates the case of a bot in `bots/faulty`.
macro_rules! case {
    ($name:literal, $outcome:expr) => {
        ModuleCase {
            name: concat!($name, ".wasm"),
            bot: $name,
            outcome: $outcome,
        }
    };
}

const FUEL: Expected = Fault(Time, &["more than 100000000 units of fuel, in "]);

/// All faulty bots as modules.
pub const MODULES: &[ModuleCase] = &[
    // Address 0 is ordinary memory of the module.
    case!("null-write", Some(PlaysOn)),
    case!("aborts", Some(Fault(Crash, &["act: it aborted, in abort"]))),
    case!("divides-by-zero", None),
    case!(
        "recursion",
        Some(Fault(
            Crash,
            &["act: it accesses an address outside its memory, in deeper"]
        ))
    ),
    case!(
        "exits",
        Some(Fault(Crash, &["act: it exited with exit code 0, in "]))
    ),
    case!("endless-loop", Some(FUEL)),
    case!("deaf-loop", None),
    case!(
        "loops-at-the-end",
        Some(Fault(
            Time,
            &["deal_end: more than 100000000 units of fuel, in deal_end"]
        ))
    ),
    // The module waits for a clock that stands still, until its fuel is used up.
    case!("answers-late", Some(FUEL)),
    case!("memory-bomb", Some(Fault(Memory, &["no memory is left"]))),
    // `malloc` returns null at the memory limit, and a module may write to address 0.
    case!("heedless-hog", Some(PlaysOn)),
    case!("crashes-in-destroy", Some(PlaysOn)),
    case!("crashes-when-loaded", Some(PlaysOn)),
    case!(
        "wild-index",
        Some(Fault(IllegalAction, &["action 100000 does not exist"]))
    ),
    case!("wild-amount", Some(PlaysOn)),
    case!(
        "error-status",
        Some(Fault(Error, &["act: at a loss (HATTARI_E_FAIL)"]))
    ),
    case!("panic-status", Some(Fault(Panic, &["index out of bounds"]))),
    case!("talks-nonsense", Some(PlaysOn)),
    case!("babbles", Some(PlaysOn)),
    case!("leaves-a-thread", None),
    case!("threads", None),
    case!("forks", None),
    case!("kills-the-host", None),
    case!("kills-itself", None),
    case!("closes-everything", Some(PlaysOn)),
    case!("sleeps", Some(PlaysOn)),
    case!("phones-home", None),
    case!("reads-files", None),
    case!("writes-files", Some(PlaysOn)),
    case!("reads-while-loading", None),
    case!("reads-clocks", None),
    case!("reaches-for-the-kernel", None),
    case!("kills-by-descriptor", None),
    case!("kills-by-timer", None),
    case!("lies-about-filters", None),
    case!("outlives-the-host", None),
    case!("grants-itself-threads", None),
    case!("swaps-the-pipe", None),
    case!("leaves-marks", None),
    case!("remembers", Some(PlaysOn)),
    case!(
        "half-an-answer",
        Some(Fault(Error, &["act: HATTARI_E_FAIL"]))
    ),
    // The module has no descriptor to which it could write its greeting.
    case!("forges-its-greeting", Some(PlaysOn)),
    case!(
        "paints-the-terminal",
        Some(NotLoaded("`description` contains a control character"))
    ),
];

/// Builds and plays all modules. Reports a single outcome if nothing can be built. `folder`
/// contains the headers; `alone` is the record of a block without a faulty bot.
pub(super) fn play_all(
    folder: &Path,
    alone: &Record,
    on_outcome: &mut dyn FnMut(CaseOutcome),
) -> Result<(), SelfTestError> {
    let unable = if BACKENDS.iter().any(|kind| kind.name() == "wasm") {
        missing(folder)?
    } else {
        Some("this program is built without WebAssembly".to_owned())
    };
    if let Some(why) = unable {
        on_outcome(CaseOutcome {
            bot: "*.wasm",
            outcome: format!("not tested: {why}"),
            verdict: Grade::Warning,
        });
        return Ok(());
    }
    let spec = AgentSpec {
        budget: BUDGET,
        ..AgentSpec::default()
    };
    for case in MODULES {
        let Some(expected) = case.outcome else {
            continue;
        };
        let module = build_module(folder, case)?.map_err(SelfTestError)?;
        let came = match open_bot(&module, &spec)? {
            Ok((_, agent)) => CaseRun::Played(Box::new(play_block(agent, &BUDGET))),
            Err(why) => CaseRun::NotLoaded(why),
        };
        on_outcome(CaseOutcome::of(case.name, expected, came, alone));
    }
    Ok(())
}

/// Returns the reason why C modules cannot be built on this machine, if any.
fn missing(folder: &Path) -> Result<Option<String>, SelfTestError> {
    let (source, module) = (folder.join("try.c"), folder.join("try.wasm"));
    fs::write(&source, "#include <stdlib.h>\nint hattari_entry;\n")
        .map_err(system_error(source.display()))?;
    let built = clang(&source, &module, &[]).output();
    let builds = built.is_ok_and(|built| built.status.success());
    let why = "clang cannot build for wasm32-wasi on this machine (Debian: apt-get install clang \
        lld wasi-libc libclang-rt-dev-wasm32)";
    Ok((!builds).then(|| why.to_owned()))
}

/// Returns the command that compiles `source` to `module`, with additional options.
#[must_use]
pub fn clang(source: &Path, module: &Path, more: &[&str]) -> Command {
    let mut command = Command::new("clang");
    command
        .args(CLANG)
        .args(more)
        .arg(source)
        .arg("-o")
        .arg(module);
    command
}

/// Compiles a faulty bot as a module into `folder`, which contains the headers. The inner error is
/// the output of a failed compilation.
///
/// # Errors
/// Returns an error if there is no compiler, or if files cannot be written.
pub fn build_module(
    folder: &Path,
    case: &ModuleCase,
) -> Result<Result<PathBuf, String>, SelfTestError> {
    let of_bot = |bot: &&super::FaultyBot| bot.name == case.bot;
    let source = CASES
        .iter()
        .find(of_bot)
        .ok_or_else(|| SelfTestError(format!("there is no faulty bot {}", case.bot)))?
        .source;
    let (path, module) = (
        folder.join(case.bot).with_extension("c"),
        folder.join(case.name),
    );
    fs::write(&path, source).map_err(system_error(path.display()))?;
    let include = format!("-I{}", folder.display());
    let mut command = clang(
        &path,
        &module,
        &["-O1", "-fno-builtin", "-D_POSIX_C_SOURCE=200809L", &include],
    );
    let built = command
        .output()
        .map_err(system_error("cannot run `clang`"))?;
    let said = String::from_utf8_lossy(&built.stderr);
    let refused = || format!("clang cannot build {}:\n{said}", path.display());
    Ok(if built.status.success() {
        Ok(module)
    } else {
        Err(refused())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_faulty_bot_has_a_module_case() {
        let bots = |names: Vec<&'static str>| -> Vec<&'static str> {
            let mut names = names;
            names.sort_unstable();
            names
        };
        let cases = bots(CASES.iter().map(|case| case.name).collect());
        assert_eq!(bots(MODULES.iter().map(|case| case.bot).collect()), cases);
    }
}
