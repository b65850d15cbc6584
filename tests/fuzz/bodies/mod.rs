//! What the fuzzers try. Each body takes any bytes and panics where a promise is broken; `cargo test` plays the same bodies
//! over the kept inputs.

pub mod answers;
pub mod league;
pub mod lua_scripts;
pub mod lua_values;
pub mod plays;
pub mod seat;
pub mod worker;

/// A body: takes any bytes.
pub type Body = fn(&[u8]);

/// Every target by name, as the folders of inputs are called.
pub const TARGETS: &[(&str, Body)] = &[
    ("league", league::run),
    ("plays", plays::run),
    ("answers", answers::run),
    ("worker", worker::run),
    ("lua_values", lua_values::run),
    ("lua_scripts", lua_scripts::run),
];
