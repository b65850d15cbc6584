//! The factory of agents of a WebAssembly bot.

use super::agent::WasmInstance;
use super::limits::WasmLimits;
use super::module::Module;
use super::problem::ModuleProblem;
use crate::agent::per_block::PerBlockAgent;
use crate::agent::{Agent, AgentError, AgentFactory, AgentResult, FaultScope};
use crate::record::FaultKind;
use std::sync::Arc;

/// A bot in a module.
#[derive(Clone, Debug)]
pub struct WasmBot {
    module: Arc<Module>,
    id: String,
    limits: WasmLimits,
}

impl WasmBot {
    /// Creates the bot `id`; `None` if the module does not contain it.
    pub(super) fn new(module: Arc<Module>, id: &str, limits: WasmLimits) -> Option<WasmBot> {
        module.bots.iter().any(|bot| bot.id == id).then(|| WasmBot {
            module,
            id: id.to_owned(),
            limits,
        })
    }

    /// Creates the first bot of a module in memory. The module is compiled in this process, without
    /// limits of time and memory. `name` is the module's name in messages.
    ///
    /// # Errors
    /// Returns an error if the module is invalid.
    pub fn from_bytes(name: &str, bytes: &[u8], limits: WasmLimits) -> Result<WasmBot, String> {
        let compile = |engine: &_, bytes: &_| {
            wasmtime::Module::new(engine, bytes).map_err(ModuleProblem::broken)
        };
        let module = Module::new(name, bytes, compile).map_err(|wrong| wrong.to_string())?;
        let id = module.bots[0].id.clone();
        Ok(WasmBot {
            module: Arc::new(module),
            id,
            limits,
        })
    }

    fn create(&self, config_json: &str) -> AgentResult<WasmInstance> {
        WasmInstance::new(&self.module, self.limits, &self.id, config_json).map_err(|agent_error| {
            AgentError {
                kind: match agent_error.kind {
                    FaultKind::Clock => FaultKind::Clock,
                    _ => FaultKind::Start,
                },
                message: format!(
                    "{} ({}): {}",
                    self.id, self.module.name, agent_error.message
                ),
                scope: agent_error.scope.at_least(FaultScope::Deal),
            }
        })
    }
}

impl AgentFactory for WasmBot {
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        let (bot, config_json) = (self.clone(), config_json.to_owned());
        let make = move || bot.create(&config_json);
        Ok(Box::new(PerBlockAgent::new(make)?))
    }

    fn has_backstop(&self) -> bool {
        true
    }
}
