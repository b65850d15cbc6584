//! Modules of WebAssembly: whatever their bytes, they are refused with a reason or play, and come to the same a second time.
//!
//! An input changes a module that is right: most bytes that are no change of one are refused at the first look. Each change is
//! four bytes: what to do, where (two bytes, as a share of the module), and with what. An input of `\0asm` is a module itself.

use super::seat::{ask, check, deal, end, start};
use hattari::agent::wasm::{Limits, WasmBot};
use hattari::agent::{Misstep, Seatable};

/// A bot of the first release.
const MODULE: &[u8] = include_bytes!("../../abi-v1/first.wasm");
/// Changes of one input.
const CHANGES: usize = 64;

/// The module with the changes.
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

/// What became of a module, call by call.
fn play(bot: &WasmBot) -> Vec<Result<usize, Misstep>> {
    let told = |outcome: Result<usize, Misstep>| outcome.inspect_err(check);
    let mut agent = match bot.open("{}") {
        Ok(agent) => agent,
        Err(misstep) => return vec![told(Err(misstep))],
    };
    let mut outcomes = Vec::new();
    let mut note = |outcome: Result<usize, Misstep>| {
        outcomes.push(told(outcome));
        outcomes.last().is_some_and(Result::is_ok)
    };
    for _ in 0..2 {
        let _ = note(start(&mut *agent, "{}").map(|()| 0))
            && note(deal(&mut *agent).map(|()| 0))
            && note(ask(&mut *agent).map(|choice| choice.action))
            && note(ask(&mut *agent).map(|choice| choice.action))
            && note(end(&mut *agent).map(|()| 0))
            && note(agent.block_end().map(|()| 0));
    }
    outcomes
}

/// Loads and plays a module twice.
pub(crate) fn run(bytes: &[u8]) {
    let module = if bytes.starts_with(b"\0asm") { bytes.to_vec() } else { changed(bytes) };
    let limits = Limits { fuel: 200_000, memory: 4 << 20 };
    match WasmBot::from_bytes("any.wasm", &module, limits) {
        Ok(bot) => assert_eq!(play(&bot), play(&bot), "the same module comes to the same"),
        Err(wrong) => assert!(!wrong.is_empty() && wrong.len() < 20_000, "{wrong}"),
    }
}
