//! The backend for programs.

use super::agent::ProgramBot;
use crate::agent::backend::{
    AgentSpec, Backend, BotFile, BotFileInfo, Finding, Grade, HEAD_BYTES, folder_game, headline,
    stem,
};
use crate::agent::launch::FILE_BYTES_MAX;
use crate::agent::{
    AgentError, AgentFactory, AgentResult, BotInfo, CommandLine, Isolation, LaunchCommand,
    LoadError,
};
use crate::games::GameInfo;
use crate::{files, text};
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

/// The backend for programs that exchange messages with the host over standard input and output.
#[derive(Debug)]
pub struct ProgramBackend;

/// Interpreter command for each file extension.
const INTERPRETERS: &[(&str, &[&str])] = &[
    ("py", &["python3"]),
    ("js", &["node"]),
    ("mjs", &["node"]),
    ("jar", &["java", "-jar"]),
    ("rb", &["ruby"]),
    ("pl", &["perl"]),
];

/// Marker in a source file; the names of the supported games follow on the same line.
const GAMES: &str = "hattari-game:";

impl ProgramBackend {
    /// Returns the description of the program that a league's command starts, and the file after
    /// which the bot is named. The bot plays `game` if the file declares no games.
    pub fn of_command(started: &LaunchCommand, game: &str) -> (BotFileInfo, PathBuf) {
        let words = &started.command.words;
        let files: Vec<PathBuf> = started.command.files(&started.base).collect();
        // An absolute path usually names the interpreter, not the bot.
        let file = files
            .iter()
            .find(|file| {
                !file.is_absolute() || words.iter().all(|word| Path::new(word) != file.as_path())
            })
            .or(files.first())
            .cloned()
            .unwrap_or_else(|| words.first().map(Into::into).unwrap_or_default());
        (file_info(started, &file, game), file)
    }
}

impl Backend for ProgramBackend {
    fn name(&self) -> &'static str {
        "program"
    }

    fn file_term(&self) -> &'static str {
        "a program (.py, .js, .jar, .rb, .pl, or an executable file)"
    }

    /// Returns `true` for files with the extension of an interpreter. Another file is accepted if it
    /// is executable and its path contains a separator.
    fn accepts(&self, file: &Path) -> bool {
        interpreter_of(file).is_some()
            || file.to_string_lossy().contains(is_separator) && files::is_executable(file)
    }

    /// Some file systems mark every file as executable.
    fn is_found_by_search(&self, file: &Path) -> bool {
        interpreter_of(file).is_some() || file.extension().is_none()
    }

    fn is_in_folder_of_game(&self) -> bool {
        true
    }

    fn inspect(&self, file: &Path, game: &str) -> Result<Arc<BotFileInfo>, LoadError> {
        let (_, size) = files::open(file).map_err(|error| LoadError::unreadable(file, &error))?;
        if FILE_BYTES_MAX < size {
            let most = FILE_BYTES_MAX >> 20;
            return Err(LoadError::new(
                file,
                format!("it has {size} bytes"),
                format!("a program file can have at most {most} MiB"),
            ));
        }
        // A file that declares no games is a bot for the game of its folder, or else for the
        // requested game.
        let game = folder_game(file).unwrap_or(game);
        Ok(Arc::new(file_info(&file_command(file), file, game)))
    }

    fn launch_command(&self, file: &Path) -> Option<LaunchCommand> {
        Some(file_command(file))
    }

    fn agent_factory(
        &self,
        bot: &BotFile<'_>,
        spec: &AgentSpec,
    ) -> AgentResult<Arc<dyn AgentFactory>> {
        let Some(LaunchCommand { command, base }) = bot.started else {
            return Err(AgentError::start(format!(
                "{}: the bot has no start command",
                bot.path.display()
            )));
        };
        let isolation = spec.isolation.unwrap_or(Isolation::None);
        let bot = ProgramBot::new(
            bot.id,
            command,
            base.clone(),
            bot.hash,
            &spec.budget,
            isolation,
        );
        Ok(Arc::new(bot.map_err(AgentError::start)?))
    }

    fn examine(&self, bot: &BotFile<'_>) -> Vec<Finding> {
        let command = bot
            .started
            .map(|started| started.command.to_string())
            .unwrap_or_default();
        vec![Finding::new("program", Grade::Ok, format!("`{command}`"))]
    }
}

/// Returns the command of the interpreter for the extension of a file.
fn interpreter_of(file: &Path) -> Option<&'static [&'static str]> {
    let extension = file.extension()?;
    INTERPRETERS
        .iter()
        .find(|(known, _)| *known == extension)
        .map(|&(_, words)| words)
}

/// Returns the command that runs a file in its folder, with the interpreter for its extension.
fn file_command(file: &Path) -> LaunchCommand {
    let name = files::name_of(file);
    let words = match interpreter_of(file) {
        Some(words) => words
            .iter()
            .map(|&word| word.to_owned())
            .chain([name])
            .collect(),
        None => vec![format!("./{name}")],
    };
    let base = file.parent().unwrap_or(Path::new("")).to_owned();
    LaunchCommand {
        command: CommandLine {
            words,
            folder: None,
        },
        base,
    }
}

/// Returns the description of a program, which is one bot. It plays `game` if the file declares no
/// games.
fn file_info(started: &LaunchCommand, file: &Path, game: &str) -> BotFileInfo {
    let head = head(file);
    let named = games(&head);
    let bot = BotInfo {
        id: stem(file),
        description: text::escape_for_sentence(&headline(&head)),
        games: if named.is_empty() {
            vec![game.to_owned()]
        } else {
            named
        },
        // The host cannot know whether a program is deterministic, so its answers are stored.
        nondeterministic: true,
        ..BotInfo::default()
    };
    BotFileInfo {
        hash: started.command.hash(&started.base),
        bots: vec![bot],
        isolation: Some(Isolation::None),
    }
}

/// Reads the part of a file that is searched for a description and for game names. Returns an empty
/// text if the file cannot be read.
fn head(file: &Path) -> String {
    let head = files::read_start(file, HEAD_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&head).into_owned()
}

/// Returns the games after the first [`GAMES`] marker. Unknown names are skipped.
fn games(head: &str) -> Vec<String> {
    head.lines()
        .find_map(|line| line.split_once(GAMES))
        .map(|(_, rest)| rest.split(|c: char| c == ',' || c.is_whitespace()))
        .into_iter()
        .flatten()
        .filter_map(GameInfo::find)
        .map(|game| game.name().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_program_is_recognised_by_its_extension_and_run_by_its_interpreter() {
        for (file, words) in [
            ("a/mine.py", "python3 mine.py"),
            ("x.jar", "java -jar x.jar"),
            ("/a b/c d.js", "node 'c d.js'"),
        ] {
            assert!(ProgramBackend.accepts(Path::new(file)), "{file}");
            assert_eq!(file_command(Path::new(file)).command.to_string(), words);
        }
        for file in ["mine", "./no-such-file", "mine.lua", "mine.txt", "a/b.so"] {
            assert!(!ProgramBackend.accepts(Path::new(file)), "{file}");
        }
    }

    #[test]
    fn an_executable_file_with_another_extension_is_a_program_only_by_its_path() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.sh");
        fs::write(&file, "#!/bin/sh\n").unwrap();
        assert!(!ProgramBackend.accepts(&file));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(ProgramBackend.accepts(&file));
        assert!(!ProgramBackend.is_found_by_search(&file));
        assert_eq!(file_command(&file).command.to_string(), "./mine.sh");
    }

    #[test]
    fn the_opening_comment_is_the_description() {
        for (text, line) in [
            (
                "#!/usr/bin/env python3\n\n# Plays low.\nimport x\n",
                "Plays low.",
            ),
            ("\"\"\"Plays low.\"\"\"\n", "Plays low."),
            ("// Plays low.\n// And more.", "Plays low."),
            ("import sys\n# no\n", ""),
            ("--!strict\n--\n-- Plays low.\nreturn {}", "Plays low."),
            ("\u{7f}ELF\u{fffd}", ""),
            ("", ""),
        ] {
            assert_eq!(headline(text), line, "{text}");
        }
    }

    #[test]
    fn the_games_of_a_program_are_read_from_its_source_comment() {
        for (text, expected) in [
            ("# x\n# hattari-game: holdem\n", &["holdem"][..]),
            ("// hattari-game: stud/1, bridge chess", &["stud", "bridge"]),
            ("# x", &[]),
        ] {
            assert_eq!(games(text), expected, "{text}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mine.py");
        let look = |text: &str| {
            fs::write(&file, text).unwrap();
            let file_info = ProgramBackend.inspect(&file, "stud").unwrap();
            (file_info.bots[0].games.clone(), file_info.hash)
        };
        let (games, hash) = look("# hattari-game: holdem\n");
        assert_eq!(games, ["holdem"]);
        assert_eq!(look("").0, ["stud"]);
        assert_eq!(look("# hattari-game: holdem\n").1, hash);
        assert_ne!(look("# hattari-game: holdem \n").1, hash);
    }
}
