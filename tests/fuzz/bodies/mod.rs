//! The bodies of the fuzzers. Each accepts any bytes and panics if a guarantee is violated.
//! `cargo test` runs the same bodies with the stored inputs.

pub(super) mod answers;
pub(super) mod league;
pub(super) mod lua_scripts;
pub(super) mod lua_values;
pub(super) mod plays;
pub(crate) mod seat;
#[allow(unexpected_cfgs, reason = "`fuzzing` is set for the fuzzers alone")]
pub(super) mod wasm;
pub(super) mod worker;

/// A body: accepts any bytes.
pub(super) type Body = fn(&[u8]);

/// All targets by name; the folders of inputs have the same names.
pub(super) const TARGETS: &[(&str, Body)] = &[
    ("league", league::run),
    ("plays", plays::run),
    ("answers", answers::run),
    ("worker", worker::run),
    ("lua_values", lua_values::run),
    ("lua_scripts", lua_scripts::run),
    ("wasm", wasm::run),
];
