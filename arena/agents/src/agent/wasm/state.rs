//! What the host keeps beside a module's memory.

use super::meter::Meter;
use crate::agent::BlockStart;
use crate::agent::instance::{InstanceState, stream};
use crate::agent::script::Loan;
use crate::agent::services::{BlockServices, SERVICES};
use rand_chacha::ChaCha12Rng;
use std::rc::Rc;
use std::sync::Arc;
use wasmtime::{Memory, StoreLimits, Table};

/// Tables of functions that a module may ask for.
pub(super) const TABLES: usize = 3 + SERVICES.len();

/// What the host keeps beside a module's memory.
pub(super) struct State {
    pub limits: StoreLimits,
    pub memory: Option<Memory>,
    pub table: Option<Table>,
    pub services: Services,
    pub meter: Arc<Meter>,
}

/// Where in the host's room what lies: offsets from its start. Each holds the largest struct that
/// lies there.
pub(super) mod room {
    /// The struct of the host, and behind it its name and version.
    pub(crate) const HOST: u32 = 0;
    /// Name of the host, ended by a zero.
    pub(crate) const NAME: u32 = 24;
    /// Its version, ended by a zero.
    pub(crate) const VERSION: u32 = 32;
    /// The tables of functions of services.
    pub(crate) const SERVICES: u32 = 64;
    /// What a call is told: info of a block or deal, a decision, a result.
    pub(crate) const CALL: u32 = 128;
    /// The choice, or a text that goes by its address.
    pub(crate) const ANSWER: u32 = 192;
    /// Bytes of all these.
    pub(crate) const BYTES: u32 = 208;
}

/// The host's side of an instance.
pub(super) struct Services {
    pub instance: InstanceState,
    /// Chance of the system's own kind, which is no chance here.
    pub system_chance: ChaCha12Rng,
    /// What the bot is asked.
    pub turn: Rc<Loan>,
    /// The service for decisions of the game.
    pub block: BlockServices,
    /// Where the host's room starts.
    pub base: u32,
    /// Whether the table of each service is written.
    pub written: [bool; TABLES],
}

impl Services {
    /// Services for an instance of `bot`.
    pub(super) fn new(bot: &str) -> Services {
        Services {
            instance: InstanceState::new(bot),
            system_chance: stream(!0),
            turn: Rc::default(),
            block: BlockServices::default(),
            base: 0,
            written: [false; TABLES],
        }
    }

    /// A block starts.
    pub(super) fn start_block(&mut self, start: &BlockStart<'_>) {
        self.instance.restart(start.seed);
        self.block
            .start_block(start.game, start.options_json, start.seed);
    }

    /// Whether this is the struct of the host that the bot was created with.
    pub(super) fn is_host(&self, host: u32) -> bool {
        host == self.base + room::HOST
    }

    /// Whether this is the decision that the bot is handed.
    pub(super) fn is_decision(&self, decision: u32) -> bool {
        decision == self.base + room::CALL
    }
}
