//! WebAssembly modules: any bytes are rejected with a reason or play, with the same result a second
//! time.
//!
//! An input mutates a valid module, because most random bytes are rejected at once. Each mutation
//! has four bytes: the operation, the position (two bytes, as a share of the module), and the
//! value. An input that starts with `\0asm` is a module itself. For an input that starts with
//! `smith`, wasm-smith generates a module with arbitrary code and the exports of a bot.

use super::seat::{ask, check, deal, end, start};
use hattari_agents::agent::wasm::{WasmBot, WasmLimits};
use hattari_agents::agent::{AgentError, AgentFactory, Notice};

/// A bot of the first release.
const MODULE: &[u8] = include_bytes!("../../abi-v1/first.wasm");
/// Maximum number of mutations per input.
const CHANGES: usize = 64;

/// Returns the mutated module.
fn changed(changes: &[u8]) -> Vec<u8> {
    let mut module = MODULE.to_vec();
    for change in changes.as_chunks::<4>().0.iter().take(CHANGES) {
        let [what, high, low, with] = *change;
        let at = usize::from(u16::from_be_bytes([high, low])) * module.len() / 65536;
        match what % 8 {
            0..=2 => module[at] = with,
            3 | 4 => module[at] ^= 1 << (with % 8),
            5 => module[at] = module[at].wrapping_add(with),
            6 => module.insert(at, with),
            _ => drop(module.remove(at)),
        }
    }
    module
}

/// Returns a module with arbitrary code and the exports of a bot: memory, table, entry and
/// functions. Only the fuzzers are built with wasm-smith; tests skip these inputs.
#[cfg(not(fuzzing))]
fn forged(_: &[u8]) -> Option<Vec<u8>> {
    None
}

#[cfg(fuzzing)]
fn forged(bytes: &[u8]) -> Option<Vec<u8>> {
    use wasm_smith::{Config, Module};
    let config = Config {
        exports: Some(MODULE.to_vec()),
        max_imports: 0,
        gc_enabled: false,
        ..Config::default()
    };
    let mut numbers = arbitrary::Unstructured::new(bytes);
    // Features that the host does not support (threads, several memories, exceptions) are generated
    // as well and must be rejected.
    let config = if bytes.len().is_multiple_of(4) {
        config
    } else {
        Config {
            exceptions_enabled: false,
            memory64_enabled: false,
            relaxed_simd_enabled: false,
            shared_everything_threads_enabled: false,
            threads_enabled: false,
            wide_arithmetic_enabled: false,
            compact_imports_enabled: false,
            ..config
        }
    };
    Module::new(config, &mut numbers)
        .ok()
        .map(|module| module.to_bytes())
}

/// Returns the outcome of a module, call by call.
fn play(bot: &WasmBot) -> Vec<Result<usize, AgentError>> {
    let told = |outcome: Result<usize, AgentError>| outcome.inspect_err(check);
    let mut agent = match bot.open("{}") {
        Ok(agent) => agent,
        Err(agent_error) => return vec![told(Err(agent_error))],
    };
    let mut outcomes = Vec::new();
    let mut note = |outcome: Result<usize, AgentError>| {
        outcomes.push(told(outcome));
        outcomes.last().is_some_and(Result::is_ok)
    };
    for _ in 0..2 {
        let _ = note(start(&mut *agent, "{}").map(|()| 0))
            && note(deal(&mut *agent).map(|()| 0))
            && note(ask(&mut *agent).map(|choice| choice.action))
            && note(ask(&mut *agent).map(|choice| choice.action))
            && note(end(&mut *agent).map(|()| 0))
            && note(agent.notify(&Notice::BlockEnd).map(|()| 0));
    }
    outcomes
}

/// Loads and plays a module twice.
pub(crate) fn run(bytes: &[u8]) {
    let module = match bytes.strip_prefix(b"smith") {
        Some(seed) => forged(seed),
        None if bytes.starts_with(b"\0asm") => Some(bytes.to_vec()),
        None => Some(changed(bytes)),
    };
    let Some(module) = module else { return };
    let limits = WasmLimits {
        fuel: 200_000,
        memory: 4 << 20,
    };
    match WasmBot::from_bytes("any.wasm", &module, limits) {
        Ok(bot) => assert_eq!(play(&bot), play(&bot), "the same module comes to the same"),
        Err(wrong) => assert!(!wrong.is_empty() && wrong.len() < 20_000, "{wrong}"),
    }
}
