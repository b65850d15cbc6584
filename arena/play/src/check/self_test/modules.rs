//! The faulty bots as WebAssembly modules, and their expected outcomes. A module fails at the same
//! decision on every machine.

use super::{CASES, CaseOutcome, FaultyBot, SelfTestError, check_built, play, system_error};
use crate::catalogue::AgentSpec;
use crate::check::Grade;
use crate::league::Budget;
use hattari_agents::agent::BACKENDS;
use hattari_agents::record::Record;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// Builds and plays all modules. Reports a single outcome if nothing can be built. `folder`
/// contains the headers; `reference` is the record of a block without a faulty bot.
pub(super) fn play_all(
    folder: &Path,
    reference: &Record,
    on_outcome: &mut dyn FnMut(CaseOutcome),
) -> Result<(), SelfTestError> {
    let obstacle = if BACKENDS.iter().any(|kind| kind.name() == "wasm") {
        build_obstacle(folder)?
    } else {
        Some("this program is built without WebAssembly".to_owned())
    };
    if let Some(reason) = obstacle {
        on_outcome(CaseOutcome {
            bot: "*.wasm",
            outcome: format!("not tested: {reason}"),
            verdict: Grade::Warning,
        });
        return Ok(());
    }
    let spec = AgentSpec {
        budget: BUDGET,
        ..AgentSpec::default()
    };
    for case in CASES {
        let Some(expected) = case.as_module else {
            continue;
        };
        let module = build_module(folder, case)?.map_err(SelfTestError)?;
        let run = play(&module, &spec, None)?;
        on_outcome(CaseOutcome::of(case.module, expected, run, reference));
    }
    Ok(())
}

/// Returns the reason why C modules cannot be built on this machine, if any.
fn build_obstacle(folder: &Path) -> Result<Option<String>, SelfTestError> {
    let (source, module) = (folder.join("try.c"), folder.join("try.wasm"));
    fs::write(&source, "#include <stdlib.h>\nint hattari_entry;\n")
        .map_err(system_error(source.display()))?;
    let output = clang(&source, &module, &[]).output();
    let builds = output.is_ok_and(|output| output.status.success());
    let reason = "clang cannot build for wasm32-wasi on this machine (Debian: apt-get install \
        clang lld wasi-libc libclang-rt-dev-wasm32)";
    Ok((!builds).then(|| reason.to_owned()))
}

/// Returns the command that compiles `source` to `module`, with additional options.
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
    case: &FaultyBot,
) -> Result<Result<PathBuf, String>, SelfTestError> {
    let (path, module) = (
        folder.join(case.name).with_extension("c"),
        folder.join(case.module),
    );
    fs::write(&path, case.source).map_err(system_error(path.display()))?;
    let include = format!("-I{}", folder.display());
    let mut command = clang(
        &path,
        &module,
        &["-O1", "-fno-builtin", "-D_POSIX_C_SOURCE=200809L", &include],
    );
    let output = command
        .output()
        .map_err(system_error("cannot run `clang`"))?;
    let failed = format!("clang cannot build {}", path.display());
    Ok(check_built(&output, &failed).map(|()| module))
}
