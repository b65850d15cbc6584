//! Compiled modules.

use super::state::State;
use super::wrong::Wrong;
use crate::agent::BotInfo;
use wasmtime::{ExternType, InstancePre, ModuleExport};

/// What everything that is a module of bots has.
pub(super) const ENTRY: &str = "hattari_entry";
/// How to link a module of bots.
pub(super) const LINK: &str =
    "link it as arena/site/webassembly.md says (`hattari new c --wasm` makes such a build)";

/// A module of bots, compiled.
pub(super) struct Module {
    /// The name of its file, for messages.
    pub name: String,
    /// Hash of the file.
    pub hash: u64,
    /// Its bots.
    pub bots: Vec<BotInfo>,
    pub ready: Ready,
}

/// What instances are made from.
pub(super) struct Ready {
    pub pre: InstancePre<State>,
    pub memory: ModuleExport,
    pub table: ModuleExport,
    pub entry: ModuleExport,
    pub alloc: ModuleExport,
    pub initialize: Option<ModuleExport>,
    pub panic: Option<ModuleExport>,
}

impl std::fmt::Debug for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Module")
            .field("name", &self.name)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Ready {
    pub(super) fn new(module: &wasmtime::Module, pre: InstancePre<State>) -> Result<Ready, Wrong> {
        let find = |name: &str, fits: &dyn Fn(&ExternType) -> bool| {
            module
                .get_export(name)
                .filter(|ty| fits(ty))
                .and_then(|_| module.get_export_index(name))
        };
        let needed = |what: String, found: Option<ModuleExport>| {
            found.ok_or_else(|| Wrong::new(format!("it does not export {what}"), LINK))
        };
        let is_function = |ty: &ExternType| ty.func().is_some();
        let memory = needed(
            "its memory".into(),
            find("memory", &|ty| ty.memory().is_some()),
        )?;
        // The second is what AssemblyScript calls it.
        let table = |name: &str| find(name, &|ty: &ExternType| ty.table().is_some());
        let found = table("__indirect_function_table").or_else(|| table("table"));
        let table = needed(
            "its table of functions (`__indirect_function_table`)".into(),
            found,
        )?;
        let entry = needed(
            format!("`{ENTRY}`"),
            find(ENTRY, &|ty| ty.global().is_some()),
        )?;
        let alloc = find("hattari_alloc", &is_function).or_else(|| find("malloc", &is_function));
        let alloc = needed("`malloc`".into(), alloc)?;
        let (initialize, panic) = (
            find("_initialize", &is_function),
            find("hattari_panic", &is_function),
        );
        Ok(Ready {
            pre,
            memory,
            table,
            entry,
            alloc,
            initialize,
            panic,
        })
    }
}
