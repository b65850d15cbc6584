//! The backend for WebAssembly modules.

use super::bot::WasmBot;
use super::limits::WasmLimits;
use super::module::Module;
use crate::agent::backend::{AgentSpec, Backend, BotFile, BotFileInfo, Finding, Grade};
use crate::agent::{AgentError, AgentFactory, AgentResult, LoadError};
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
        let bot = WasmBot::new(module, bot.id, WasmLimits::of(&spec.budget));
        Ok(Arc::new(bot.ok_or_else(|| {
            AgentError::start(format!("{path} does not contain this bot"))
        })?))
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
