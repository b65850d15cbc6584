//! The backend for scripts: the factory of a script's agents, its description, and the tests that
//! it contains.

use super::about;
use super::agent::{AT_START, MEMORY_KEY, ScriptAgent};
use super::limits::ScriptLimits;
use super::script::{Script, helpers_of, source};
use super::state::{LuaState, Slot};
use crate::agent::backend::{
    AgentSpec, Backend, BotFile, BotFileInfo, BotTestResult, folder_game, stem,
};
use crate::agent::{Agent, AgentError, AgentFactory, AgentResult, BotInfo, LoadError};
use mlua::ffi;
use std::ffi::c_int;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The backend for scripts in Luau.
#[derive(Debug)]
pub(crate) struct ScriptBackend;

impl ScriptBackend {
    fn load(bot: &BotFile<'_>, spec: &AgentSpec) -> AgentResult<Script> {
        Ok(Script::load(bot.path)?
            .in_game(bot.game)
            .with_limits(ScriptLimits::of(&spec.budget)))
    }
}

impl Backend for ScriptBackend {
    fn name(&self) -> &'static str {
        "script"
    }

    fn file_term(&self) -> &'static str {
        "a script (.lua)"
    }

    fn accepts(&self, file: &Path) -> bool {
        file.extension().is_some_and(|extension| extension == "lua" || extension == "luau")
            && !file.to_string_lossy().ends_with(".d.luau")
            // Names of helper files among the bots begin with an underscore.
            && !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('_'))
    }

    fn is_in_folder_of_game(&self) -> bool {
        true
    }

    fn inspect(&self, file: &Path, game: &str) -> Result<Arc<BotFileInfo>, LoadError> {
        let wrong = |agent_error: AgentError| LoadError::source(file, &agent_error);
        let game = folder_game(file).unwrap_or(game);
        let script = Script::load(file).map_err(wrong)?.in_game(game);
        let mut bot = script.about().map_err(wrong)?;
        bot.id = stem(file);
        if bot.description.is_empty() {
            bot.description.clone_from(&script.code.headline);
        }
        if bot.games.is_empty() {
            // The game of the file's folder, or else the requested game.
            bot.games.push(game.to_owned());
        }
        Ok(Arc::new(BotFileInfo {
            hash: script.code.hash,
            bots: vec![bot],
            isolation: None,
        }))
    }

    fn related_files(&self, file: &Path) -> Vec<PathBuf> {
        // A file that is too long is not a bot and has no helper files.
        let text = source(file).unwrap_or_default();
        if text.len() > ScriptLimits::SOURCE {
            return Vec::new();
        }
        helpers_of(file, &String::from_utf8_lossy(&text))
            .unwrap_or_default()
            .into_iter()
            .map(|helper| helper.path)
            .collect()
    }

    fn compile(&self, file: &Path) -> AgentResult {
        Script::load(file).map(drop)
    }

    fn agent_factory(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
    ) -> AgentResult<Arc<dyn AgentFactory>> {
        Ok(Arc::new(ScriptBackend::load(bot, spec)?))
    }

    /// Runs the script's tests in the order of their names. Before each test, the machine is reset
    /// and the script's chunk is run again. Returns an empty list if the script has no table
    /// `tests`.
    fn run_tests(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
        config_json: &str,
    ) -> AgentResult<Vec<BotTestResult>> {
        let script = ScriptBackend::load(bot, spec)?;
        let mut agent = script.prepared(config_json)?;
        let names = agent.inspect(|state, bot| test_names(state, bot, &script.code.name))?;
        let mut outcomes = Vec::new();
        for name in names {
            agent.prepare(script.game(), 0)?;
            let is_there = agent.inspect(|state, bot| {
                let tests = state.get(bot, "tests");
                let has = state.kind(tests) == ffi::LUA_TTABLE
                    && state.kind(state.get(tests, &name)) == ffi::LUA_TFUNCTION;
                if has {
                    state.save(Slot::Test);
                }
                Ok(has)
            })?;
            let failure = if is_there {
                agent
                    .run_test()
                    .err()
                    .map(|agent_error| agent_error.message)
            } else {
                Some("the test is missing when the file is run again".to_owned())
            };
            outcomes.push(BotTestResult { name, failure });
        }
        Ok(outcomes)
    }
}

/// Maximum number of tests in a script.
const TESTS_MAX: usize = 1000;

impl Script {
    /// Runs the script once with an empty config and returns its description, without id.
    ///
    /// # Errors
    /// Returns an error if the script does not start.
    pub fn about(&self) -> AgentResult<BotInfo> {
        let agent = self.prepared("{}").map_err(|mut agent_error| {
            // The message must not suggest the league's limits, which are not known yet.
            let at_start = "when the file is first read (before `lua_steps` applies)";
            agent_error.message = agent_error
                .message
                .replace(AT_START, at_start)
                .replace(MEMORY_KEY, "");
            agent_error
        });
        agent?.inspect(|state, bot| about::read(state, bot, &self.code.name))
    }

    /// Returns an agent that has run the script's chunk. An empty text means an empty config.
    fn prepared(&self, config_json: &str) -> AgentResult<ScriptAgent> {
        let is_empty = config_json.trim().is_empty();
        let text = if is_empty { "{}" } else { config_json };
        let config = serde_json::from_str(text).map_err(|error| {
            AgentError::start(format!("{}: config is not JSON ({error})", self.code.name))
        })?;
        let mut agent = ScriptAgent::new(self.clone(), config);
        agent.prepare(self.game(), 0)?;
        Ok(agent)
    }
}

impl AgentFactory for Script {
    fn open(&self, config_json: &str) -> AgentResult<Box<dyn Agent>> {
        // Reports now, and not in every block, that a script cannot start.
        Ok(Box::new(self.prepared(config_json)?))
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
        let name = state.valid_text(tests + 1, usize::MAX);
        names.push(name.filter(|_| is_function).ok_or_else(wrong)?);
        state.truncate(tests);
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    use std::fs;

    #[track_caller]
    fn is_refused(file: &Path) {
        assert_eq!(ScriptBackend.related_files(file), Vec::<PathBuf>::new());
        assert!(ScriptBackend.inspect(file, "daihinmin").is_err());
        assert!(ScriptBackend.compile(file).is_err());
    }

    /// Tests with a pipe, which can replace the file between two inspections.
    #[test]
    fn inspecting_a_pipe_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("mine.lua");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        is_refused(&pipe);
    }

    /// `hattari watch` inspects the file every 40 ms.
    #[cfg(target_os = "linux")]
    #[test]
    fn inspecting_a_huge_script_reads_only_up_to_the_size_limit() {
        let folder = tempfile::tempdir().unwrap();
        let huge = folder.path().join("mine.lua");
        fs::File::create(&huge).unwrap().set_len(300 << 20).unwrap();
        let read = || -> usize {
            let told = fs::read_to_string("/proc/thread-self/io").unwrap();
            told.lines()
                .find_map(|line| line.strip_prefix("rchar: "))
                .unwrap()
                .parse()
                .unwrap()
        };
        let before = read();
        is_refused(&huge);
        let bytes = read() - before;
        assert!(bytes < 4 * ScriptLimits::SOURCE, "{bytes} bytes were read");
    }
}
