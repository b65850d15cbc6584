//! What the fuzzers try. Each body takes any bytes and panics where a promise is broken; `cargo
//! test` plays the same bodies over the kept inputs.

pub(super) mod answers;
pub(super) mod league;
pub(super) mod lua_scripts;
pub(super) mod lua_values;
pub(super) mod plays;
pub(super) mod seat;
#[allow(unexpected_cfgs, reason = "`fuzzing` is set for the fuzzers alone")]
pub(super) mod wasm;
pub(super) mod worker;

/// A body: takes any bytes.
pub(super) type Body = fn(&[u8]);

/// Every target by name, as the folders of inputs are called.
pub(super) const TARGETS: &[(&str, Body)] = &[
    ("league", league::run),
    ("plays", plays::run),
    ("answers", answers::run),
    ("worker", worker::run),
    ("lua_values", lua_values::run),
    ("lua_scripts", lua_scripts::run),
    ("wasm", wasm::run),
];
