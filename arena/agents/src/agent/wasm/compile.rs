//! The WebAssembly engine, and compilation of modules in a separate process.
//!
//! The author of a module determines the cost of compiling it: a few hundred KiB can take minutes
//! and gigabytes of memory. So this program starts itself as a child (`hattari worker --compile`)
//! with limits of memory and processor time. The child reads a module from standard input and
//! writes the code, or an error, to standard output.

use super::limits::WasmLimits;
use super::module::{ModuleProblem, one_line};
use crate::agent::process::{self, set_limit};
use rustix::process::{Resource, Signal};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{ExitStatus, Stdio};
use std::sync::LazyLock;
use wasmparser::{Operator, Parser, Payload};
use wasmtime::{
    Config, Engine, InstanceAllocationStrategy, Module, OptLevel, PoolingAllocationConfig, Result,
    Strategy,
};

/// Processor time limit in seconds.
const SECONDS: u64 = 30;
/// Memory limit in MiB, on top of the memory that the program itself uses.
const MEMORY_MB: u64 = 1024;
/// Maximum number of local variables of a function times its number of branches. The size of the
/// compiler's largest tables grows with this product.
const LOCALS_TIMES_BRANCHES: u64 = 4_000_000;
/// Maximum size of compiled code in bytes.
pub(super) const CODE: u64 = 256 << 20;

/// First byte of an answer that contains code.
const DONE: u8 = b'c';
/// First byte of an answer that contains cause and remedy, one per line. The remedy may be missing
/// if it is [`SMALLER`].
const REFUSED: u8 = b'r';
/// Remedy for a module that takes too much time or memory to compile.
const SMALLER: &str = "build it with optimisation, and split its largest functions";

/// Compiles a module in a child process. `name` is an argument of the process, so that process
/// lists show it.
///
/// # Errors
/// Returns an error if the module is invalid or exceeds a limit, or if the child cannot be started.
pub(super) fn compile(name: &str, bytes: &[u8]) -> Result<Vec<u8>, ModuleProblem> {
    let (answer, status) = run(name, bytes).map_err(|error| {
        ModuleProblem::temporary(format!("the compiler process failed: {error}"))
    })?;
    read(answer, status)
}

/// Compiles a module in this process, without limits of time and memory.
///
/// # Errors
/// Returns an error if the module is invalid.
pub(super) fn compile_here(engine: &Engine, bytes: &[u8]) -> Result<Module, ModuleProblem> {
    Module::new(engine, bytes).map_err(ModuleProblem::broken)
}

/// Runs a child process and returns its output and exit status. The child's own limits end it after
/// some time.
fn run(name: &str, bytes: &[u8]) -> io::Result<(Vec<u8>, ExitStatus)> {
    let mut child = process::worker_command()?
        .args(["--compile", "--", name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // Fails if the child has ended early; its answer contains the cause.
        _ = input.write_all(bytes);
    }
    // The child answers after it has read the whole module.
    let mut answer = Vec::new();
    if let Some(output) = child.stdout.take() {
        output.take(1 + CODE).read_to_end(&mut answer)?;
    }
    Ok((answer, child.wait()?))
}

/// Returns the code or the error in the answer of a child that has ended.
fn read(mut answer: Vec<u8>, status: ExitStatus) -> Result<Vec<u8>, ModuleProblem> {
    if let Some(cause) = exceeded_limit(status) {
        return Err(ModuleProblem::new(cause, SMALLER));
    }
    match answer.first() {
        Some(&DONE) if status.success() => {
            answer.remove(0);
            Ok(answer)
        }
        Some(&REFUSED) if status.success() => {
            let text = String::from_utf8_lossy(&answer[1..]);
            let (cause, remedy) = text.split_once('\n').unwrap_or((&text, SMALLER));
            Err(ModuleProblem::new(cause, remedy))
        }
        _ => Err(ModuleProblem::temporary(format!(
            "the compiler process returned no result ({status})"
        ))),
    }
}

fn too_much_memory() -> String {
    format!("compiling it takes more than {MEMORY_MB} MiB of memory, which is the limit")
}

/// Returns an error message if the exit status shows that the child has exceeded a limit.
fn exceeded_limit(status: ExitStatus) -> Option<String> {
    use std::os::unix::process::ExitStatusExt;
    match status.signal().and_then(Signal::from_named_raw)? {
        Signal::XCPU => Some(format!(
            "compiling it takes more than {SECONDS} s of processor time, which is the limit"
        )),
        // A Rust program aborts when an allocation fails.
        Signal::ABORT => Some(too_much_memory()),
        _ => None,
    }
}

/// Compiles the module that is read from standard input. This is the main function of the child.
///
/// # Errors
/// Returns an error if the host did not start this process, or if a system call fails.
pub fn serve() -> io::Result<()> {
    if !process::is_worker() {
        return Err(io::Error::other(
            "the module compiler can only be started by `hattari`",
        ));
    }
    limit_resources()?;
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .take(WasmLimits::FILE)
        .read_to_end(&mut bytes)?;
    // The compiler's allocators panic if there is no memory.
    let outcome = catch_unwind(AssertUnwindSafe(|| check_and_compile(&bytes)));
    let (kind, body) = match outcome.unwrap_or_else(|panic| Err(panic_error(&*panic))) {
        Ok(code) => (DONE, code),
        Err(cause) if cause.contains("out of memory") => (REFUSED, too_much_memory().into_bytes()),
        Err(cause) => (REFUSED, cause.into_bytes()),
    };
    let mut output = io::stdout().lock();
    output.write_all(&[kind])?;
    output.write_all(&body)?;
    output.flush()
}

/// Returns the error for a panic of the compiler.
fn panic_error(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref().copied());
    format!(
        "the compiler failed ({})",
        text.unwrap_or("no reason given").replace('\n', " ")
    )
}

/// Compiles a module.
///
/// # Errors
/// Returns cause and remedy, one per line; without a remedy, it is [`SMALLER`].
fn check_and_compile(bytes: &[u8]) -> Result<Vec<u8>, String> {
    check_functions(bytes)?;
    compiler()
        .and_then(|engine| engine.precompile_module(bytes))
        .map_err(|error| format!("{}\nbuild it again for wasm32", one_line(&error)))
}

/// Checks the numbers of local variables and branches of each function. They determine the cost of
/// compiling.
///
/// # Errors
/// Returns an error if a function exceeds the limit. The compiler reports other defects.
fn check_functions(bytes: &[u8]) -> Result<(), String> {
    let bodies = Parser::new(0)
        .parse_all(bytes)
        .map_while(Result::ok)
        .filter_map(|part| match part {
            Payload::CodeSectionEntry(body) => Some(body),
            _ => None,
        });
    for (number, body) in bodies.enumerate() {
        let (Ok(groups), Ok(operators)) = (body.get_locals_reader(), body.get_operators_reader())
        else {
            return Ok(());
        };
        let locals: u64 = groups
            .into_iter()
            .map_while(Result::ok)
            .map(|(count, _)| u64::from(count))
            .sum();
        // The number of jump targets of all instructions.
        let branches: u64 = operators
            .into_iter()
            .map_while(Result::ok)
            .map(|operator| match operator {
                Operator::Loop { .. }
                | Operator::If { .. }
                | Operator::Br { .. }
                | Operator::BrIf { .. } => 1,
                Operator::BrTable { targets } => 1 + u64::from(targets.len()),
                _ => 0,
            })
            .sum();
        if LOCALS_TIMES_BRANCHES < locals.saturating_mul(branches) {
            return Err(format!(
                "its function {number} has {locals} local variables and {branches} branches; the \
                 product must be at most {LOCALS_TIMES_BRANCHES}"
            ));
        }
    }
    Ok(())
}

/// Limits the resources of this process. On Linux, also makes the kernel kill it when the host
/// ends.
fn limit_resources() -> io::Result<()> {
    set_limit(Resource::Core, 0, 0)?;
    set_limit(Resource::Cpu, SECONDS, SECONDS + 1)?;
    #[cfg(target_os = "linux")]
    {
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
        let bytes = process::address_space()? + (MEMORY_MB << 20);
        set_limit(Resource::As, bytes, bytes)?;
    }
    Ok(())
}

/// Maximum number of simultaneous instances: one per thread and seat.
const INSTANCES: u32 = 1000;
/// Number of bytes at the start of a memory that are reset by copying instead of a system call.
/// Most bots write only a few bytes in a block.
const RESIDENT: usize = 256 << 10;

static ENGINE: LazyLock<Result<Engine, String>> = LazyLock::new(|| {
    // If address space is limited, the pool cannot be reserved and each instance is allocated
    // separately.
    let pooled = InstanceAllocationStrategy::Pooling(pool());
    make(pooled)
        .or_else(|_| compiler())
        .map_err(|error| format!("WebAssembly cannot be run on this machine: {error}"))
});

/// Returns the engine of this process.
pub(super) fn engine() -> Result<&'static Engine, String> {
    ENGINE.as_ref().map_err(Clone::clone)
}

/// Returns an engine that only compiles. [`engine`] accepts the compiled code.
fn compiler() -> Result<Engine> {
    make(InstanceAllocationStrategy::OnDemand)
}

/// Returns a hash of the compiler's version and settings, which compiled code must match.
pub(super) fn settings_hash(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

fn make(instances: InstanceAllocationStrategy) -> Result<Engine> {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .cranelift_opt_level(OptLevel::Speed)
        .allocation_strategy(instances)
        // A bot must be stopped at the same instruction on every machine, so fuel limits it. An
        // epoch (a clock) would also stop memory accesses that miss the cache and take much time
        // for little fuel, but it costs 40 % more instructions.
        .consume_fuel(true)
        .epoch_interruption(false)
        .max_wasm_stack(WasmLimits::STACK)
        // Exclude results that differ between machines: bits of NaN values, and relaxed SIMD. Other
        // SIMD instructions are deterministic.
        .cranelift_nan_canonicalization(true)
        .wasm_simd(true)
        .wasm_relaxed_simd(false)
        // The interface requires a single memory with 32-bit addresses.
        .wasm_memory64(false)
        .wasm_multi_memory(false)
        // Error messages contain function and offset.
        .generate_address_map(true);
    Engine::new(&config)
}

fn pool() -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_core_instances(INSTANCES)
        .total_memories(INSTANCES)
        .total_tables(INSTANCES)
        .max_memories_per_module(1)
        .max_tables_per_module(1)
        .table_elements(WasmLimits::TABLE)
        .linear_memory_keep_resident(RESIDENT)
        .table_keep_resident(RESIDENT);
    pool
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::wasm::module::Module;
    use std::fs;
    use std::path::Path;
    use std::process::Command;
    use std::thread;

    /// Replaces the worker program by a stub that logs each start and rejects all modules.
    fn use_stub(folder: &Path) {
        let (text, program) = (folder.join("stub.sh"), folder.join("stub"));
        let starts = folder.join("starts");
        let script = format!(
            "#!/bin/sh\necho x >> '{}'\n/bin/cat > /dev/null\n\
             /usr/bin/printf 'rit is broken\\nmend it'\n",
            starts.display()
        );
        fs::write(&text, script).unwrap();
        // Copied by another process: a child of another test could inherit a descriptor open for
        // writing, and then the stub could not be executed.
        let copied = Command::new("/usr/bin/install")
            .args(["-m", "755"])
            .args([&text, &program])
            .status()
            .unwrap();
        assert!(copied.success());
        process::use_program(&program);
    }

    #[test]
    fn a_module_is_compiled_once() {
        let folder = tempfile::tempdir().unwrap();
        use_stub(folder.path());
        let starts = || {
            fs::read_to_string(folder.path().join("starts"))
                .unwrap_or_default()
                .lines()
                .count()
        };
        let broken = folder.path().join("broken.wasm");
        fs::write(&broken, "\0asm\x01\0\0\0hattari_entry").unwrap();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let refused = Module::load(&broken).unwrap_err();
                    assert_eq!(
                        (refused.cause.as_str(), refused.remedy.as_str()),
                        ("it is broken", "mend it")
                    );
                });
            }
        });
        assert_eq!(starts(), 1, "all wait for one");
    }

    #[test]
    fn function_checks_accept_valid_modules_and_unparsable_bytes() {
        let bytes = include_bytes!("../../../../../tests/abi-v1/first.wasm");
        assert_eq!(check_functions(bytes), Ok(()));
        assert_eq!(check_functions(b"\0asm\x01\0\0\0 and no module"), Ok(()));
    }

    #[test]
    fn the_host_engine_accepts_code_that_the_child_process_compiled() {
        let code =
            check_and_compile(include_bytes!("../../../../../tests/abi-v1/first.wasm")).unwrap();
        let engine = engine().unwrap();
        assert_eq!(
            Engine::detect_precompiled(&code),
            Some(wasmtime::Precompiled::Module)
        );
        let child = settings_hash(&compiler().unwrap());
        assert_eq!(settings_hash(engine), child);
    }
}
