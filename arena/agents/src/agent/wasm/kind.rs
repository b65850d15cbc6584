//! The backend for WebAssembly modules, and the factory of their agents.

use super::agent::WasmInstance;
use super::compile::compile_here;
use super::limits::WasmLimits;
use super::module::Module;
use crate::agent::backend::{AgentSpec, Backend, BotFile, BotFileInfo, Finding, Grade};
use crate::agent::instance::PerBlockAgent;
use crate::agent::{Agent, AgentError, AgentFactory, AgentResult, FaultScope, LoadError};
use crate::record::FaultKind;
use crate::text::counted;
use std::path::Path;
use std::sync::Arc;

/// The backend for WebAssembly modules with the C interface.
#[derive(Debug)]
pub(crate) struct WasmBackend;

impl Backend for WasmBackend {
    fn name(&self) -> &'static str {
        "wasm"
    }

    fn file_term(&self) -> &'static str {
        "a WebAssembly module (.wasm)"
    }

    fn accepts(&self, file: &Path) -> bool {
        file.extension()
            .is_some_and(|extension| extension == "wasm")
    }

    fn inspect(&self, file: &Path, _game: &str) -> Result<Arc<BotFileInfo>, LoadError> {
        let module = Module::load(file)?;
        Ok(Arc::new(BotFileInfo {
            hash: module.hash,
            bots: module.bots.clone(),
            isolation: None,
        }))
    }

    /// Returns `true`, because a module must be compiled before its descriptors can be read.
    fn is_slow_to_inspect(&self) -> bool {
        true
    }

    fn agent_factory(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
    ) -> AgentResult<Arc<dyn AgentFactory>> {
        let module =
            Module::load(bot.path).map_err(|error| AgentError::start(error.to_string()))?;
        let path = bot.path.display();
        if module.hash != bot.hash {
            return Err(AgentError::start(format!(
                "{path} has changed since it was inspected"
            )));
        }
        if module.bots.iter().all(|other| other.id != bot.id) {
            let message = format!("{path} does not contain this bot");
            return Err(AgentError::start(message));
        }
        let limits = WasmLimits::of(&spec.budget);
        module.check_memory(&limits)?;
        Ok(Arc::new(WasmBot {
            module,
            id: bot.id.to_owned(),
            limits,
        }))
    }

    fn examine(&self, bot: &BotFile<'_>) -> Vec<Finding> {
        let module = match Module::load(bot.path) {
            Ok(module) => module,
            Err(error) => return vec![Finding::new("module", Grade::Wrong, error.to_string())],
        };
        let held = "all imports are allowed; fuel, memory and stack are limited";
        let bots = counted(module.bots.len() as u64, "bot");
        vec![
            Finding::new("module", Grade::Ok, format!("{bots}; {held}")),
            Finding::descriptor(bot),
        ]
    }
}

/// A bot in a module.
#[derive(Clone, Debug)]
pub struct WasmBot {
    module: Arc<Module>,
    id: String,
    limits: WasmLimits,
}

impl WasmBot {
    /// Creates the first bot of a module in memory. The module is compiled in this process, without
    /// limits of time and memory. `name` is the module's name in messages.
    ///
    /// # Errors
    /// Returns an error if the module is invalid.
    pub fn from_bytes(name: &str, bytes: &[u8], limits: WasmLimits) -> Result<WasmBot, String> {
        let module = Module::new(name, bytes, compile_here).map_err(|wrong| wrong.to_string())?;
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
