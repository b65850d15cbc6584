//! Runs the bodies of the fuzzers with the stored inputs, with inputs that once failed, and with a
//! few thousand mutations of these. `tests/fuzz/run.sh` does the same at length. These tests need
//! no additional programs.
//!
//! `HATTARI_FUZZ_INPUTS` sets the number of mutated inputs per body.

#[path = "../fuzz/bodies/mod.rs"]
pub(crate) mod bodies;

use bodies::{Body, TARGETS};
use hattari_stats::Rng;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Returns the stored inputs of a target: those with high coverage (`corpus`) and those that once
/// failed (`past`).
fn inputs(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut inputs = Vec::new();
    for kind in ["corpus", "past"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../tests/fuzz")
            .join(kind)
            .join(target);
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            inputs.push((path.clone(), fs::read(&path).unwrap()));
        }
    }
    inputs.sort();
    assert!(
        inputs.len() >= 10,
        "the inputs of {target} are kept in tests/fuzz/corpus"
    );
    inputs
}

/// Runs a body. If it fails, panics with the input.
fn hold(body: Body, bytes: &[u8], what: &str) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| body(bytes))) {
        let text = String::from_utf8_lossy(bytes);
        eprintln!("{what} fails; its bytes are {bytes:?}, as text:\n{text}");
        std::panic::resume_unwind(panic);
    }
}

/// Applies a few mutations typical of fuzzers: changed bits and bytes, and parts moved, cut,
/// doubled or taken from another input.
fn change(bytes: &[u8], other: &[u8], numbers: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(bytes.len() + 1);
        let end = (at + numbers.below(16)).min(bytes.len());
        match numbers.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
            1 if at < bytes.len() => {
                bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'\n', b' ', b'{'][numbers.below(8)]
            }
            2 => bytes.insert(at, u8::try_from(numbers.below(256)).unwrap()),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = numbers.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            5 => {
                let from = numbers.below(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().copied().take(32));
            }
            6 if at + 8 <= bytes.len() => {
                let number = [0, 1, u64::MAX, 1 << 31, 1 << 63, 0xffff_fffe][numbers.below(6)];
                bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(number));
            }
            _ => bytes.truncate(at.max(1)),
        }
        bytes.truncate(4096);
    }
    bytes
}

fn replay(target: &str) {
    let (_, body) = TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let inputs = inputs(target);
    for (path, bytes) in &inputs {
        hold(*body, bytes, &path.display().to_string());
    }
    let wanted = std::env::var("HATTARI_FUZZ_INPUTS")
        .ok()
        .and_then(|text| text.parse().ok());
    // Compiling a script takes milliseconds, compiling a module tens of milliseconds, everything
    // else microseconds.
    let wanted = wanted.unwrap_or(match target {
        "lua_scripts" => 150,
        "wasm" => 60,
        _ => 2000,
    });
    // A seed makes the mutations reproducible.
    let mut numbers = Rng::new(0x9e37_79b9_7f4a_7c15);
    for number in 0..wanted {
        let (path, bytes) = &inputs[numbers.below(inputs.len())];
        let other = &inputs[numbers.below(inputs.len())].1;
        let changed = change(bytes, other, &mut numbers);
        hold(
            *body,
            &changed,
            &format!("change {number} of {}", path.display()),
        );
    }
}

#[test]
fn malformed_league_files_cause_no_panic() {
    replay("league");
}

#[test]
fn malformed_play_texts_cause_no_panic() {
    replay("plays");
}

#[test]
fn malformed_answers_of_compiled_bots_cause_no_panic() {
    replay("answers");
}

#[test]
fn malformed_messages_of_workers_cause_no_panic() {
    replay("worker");
}

#[test]
fn arbitrary_values_of_scripts_cause_no_panic() {
    replay("lua_values");
}

#[test]
fn malformed_scripts_cause_no_panic() {
    replay("lua_scripts");
}

#[test]
fn modules() {
    replay("wasm");
}
