//! What bots may use.

use serde::{Deserialize, Serialize};

/// What bots may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Time for a decision in microseconds, `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision_us: Option<u64>,
    /// Time for all calls of an entrant in a block together, in microseconds, `None` for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_us: Option<u64>,
    /// Memory of a compiled bot in a process of its own, and of one in WebAssembly, in MiB, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Steps of a Lua bot in a decision, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lua_steps: Option<u64>,
    /// Memory of a Lua bot in MiB, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lua_memory_mb: Option<u64>,
    /// Fuel of a bot in WebAssembly in a decision, `None` for the host's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasm_fuel: Option<u64>,
}
