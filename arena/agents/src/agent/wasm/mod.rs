//! Bots in WebAssembly: one file for every machine, which can touch nothing but what it is handed.
//!
//! A module keeps to the C interface as a library does, in the layout of a memory with pointers of
//! 4 bytes ([`abi32`](hattari_plugin::abi32)): it exports its memory, its table of functions,
//! `hattari_entry` and an allocator, and the host puts its own functions into the table and its
//! records into the memory. Every block gets a fresh instance.
//!
//! Nothing that decides a game differs between machines. Fuel, counted by instructions, ends what
//! takes too long; which NaN comes of a sum is fixed; there are no threads, no clock but the
//! interface's own, and no chance but by seed. Where memory ends, it ends everywhere. One thing is
//! left to the processor: how deep calls may go before the host's stack ends, for frames differ
//! in size; a module linked with a small stack of its own meets that end first.

mod agent;
mod cache;
mod compile;
mod engine;
mod faults;
mod guest;
mod kind;
mod limits;
mod memory;
mod meter;
mod module;
mod services;
mod wasi;

pub use compile::serve;
pub use kind::Modules;
pub use limits::Limits;

use super::{Agent, Misstep, Seatable};
use agent::WasmAgent;
use module::{Module, Wrong};
use std::sync::Arc;

/// A bot of a module.
#[derive(Clone, Debug)]
pub struct WasmBot {
    module: Arc<Module>,
    id: String,
    limits: Limits,
}

impl WasmBot {
    /// The bot `id` of the module, if it has one of that name.
    fn new(module: Arc<Module>, id: &str, limits: Limits) -> Option<WasmBot> {
        let known = module.bots.iter().any(|bot| bot.id == id);
        known.then(|| WasmBot {
            module,
            id: id.to_owned(),
            limits,
        })
    }

    /// The first bot of a module that is given by its bytes, compiled in this process without
    /// limits of time and memory; `name` is what messages call it.
    ///
    /// # Errors
    /// What is wrong with the module, in words.
    pub fn from_bytes(name: &str, bytes: &[u8], limits: Limits) -> Result<WasmBot, String> {
        let compile =
            |engine: &_, bytes: &_| wasmtime::Module::new(engine, bytes).map_err(Wrong::broken);
        let module = Module::new(name, bytes, compile).map_err(|wrong| wrong.to_string())?;
        let id = module.bots[0].id.clone();
        Ok(WasmBot {
            module: Arc::new(module),
            id,
            limits,
        })
    }
}

impl Seatable for WasmBot {
    /// Creates the first instance, so that a config that the bot refuses is told before anything is
    /// played.
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let mut agent =
            WasmAgent::new(Arc::clone(&self.module), &self.id, config_json, self.limits);
        agent.create()?;
        Ok(Box::new(agent))
    }

    fn has_backstop(&self) -> bool {
        true
    }
}
