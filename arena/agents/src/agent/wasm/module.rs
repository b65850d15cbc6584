//! Compiled modules, and errors of modules that cannot be used.

use super::limits::WasmLimits;
use super::state::WasmState;
use crate::agent::{AgentError, AgentResult, BotInfo, LoadError};
use crate::text::joined;
use std::path::Path;
use wasmtime::{ExternType, InstancePre};

/// Export that identifies a module with bots.
pub(super) const ENTRY: &str = "hattari_entry";
pub(super) const MEMORY: &str = "memory";
/// Remedy for a module that is not linked correctly.
pub(super) const LINK: &str =
    "link it as described in arena/site/webassembly.md (`hattari new c --wasm` creates an example)";

/// A compiled module with bots.
pub(super) struct Module {
    /// Name of the file in messages.
    pub name: String,
    /// Hash of the file.
    pub hash: u64,
    /// Bots of the module.
    pub bots: Vec<BotInfo>,
    /// Compiled code with resolved imports, from which instances are created.
    pub pre: InstancePre<WasmState>,
    pub exports: Exports,
}

/// Names of exports that differ between programming languages.
pub(super) struct Exports {
    /// Table of functions.
    pub table: &'static str,
    /// Function that allocates memory.
    pub alloc: &'static str,
}

impl Module {
    /// Returns the size of the module's memory at the start in bytes.
    fn initial_memory(&self) -> u64 {
        let memory = self.pre.module().get_export(MEMORY);
        memory
            .as_ref()
            .and_then(ExternType::memory)
            .map_or(0, |memory| memory.minimum() * memory.page_size())
    }

    /// Checks that the module's memory at the start is within the limit.
    ///
    /// # Errors
    /// Returns an error that names both.
    pub(super) fn check_memory(&self, limits: &WasmLimits) -> AgentResult {
        let (initial, most) = (self.initial_memory(), limits.memory as u64);
        if initial <= most {
            return Ok(());
        }
        Err(AgentError::start(format!(
            "{}: its memory has {} MiB at the start; {} MiB are allowed (`memory_mb`)",
            self.name,
            initial.div_ceil(1 << 20),
            most >> 20
        )))
    }
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl Exports {
    /// Finds the required exports.
    ///
    /// # Errors
    /// Returns an error if an export is missing.
    pub(super) fn of(module: &wasmtime::Module) -> Result<Exports, ModuleProblem> {
        let find = |what: &str, names: &[&'static str], fits: fn(&ExternType) -> bool| {
            names
                .iter()
                .find(|name| module.get_export(name).is_some_and(|ty| fits(&ty)))
                .copied()
                .ok_or_else(|| ModuleProblem::new(format!("it does not export {what}"), LINK))
        };
        find("its memory", &[MEMORY], |ty| ty.memory().is_some())?;
        // The second is the name in AssemblyScript.
        let tables = ["__indirect_function_table", "table"];
        let words = "its function table (`__indirect_function_table`)";
        let table = find(words, &tables, |ty| ty.table().is_some())?;
        find("`hattari_entry`", &[ENTRY], |ty| ty.global().is_some())?;
        let allocators = ["hattari_alloc", "malloc"];
        let alloc = find("`malloc`", &allocators, |ty| ty.func().is_some())?;
        Ok(Exports { table, alloc })
    }
}

/// The reason a module cannot be used, and the remedy.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{cause}; {remedy}")]
pub(super) struct ModuleProblem {
    pub cause: String,
    pub remedy: String,
    /// `true` if the module is not the cause, so that another attempt may succeed.
    pub is_temporary: bool,
}

impl ModuleProblem {
    pub(super) fn new(cause: impl Into<String>, remedy: impl Into<String>) -> ModuleProblem {
        ModuleProblem {
            cause: cause.into(),
            remedy: remedy.into(),
            is_temporary: false,
        }
    }

    /// Creates an error that the module has not caused.
    pub(super) fn temporary(cause: String) -> ModuleProblem {
        ModuleProblem {
            is_temporary: true,
            ..ModuleProblem::new(cause, "try again")
        }
    }

    /// Creates the error for a module that the engine rejects.
    pub(super) fn broken(error: wasmtime::Error) -> ModuleProblem {
        ModuleProblem::new(one_line(&error), "build it again for wasm32")
    }

    pub(super) fn of(self, path: &Path) -> LoadError {
        LoadError::new(path, self.cause, self.remedy)
    }
}

/// Returns an error of the engine with its causes in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes = error.chain();
    joined(
        causes.map(|cause| cause.to_string().replace('\n', " ")),
        ": ",
    )
}
