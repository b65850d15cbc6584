//! Compiled scripts, and their helper files: files in the same folder that a script loads with
//! `require`.
//!
//! To find the helper files before the script runs, the source text of the script, including
//! comments, is searched for `require` with a quoted name. The bot's hash and its package can thus
//! include the files, and all instances use the same ones. Names without a file are ignored here;
//! `require` raises an error for them.

use super::charges;
use super::limits::ScriptLimits;
use super::state::{self, Bytecode};
use crate::agent::backend::{folder_game, headline};
use crate::agent::{AgentError, AgentResult};
use crate::files;
use crate::games::{GameInfo, all};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The compiled files of a script.
#[derive(Debug)]
pub(super) struct ScriptCode {
    /// Name of the script in messages: the name of its file.
    pub name: String,
    /// First line of the opening comment; empty if there is none.
    pub headline: String,
    /// Hash of the script and its helper files.
    pub hash: u64,
    pub main: Bytecode,
    pub helpers: Vec<CompiledHelper>,
}

/// A compiled helper file.
#[derive(Debug)]
pub(super) struct CompiledHelper {
    /// Name in `require`.
    pub name: String,
    /// Name in messages.
    pub file: String,
    pub bytecode: Bytecode,
}

/// A compiled script.
#[derive(Clone, Debug)]
pub struct Script {
    pub(super) code: Arc<ScriptCode>,
    pub(super) limits: ScriptLimits,
    /// Game of the script's folder, or the requested game.
    folder_game: Option<&'static GameInfo>,
}

impl Script {
    /// Reads and compiles a script of at most [`ScriptLimits::SOURCE`] bytes.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not UTF-8 text, is too long or has a syntax
    /// error. The message for a syntax error contains the line.
    pub fn load(path: &Path) -> AgentResult<Script> {
        Ok(Script {
            code: Arc::new(with_helpers(path).map_err(AgentError::start)?),
            limits: ScriptLimits::default(),
            folder_game: folder_game(path).and_then(GameInfo::find),
        })
    }

    /// Compiles a script from its text; `name` is the script's name in messages.
    ///
    /// # Errors
    /// Returns the errors of [`Script::load`].
    pub fn compile(name: &str, source: &[u8]) -> AgentResult<Script> {
        Ok(Script {
            code: Arc::new(compiled(name, name, source).map_err(AgentError::start)?),
            limits: ScriptLimits::default(),
            folder_game: None,
        })
    }

    /// Returns the same script with other limits.
    #[must_use]
    pub fn with_limits(self, limits: ScriptLimits) -> Script {
        Script { limits, ..self }
    }

    /// Sets the game in which the script is run before a block starts, unless `game` does not
    /// exist.
    #[must_use]
    pub fn in_game(self, game: &str) -> Script {
        Script {
            folder_game: GameInfo::find(game).or(self.folder_game),
            ..self
        }
    }

    /// Returns the game in which the script is run before a league determines the game.
    pub(super) fn game(&self) -> &'static GameInfo {
        self.folder_game.unwrap_or_else(|| all()[0])
    }
}

/// Reads and compiles the main file of a script and its helper files.
fn with_helpers(path: &Path) -> Result<ScriptCode, String> {
    let shown = path.display().to_string();
    let text = source(path).map_err(|error| format!("{shown}: {error}"))?;
    let mut code = compiled(&files::name_of(path), &shown, &text)?;
    let helpers = helpers_of(path, &String::from_utf8_lossy(&text))?;
    code.hash = hash(&text, &helpers);
    for helper in helpers {
        let file = files::name_of(&helper.path);
        code.helpers.push(CompiledHelper {
            name: helper.name,
            bytecode: bytecode(&file, &helper.text)?,
            file,
        });
    }
    Ok(code)
}

/// Compiles the main file of a script. Errors begin with `shown`, the name or the path of the file.
fn compiled(name: &str, shown: &str, source: &[u8]) -> Result<ScriptCode, String> {
    if source.len() > ScriptLimits::SOURCE {
        let kib = ScriptLimits::SOURCE / 1024;
        return Err(format!("{shown}: more than {kib} KiB of source"));
    }
    let text = plain_text(source).ok_or_else(|| format!("{shown}: not UTF-8 text"))?;
    Ok(ScriptCode {
        name: name.to_owned(),
        headline: headline(text),
        hash: hash(source, &[]),
        main: bytecode(shown, text)?,
        helpers: Vec::new(),
    })
}

/// Compiles the text of a file; `name` is the file's name in messages.
fn bytecode(name: &str, text: &str) -> Result<Bytecode, String> {
    state::compile(text, &charges::NOT_INLINE).map_err(|message| format!("{name}:{message}"))
}

/// Maximum number of helper files of a script.
const MODULES_MAX: usize = 64;

/// A file that a script loads with `require`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HelperFile {
    /// Name in `require`: the file name without extension.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
    /// Contents of the file.
    pub text: String,
}

/// Reads the text of a script or helper file. A text that is too long is cut off one byte after the
/// maximum length.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn source(path: &Path) -> io::Result<Vec<u8>> {
    files::read_start(path, ScriptLimits::SOURCE + 1)
}

/// Returns the text of a file; `None` if it is not UTF-8 or contains a zero byte.
fn plain_text(bytes: &[u8]) -> Option<&str> {
    str::from_utf8(bytes)
        .ok()
        .filter(|text| !text.contains('\0'))
}

/// Returns all helper files that the script at `file` requires directly or indirectly, sorted by
/// name. `text` is the content of `file`.
///
/// # Errors
/// Returns a message if a helper file cannot be read or is outside the folder, or if there are too
/// many files or too much text. The message begins with the requiring file.
pub(super) fn helpers_of(file: &Path, text: &str) -> Result<Vec<HelperFile>, String> {
    let folder = files::folder_of(file);
    let mut found: Vec<HelperFile> = Vec::new();
    let mut open = vec![(file.to_owned(), text.to_owned())];
    let mut bytes = text.len();
    while let Some((file, text)) = open.pop() {
        for name in required_names(&text) {
            let fail = |what: String| format!("{}: require: {what}", file.display());
            if found.iter().any(|module| module.name == name) {
                continue;
            }
            let Some(path) = find_helper_file(folder, name).map_err(fail)? else {
                continue;
            };
            let text =
                source(&path).map_err(|error| fail(format!("`{}`: {error}", path.display())))?;
            bytes += text.len();
            if ScriptLimits::SOURCE < bytes {
                return Err(fail(format!(
                    "with `{name}` the bot has more than {} KiB of source",
                    ScriptLimits::SOURCE / 1024
                )));
            }
            let text = plain_text(&text)
                .ok_or_else(|| fail(format!("`{}` is not UTF-8 text", path.display())))?;
            if found.len() == MODULES_MAX {
                return Err(fail(format!(
                    "a bot has at most {MODULES_MAX} helper files"
                )));
            }
            open.push((path.clone(), text.to_owned()));
            found.push(HelperFile {
                name: name.to_owned(),
                path,
                text: text.to_owned(),
            });
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// Returns the quoted names that follow the word `require`, with or without parentheses.
fn required_names(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("require").filter_map(move |(at, word)| {
        if text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let rest = text[at + word.len()..].trim_start();
        let rest = rest.strip_prefix('(').unwrap_or(rest).trim_start();
        let quotes = [("\"", "\""), ("'", "'"), ("[[", "]]")];
        let (rest, end) = quotes
            .iter()
            .find_map(|(open, close)| Some((rest.strip_prefix(open)?, close)))?;
        module_name(&rest[..rest.find(end)?])
    })
}

/// Returns the hash of a script and its helper files. Without helper files it is the hash of the
/// script's text.
fn hash(text: &[u8], modules: &[HelperFile]) -> u64 {
    if modules.is_empty() {
        return xxhash_rust::xxh3::xxh3_64(text);
    }
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    let mut add = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    add(text);
    for module in modules {
        add(module.name.as_bytes());
        add(module.text.as_bytes());
    }
    hash.digest()
}

/// Returns the name of a required file without `./` and extension: `cards` for `./cards.lua`.
/// Returns `None` if the name is empty or contains characters other than letters, digits, `-` and
/// `_`.
fn module_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix("./").unwrap_or(word);
    let name = name
        .strip_suffix(".lua")
        .or_else(|| name.strip_suffix(".luau"))
        .unwrap_or(name);
    (!name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'))
    .then_some(name)
}

/// Returns the helper file `name` in `folder`; `None` if there is none.
///
/// # Errors
/// Returns a message if the file is a symbolic link to a file in another folder.
fn find_helper_file(folder: &Path, name: &str) -> Result<Option<PathBuf>, String> {
    let candidates = ["lua", "luau"].map(|ending| folder.join(format!("{name}.{ending}")));
    let Some(path) = candidates.iter().find(|path| path.is_file()) else {
        return Ok(None);
    };
    let shown = path.display();
    let real = |path: &Path| fs::canonicalize(path).map_err(|error| format!("`{shown}`: {error}"));
    if real(path)?.parent() != Some(&real(folder)?) {
        return Err(format!(
            "`{shown}` is a link to a file outside the bot's folder"
        ));
    }
    Ok(Some(path.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    #[test]
    fn required_helper_files_are_found_in_the_script_text() {
        let folder = folder(&[
            (
                "one.lua",
                "local two = require 'two'\nlocal self = require('one')",
            ),
            (
                "two.luau",
                "-- requires no 'three'\nreturn { text = 'require four', own = view.require(five), required('one') }",
            ),
        ]);
        let main = folder.path().join("mine.lua");
        let found = helpers_of(
            &main,
            "local one = require(\"./one.lua\")\nlocal two = require [[two]]",
        )
        .unwrap();
        let names: Vec<&str> = found.iter().map(|module| module.name.as_str()).collect();
        assert_eq!(names, ["one", "two"]);
        assert_eq!(found[1].path, folder.path().join("two.luau"));
        assert_eq!(
            helpers_of(&main, "return { act = function() return 1 end }").unwrap(),
            []
        );
        // The hash depends on every file.
        let changed = [
            found[0].clone(),
            HelperFile {
                text: "other".into(),
                ..found[1].clone()
            },
        ];
        let hashes = [
            hash(b"main", &[]),
            hash(b"main", &found),
            hash(b"main", &changed),
            hash(b"other", &found),
        ];
        assert_eq!(hashes[0], xxhash_rust::xxh3::xxh3_64(b"main"));
        assert!(
            (0..4).all(|i| (0..i).all(|j| hashes[i] != hashes[j])),
            "{hashes:?}"
        );
    }

    #[test]
    fn helper_files_outside_the_folder_are_refused() {
        let outside = folder(&[("secret.lua", "return 'secret'")]);
        let folder = folder(&[("latin.lua", "")]);
        fs::write(folder.path().join("latin.lua"), b"return '\xe4'").unwrap();
        std::os::unix::fs::symlink(
            outside.path().join("secret.lua"),
            folder.path().join("link.lua"),
        )
        .unwrap();
        let main = folder.path().join("mine.lua");
        let secret = outside.path().join("secret").display().to_string();
        // These are not names of files in the folder; `require` rejects them when it is called.
        for text in [
            "require('../secret')",
            &format!("require('{secret}')"),
            "require('sub/secret')",
            "require('..')",
            "require('')",
            "require('a\\x2fb')",
            "require('gone')",
            "require('x' .. 'y')",
            "require(name)",
        ] {
            assert_eq!(helpers_of(&main, text), Ok(Vec::new()), "{text}");
        }
        for (text, words) in [
            ("require('latin')", "is not UTF-8 text"),
            (
                "require('link')",
                "is a link to a file outside the bot's folder",
            ),
        ] {
            let message = helpers_of(&main, text).expect_err(text);
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
