//! The host's state for an instance of a module.

use crate::agent::BlockStart;
use crate::agent::backstop::CallMeter;
use crate::agent::instance::{InstanceState, random_stream};
use crate::agent::script::ScopedPtr;
use crate::agent::services::{BlockServices, SERVICES};
use rand_chacha::ChaCha12Rng;
use std::rc::Rc;
use std::sync::Arc;
use wasmtime::{Memory, StoreLimits, Table};

/// Number of services, each of which has a list of functions.
pub(super) const TABLES: usize = 4 + SERVICES.len();

/// Offsets of the host's structs in the block of memory that the host allocates in a module.
/// Between two offsets there is room for the largest struct stored there.
pub(super) mod offsets {
    /// Host struct; the name and the version follow.
    pub(crate) const HOST: u32 = 0;
    /// Name of the host, zero-terminated.
    pub(crate) const NAME: u32 = 24;
    /// Version of the host, zero-terminated.
    pub(crate) const VERSION: u32 = 32;
    /// Lists of the services' functions.
    pub(crate) const SERVICES: u32 = 64;
    /// Argument of a call: information about a block or deal, a decision or a result.
    pub(crate) const CALL: u32 = 128;
    /// Result of a call: a choice, or a text that is passed by address.
    pub(crate) const ANSWER: u32 = 192;
    /// Total size of the structs in bytes.
    pub(crate) const BYTES: u32 = 208;
}

/// The host's state for an instance.
pub(super) struct WasmState {
    pub limits: StoreLimits,
    pub memory: Option<Memory>,
    pub table: Option<Table>,
    /// Meter of the current call. After the watchdog has stopped it, host functions fail and the
    /// answer is ignored. The module's own code can only be stopped by fuel.
    pub meter: Arc<CallMeter>,
    pub instance: InstanceState,
    /// Random numbers for WASI. They are the same in every run.
    pub system_chance: ChaCha12Rng,
    /// Current decision.
    pub turn: Rc<ScopedPtr>,
    /// Services for decisions in the block.
    pub block: BlockServices,
    /// Address of the host's structs.
    pub base: u32,
    /// `true` for each service whose function list has been written.
    pub written: [bool; TABLES],
}

impl WasmState {
    /// Creates the state of an instance of `bot`.
    pub(super) fn new(bot: &str, limits: StoreLimits) -> WasmState {
        WasmState {
            limits,
            memory: None,
            table: None,
            meter: CallMeter::watched(),
            instance: InstanceState::new(bot),
            system_chance: random_stream(!0),
            turn: Rc::default(),
            block: BlockServices::default(),
            base: 0,
            written: [false; TABLES],
        }
    }

    /// Resets the services for a block: the log, the random stream (from the bot's seed) and the
    /// options of the game.
    pub(super) fn start_block(&mut self, start: &BlockStart<'_>) {
        self.instance.restart(start.seed);
        self.block
            .start_block(start.game, start.options_json, start.seed);
    }

    /// Returns `true` for the address of the host struct.
    pub(super) fn is_host(&self, host: u32) -> bool {
        host == self.base + offsets::HOST
    }

    /// Returns `true` for the address of the current decision.
    pub(super) fn is_decision(&self, decision: u32) -> bool {
        decision == self.base + offsets::CALL
    }
}
