//! The backend for scripts.

use super::limits::ScriptLimits;
use super::modules::{self, source};
use super::script::Script;
use crate::agent::backend::{
    AgentSpec, Backend, BotFile, BotFileInfo, BotTestResult, SearchFolder, folder_game, stem,
};
use crate::agent::{AgentError, AgentFactory, AgentResult, LoadError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The backend for scripts in Luau.
#[derive(Debug)]
pub(crate) struct ScriptBackend;

impl ScriptBackend {
    fn load(bot: &BotFile<'_>, spec: &AgentSpec) -> AgentResult<Script> {
        let game = bot.games.first().map_or("", String::as_str);
        Ok(Script::load(bot.path)?
            .in_game(game)
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

    fn search_folder(&self) -> SearchFolder {
        SearchFolder::FolderOfGame
    }

    fn inspect(&self, file: &Path, game: &str) -> Result<Arc<BotFileInfo>, LoadError> {
        let wrong = |agent_error: AgentError| LoadError::source(file, &agent_error);
        let script = Script::load(file).map_err(wrong)?.in_game(game);
        let mut bot = script.about().map_err(wrong)?;
        bot.id = stem(file);
        if bot.description.is_empty() {
            bot.description.clone_from(&script.code.headline);
        }
        if bot.games.is_empty() {
            // The game of the file's folder, or else the requested game.
            bot.games.push(folder_game(file).unwrap_or(game).to_owned());
        }
        Ok(Arc::new(BotFileInfo {
            hash: script.code.hash,
            bots: vec![bot],
            isolation: None,
        }))
    }

    fn related_files(&self, file: &Path) -> Vec<PathBuf> {
        // A file that is too long is not a bot and has no helper files.
        let text = source(file)
            .ok()
            .filter(|text| text.len() <= ScriptLimits::SOURCE)
            .unwrap_or_default();
        modules::of(file, &String::from_utf8_lossy(&text))
            .unwrap_or_default()
            .into_iter()
            .map(|module| module.path)
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

    fn run_tests(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
        config_json: &str,
    ) -> AgentResult<Vec<BotTestResult>> {
        ScriptBackend::load(bot, spec)?.run_tests(config_json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Tests with a pipe, which can replace the file between two inspections.
    #[test]
    fn inspecting_a_pipe_does_not_block() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("mine.lua");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(ScriptBackend.related_files(&pipe), Vec::<PathBuf>::new());
        assert!(
            ScriptBackend.inspect(&pipe, "daihinmin").is_err()
                && ScriptBackend.compile(&pipe).is_err()
        );
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
        assert_eq!(ScriptBackend.related_files(&huge), Vec::<PathBuf>::new());
        assert!(
            ScriptBackend.inspect(&huge, "daihinmin").is_err()
                && ScriptBackend.compile(&huge).is_err()
        );
        let bytes = read() - before;
        assert!(bytes < 4 * ScriptLimits::SOURCE, "{bytes} bytes were read");
    }
}
