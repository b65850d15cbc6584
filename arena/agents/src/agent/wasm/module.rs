//! Modules: read, looked at, compiled once, and asked which bots they hold.

use super::guest::{Guest, Refill, State};
use super::limits::Limits;
use super::{cache, engine, memory, wasi};
use crate::agent::plugin::{BotInfo, LoadError, Told, check_told};
use crate::agent::{Misstep, Reach};
use crate::files;
use hattari_plugin::{abi, abi32};
use sha2::{Digest, Sha256};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use wasmtime::{Engine, ExternType, InstancePre, Linker, ModuleExport};

/// Modules that are held ready in this process.
const HELD: usize = 32;
/// Bots that one module may offer.
const BOTS_MAX: u32 = 1024;
/// What everything that is a module of bots has.
const ENTRY: &str = "hattari_entry";
/// How to link a module of bots.
const LINK: &str =
    "link it as plugin-api/README.md says (`hattari new c --wasm` makes such a build)";

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

/// Outcomes of the modules that were asked for last, by their digests.
static KNOWN: Mutex<Vec<([u8; 32], Outcome)>> = Mutex::new(Vec::new());
type Outcome = Result<Arc<Module>, Wrong>;

/// Held while a module is compiled and looked at: one at a time, and each once.
static AT_WORK: Mutex<()> = Mutex::new(());

/// Returns the outcome of the module with this digest, if it has been asked for lately.
fn known(digest: &[u8; 32]) -> Option<Outcome> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .iter()
        .find(|(other, _)| other == digest)
        .map(|(_, outcome)| outcome.clone())
}

impl Module {
    /// Reads the module at `path`. It is compiled unless this process or the cache has it. Whoever
    /// asks for a module that is being compiled waits for it.
    ///
    /// # Errors
    /// It is no module, needs what this host does not have, or its descriptors are wrong.
    pub(super) fn load(path: &Path) -> Result<Arc<Module>, LoadError> {
        let bytes = files::read(path, Limits::FILE).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => LoadError::new(
                path,
                error.to_string(),
                format!("a module has at most {} MiB", Limits::FILE >> 20),
            ),
            _ => LoadError::unreadable(path, &error),
        })?;
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let of_path = |wrong: Wrong| wrong.of(path);
        if let Some(outcome) = known(&digest) {
            return outcome.map_err(of_path);
        }
        let _turn = AT_WORK.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outcome) = known(&digest) {
            return outcome.map_err(of_path);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let outcome = Module::new(&name, &bytes, |engine, bytes| {
            cache::module(engine, &name, bytes)
        })
        .map(Arc::new);
        if !outcome.as_ref().is_err_and(|wrong| wrong.is_passing) {
            let mut held = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            if held.len() == HELD {
                drop(held.remove(0));
            }
            held.push((digest, outcome.clone()));
        }
        outcome.map_err(of_path)
    }

    /// A module from its bytes, which `compile` turns into code; `name` is what messages call it.
    pub(super) fn new(
        name: &str,
        bytes: &[u8],
        compile: impl FnOnce(&Engine, &[u8]) -> Result<wasmtime::Module, Wrong>,
    ) -> Result<Module, Wrong> {
        if !bytes.starts_with(b"\0asm") {
            return Err(Wrong::new("it is not a WebAssembly module", LINK));
        }
        // Looked for before anything is compiled: a folder may hold modules of other programs.
        if !bytes
            .windows(ENTRY.len())
            .any(|window| window == ENTRY.as_bytes())
        {
            return Err(Wrong::new(format!("it does not export `{ENTRY}`"), LINK));
        }
        let engine = engine::engine()
            .map_err(|cause| Wrong::new(cause, "play the bot on another machine"))?;
        let module = compile(engine, bytes)?;
        let mut linker = Linker::new(engine);
        wasi::add(&mut linker).map_err(Wrong::broken)?;
        check_imports(&module)?;
        let pre = linker.instantiate_pre(&module).map_err(Wrong::broken)?;
        let ready = Ready::new(&module, pre)?;
        let mut module = Module {
            name: name.to_owned(),
            hash: xxhash_rust::xxh3::xxh3_64(bytes),
            bots: Vec::new(),
            ready,
        };
        module.bots = describe(&module)?;
        Ok(module)
    }
}

/// What is wrong with a module: cause and cure.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    cause: String,
    cure: String,
    /// It is not the module's fault, and another try may end otherwise.
    is_passing: bool,
}

impl Wrong {
    pub(super) fn new(cause: impl Into<String>, cure: impl Into<String>) -> Wrong {
        Wrong {
            cause: cause.into(),
            cure: cure.into(),
            is_passing: false,
        }
    }

    /// Something that is not the module's fault.
    pub(super) fn passing(cause: impl Into<String>, cure: impl Into<String>) -> Wrong {
        Wrong {
            is_passing: true,
            ..Wrong::new(cause, cure)
        }
    }

    /// Makes an error of the engine's message about a module.
    pub(super) fn broken(error: wasmtime::Error) -> Wrong {
        Wrong::new(one_line(&error), "build it again, for wasm32")
    }

    fn of(self, path: &Path) -> LoadError {
        LoadError::new(path, self.cause, self.cure)
    }
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.cause, self.cure)
    }
}

/// An error of the engine in one line.
pub(super) fn one_line(error: &wasmtime::Error) -> String {
    let causes: Vec<String> = error
        .chain()
        .map(|cause| cause.to_string().replace('\n', " "))
        .collect();
    causes.join(": ")
}

/// Refuses a module that needs what this host does not have.
fn check_imports(module: &wasmtime::Module) -> Result<(), Wrong> {
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        if !wasi::has(from, name) {
            let cause = format!("it imports `{name}` of `{from}`, which this host does not have");
            let cure = "a bot reaches the host through hattari_host alone; leave out what needs the import";
            return Err(Wrong::new(cause, cure));
        }
    }
    Ok(())
}

impl Ready {
    fn new(module: &wasmtime::Module, pre: InstancePre<State>) -> Result<Ready, Wrong> {
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

/// Asks the module which bots it holds. All calls together have the fuel of one start.
fn describe(module: &Module) -> Result<Vec<BotInfo>, Wrong> {
    let mended = |cause: String| Wrong::new(cause, "mend the module's descriptors");
    let failed = |misstep: Misstep| match misstep.reach {
        Reach::Outside => Wrong::passing(misstep.message, "try again"),
        _ => mended(misstep.message),
    };
    let mut guest = Guest::open(module, &Limits::default(), "", Refill::Never).map_err(failed)?;
    let factory = guest.factory().map_err(failed)?;
    let (count, descriptor) = (factory.count, factory.descriptor);
    let count: u32 = guest.call("count", &count, ()).map_err(failed)?;
    if count == 0 {
        return Err(mended("it offers no bots".into()));
    }
    if count > BOTS_MAX {
        return Err(mended(format!(
            "it says that it offers {count} bots, at most {BOTS_MAX} are allowed"
        )));
    }
    let mut bots: Vec<BotInfo> = Vec::new();
    for index in 0..count {
        let of = |what: String| mended(format!("descriptor {index} of {count}: {what}"));
        let address: u32 = guest
            .call("descriptor", &descriptor, index)
            .map_err(failed)?;
        let info = read(guest.memory(), address).map_err(of)?;
        if bots.iter().any(|other| other.id == info.id) {
            return Err(mended(format!("two bots have the id `{}`", info.id)));
        }
        bots.push(info);
    }
    Ok(bots)
}

/// Reads one descriptor.
fn read(memory: &[u8], address: u32) -> Result<BotInfo, String> {
    if address == 0 {
        return Err("it is null".into());
    }
    let size: u32 = memory::read(memory, address).map_err(|outside| outside.to_string())?;
    let least = abi::struct_size::<abi32::BotDescriptor>();
    if size < least {
        return Err(format!(
            "struct_size is {size}, at least {least} are needed"
        ));
    }
    let told: abi32::BotDescriptor =
        memory::read(memory, address).map_err(|outside| outside.to_string())?;
    let text = |at: u32, name: &str, most: usize| {
        if at == 0 {
            return Ok(None);
        }
        let bytes =
            memory::text(memory, at, most).map_err(|outside| format!("`{name}`: {outside}"))?;
        let bytes = bytes.ok_or_else(|| format!("`{name}` has no zero within {most} bytes"))?;
        String::from_utf8(bytes.to_vec())
            .map(Some)
            .map_err(|_| format!("`{name}` is not UTF-8"))
    };
    let game = |index: u32| {
        let at = told
            .games
            .checked_add(4 * index)
            .ok_or("`games` has no end")?;
        memory::read::<u32>(memory, at).map_err(|outside| format!("`games`: {outside}"))
    };
    let told = Told {
        flags: told.flags,
        id: told.id,
        version: told.version,
        author: told.author,
        license: told.license,
        description: told.description,
        config_schema_json: told.config_schema_json,
        has_games: told.games != 0,
    };
    check_told(&told, text, game)
}
