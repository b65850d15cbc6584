//! The factory of a script's agents, its description, and the tests that it contains.

use super::about;
use super::agent::{AT_START, ScriptAgent};
use super::script::Script;
use super::slot::Slot;
use super::state::LuaState;
use crate::agent::backend::BotTestResult;
use crate::agent::{Agent, AgentError, AgentFactory, AgentResult, BotInfo};
use mlua::ffi;
use std::ffi::c_int;

/// Maximum number of tests in a script.
const TESTS_MAX: usize = 1000;

impl Script {
    /// Runs the script once with an empty config and returns its description, without id.
    ///
    /// # Errors
    /// Returns an error if the script does not start.
    pub fn about(&self) -> AgentResult<BotInfo> {
        let mut agent = ScriptAgent::new(self.clone(), serde_json::json!({}));
        agent.prepare(self.game(), 0).map_err(|mut agent_error| {
            // The message must not suggest the league's limit, which is not known yet.
            agent_error.message = agent_error.message.replace(
                AT_START,
                "when the file is first read (before `lua_steps` applies)",
            );
            agent_error
        })?;
        agent.inspect(|state, bot| about::read(state, bot, &self.code.name))
    }

    /// Runs the script's tests in the order of their names. Before each test, the machine is reset
    /// and the script's chunk is run again. Returns an empty list if the script has no table
    /// `tests`. `config_json` is the script's config.
    ///
    /// # Errors
    /// Returns an error if the script does not start, or if `tests` is not a table of named
    /// functions.
    pub(super) fn run_tests(&self, config_json: &str) -> AgentResult<Vec<BotTestResult>> {
        let mut agent = ScriptAgent::new(self.clone(), self.config(config_json)?);
        agent.prepare(self.game(), 0)?;
        let names = agent.inspect(|state, bot| test_names(state, bot, &self.code.name))?;
        let mut outcomes = Vec::new();
        for name in names {
            agent.prepare(self.game(), 0)?;
            let is_there = agent.inspect(|state, bot| {
                let tests = state.get(bot, "tests");
                let has = state.kind(tests) == ffi::LUA_TTABLE && {
                    let test = state.get(tests, &name);
                    state.kind(test) == ffi::LUA_TFUNCTION
                };
                if has {
                    state.save(Slot::Test);
                }
                Ok(has)
            })?;
            let failure = if is_there {
                agent
                    .run_test(Slot::Test)
                    .err()
                    .map(|agent_error| agent_error.message)
            } else {
                Some("the test is missing when the file is run again".to_owned())
            };
            outcomes.push(BotTestResult { name, failure });
        }
        Ok(outcomes)
    }

    /// Parses a config; an empty text means an empty config.
    fn config(&self, json: &str) -> AgentResult<serde_json::Value> {
        let text = if json.trim().is_empty() { "{}" } else { json };
        serde_json::from_str(text).map_err(|error| {
            AgentError::start(format!("{}: config is not JSON ({error})", self.code.name))
        })
    }
}

impl AgentFactory for Script {
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        let mut agent = ScriptAgent::new(self.clone(), self.config(config_json)?);
        // Reports now, and not in every block, that a script cannot start.
        agent.prepare(self.game(), 0)?;
        Ok(Box::new(agent))
    }

    fn has_backstop(&self) -> bool {
        true
    }
}

/// Returns the names of the functions in the table `tests`.
fn test_names(state: &LuaState, bot: c_int, file: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("{file}: `tests` must be a table of named functions");
    let tests = state.get(bot, "tests");
    match state.kind(tests) {
        ffi::LUA_TTABLE => {}
        ffi::LUA_TNIL => return Ok(Vec::new()),
        _ => return Err(wrong()),
    }
    let (mut names, mut iterator) = (Vec::new(), 0);
    while state.next_entry(tests, &mut iterator) {
        if names.len() == TESTS_MAX {
            return Err(format!(
                "{file}: `tests` has more than {TESTS_MAX} functions"
            ));
        }
        let is_function = state.kind(tests + 2) == ffi::LUA_TFUNCTION;
        let name = state.text(tests + 1).filter(|_| is_function);
        names.push(String::from_utf8(name.ok_or_else(wrong)?).map_err(|_| wrong())?);
        state.truncate(tests);
    }
    names.sort();
    Ok(names)
}
