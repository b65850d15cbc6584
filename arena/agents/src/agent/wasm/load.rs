//! Loading of modules. Files are read, checked and compiled once; then their descriptors are read.

use super::guest::{ModuleInstance, Refill};
use super::limits::WasmLimits;
use super::memory::OutOfBounds;
use super::module::{ENTRY, Exports, LINK, Module, ModuleProblem};
use super::{cache, compile, memory, wasi};
use crate::agent::bot::{BOTS_MAX, check_descriptor, read_descriptors};
use crate::agent::{AgentError, BotInfo, FaultScope, LoadError, lock};
use crate::files;
use hattari_plugin::{abi, abi32};
use sha2::{Digest, Sha256};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, Mutex};
use wasmtime::{Engine, Linker};

/// Maximum number of modules that this process keeps loaded.
const HELD: usize = 32;
/// Maximum memory of a module while its descriptors are read, in bytes.
const LOAD_BYTES_MAX: usize = 1 << 30;

/// Results of loading the most recent modules, with the digests of the modules. Locked while a
/// module is loaded, so that modules are compiled one at a time, and each module only once.
static KNOWN: Mutex<Vec<([u8; 32], LoadOutcome)>> = Mutex::new(Vec::new());
type LoadOutcome = Result<Arc<Module>, ModuleProblem>;

impl Module {
    /// Loads the module at `path`. Compiles it unless this process or the cache contains it. Waits
    /// if another thread is loading a module.
    ///
    /// # Errors
    /// Returns an error if the file is not a module, needs imports that this host does not have, or
    /// has invalid descriptors.
    pub(super) fn load(path: &Path) -> Result<Arc<Module>, LoadError> {
        let bytes = files::read(path, WasmLimits::FILE).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => LoadError::new(
                path,
                error.to_string(),
                format!("a module can have at most {} MiB", WasmLimits::FILE >> 20),
            ),
            _ => LoadError::unreadable(path, &error),
        })?;
        let digest: [u8; 32] = Sha256::digest(&bytes).into();
        let of_path = |wrong: ModuleProblem| wrong.of(path);
        let mut known = lock(&KNOWN);
        if let Some((_, outcome)) = known.iter().find(|(other, _)| *other == digest) {
            return outcome.clone().map_err(of_path);
        }
        let name = files::name_of(path);
        let outcome = Module::new(&name, &bytes, |engine, bytes| {
            cache::module(engine, &name, bytes)
        })
        .map(Arc::new);
        if !outcome.as_ref().is_err_and(|wrong| wrong.is_temporary) {
            if known.len() == HELD {
                drop(known.remove(0));
            }
            known.push((digest, outcome.clone()));
        }
        outcome.map_err(of_path)
    }

    /// Checks the bytes of a module, compiles it with `compile` and reads its descriptors. `name`
    /// is the module's name in messages.
    pub(super) fn new(
        name: &str,
        bytes: &[u8],
        compile: impl FnOnce(&Engine, &[u8]) -> Result<wasmtime::Module, ModuleProblem>,
    ) -> Result<Module, ModuleProblem> {
        if !bytes.starts_with(b"\0asm") {
            return Err(ModuleProblem::new("it is not a WebAssembly module", LINK));
        }
        // Checked before compiling, because a folder may contain modules of other programs.
        if !bytes
            .windows(ENTRY.len())
            .any(|window| window == ENTRY.as_bytes())
        {
            return Err(ModuleProblem::new(
                format!("it does not export `{ENTRY}`"),
                LINK,
            ));
        }
        let engine = compile::engine()
            .map_err(|cause| ModuleProblem::new(cause, "run the bot on another machine"))?;
        let module = compile(engine, bytes)?;
        let mut linker = Linker::new(engine);
        wasi::add(&mut linker, &module)?;
        let pre = linker
            .instantiate_pre(&module)
            .map_err(ModuleProblem::broken)?;
        let mut module = Module {
            name: name.to_owned(),
            hash: xxhash_rust::xxh3::xxh3_64(bytes),
            bots: Vec::new(),
            pre,
            exports: Exports::of(&module)?,
        };
        module.bots = describe(&module)?;
        Ok(module)
    }
}

/// Reads the descriptors by calling the module's functions. All calls together may use as much fuel
/// as the start of a block. More memory is allowed than by default, because a league may allow it.
fn describe(module: &Module) -> Result<Vec<BotInfo>, ModuleProblem> {
    let mended = |cause: String| ModuleProblem::new(cause, "fix the module's descriptors");
    let failed = |agent_error: AgentError| match agent_error.scope {
        FaultScope::Outside => ModuleProblem::temporary(agent_error.message),
        _ => mended(agent_error.message),
    };
    let limits = WasmLimits {
        memory: LOAD_BYTES_MAX,
        ..WasmLimits::default()
    };
    let mut guest = ModuleInstance::open(module, &limits, "", Refill::Never).map_err(failed)?;
    let factory = guest.factory().map_err(failed)?;
    let (count, descriptor) = (factory.count, factory.descriptor);
    let count: u32 = guest.call("count", &count, ()).map_err(failed)?;
    let addresses: Vec<u32> = (0..count.min(BOTS_MAX))
        .map(|index| guest.call("descriptor", &descriptor, index))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let memory = guest.memory();
    read_descriptors(count, |index| read(memory, addresses[index as usize])).map_err(mended)
}

/// Reads one descriptor.
fn read(memory: &[u8], address: u32) -> Result<BotInfo, String> {
    if address == 0 {
        return Err("it is null".into());
    }
    let outside = |error: OutOfBounds| error.to_string();
    let size: u32 = memory::read(memory, address).map_err(outside)?;
    let least = abi::struct_size::<abi32::BotDescriptor>();
    if size < least {
        return Err(format!(
            "struct_size is {size}; at least {least} is required"
        ));
    }
    let told: abi32::BotDescriptor = memory::read(memory, address).map_err(outside)?;
    let text = |at: u32, name: &str, most: usize| {
        if at == 0 {
            return Ok(None);
        }
        let bytes =
            memory::text(memory, at, most).map_err(|outside| format!("`{name}`: {outside}"))?;
        let bytes = bytes
            .ok_or_else(|| format!("`{name}` must end with a zero byte within {most} bytes"))?;
        String::from_utf8(bytes.to_vec())
            .map(Some)
            .map_err(|_| format!("`{name}` is not UTF-8"))
    };
    let game = |index: u32| {
        let at = told
            .games
            .checked_add(4 * index)
            .ok_or("`games` does not end with a null")?;
        memory::read::<u32>(memory, at).map_err(|outside| format!("`games`: {outside}"))
    };
    let texts = [
        told.id,
        told.version,
        told.author,
        told.license,
        told.description,
        told.config_schema_json,
    ];
    let game = (told.games != 0).then_some(game);
    check_descriptor(told.flags, texts, text, game)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Budget;

    #[test]
    fn a_module_with_a_large_memory_is_loaded_and_the_limit_is_that_of_the_league() {
        let first = include_bytes!("../../../../../tests/abi-v1/first.wasm");
        // The memory section of a module with 2 pages, and of one with 16,384.
        let (small, large) = (b"\x05\x03\x01\x00\x02", b"\x05\x05\x01\x00\x80\x80\x01");
        let at = first
            .windows(small.len())
            .position(|part| part == small)
            .unwrap();
        let bytes = [&first[..at], large, &first[at + small.len()..]].concat();
        let module = Module::new("large.wasm", &bytes, compile::compile_here).unwrap();
        let limits = |memory_mb| {
            WasmLimits::of(&Budget {
                memory_mb,
                ..Budget::default()
            })
        };
        assert_eq!(module.check_memory(&limits(Some(1024))), Ok(()));
        assert_eq!(
            module.check_memory(&limits(None)).unwrap_err().message,
            "large.wasm: its memory has 1024 MiB at the start; 512 MiB are allowed (`memory_mb`)"
        );
    }
}
