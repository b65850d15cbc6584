//! Compiled scripts.

use super::charges;
use super::limits::ScriptLimits;
use super::modules::{self, source};
use super::state::{self, Bytecode};
use crate::agent::backend::headline;
use crate::agent::{AgentError, AgentResult};
use crate::games::{GameInfo, all};
use std::path::Path;
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
        let text = source(path)
            .map_err(|error| AgentError::start(format!("{}: {error}", path.display())))?;
        let name = path.file_name().map_or_else(
            || "script".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        let shown = path.display().to_string();
        let mut code = compiled(&name, &shown, &text).map_err(AgentError::start)?;
        let helpers =
            modules::of(path, &String::from_utf8_lossy(&text)).map_err(AgentError::start)?;
        code.hash = modules::hash(&text, &helpers);
        for module in helpers {
            let file = module
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            code.helpers.push(CompiledHelper {
                name: module.name,
                bytecode: bytecode(&file, &module.text).map_err(AgentError::start)?,
                file,
            });
        }
        let folder = path.parent().and_then(Path::file_name);
        Ok(Script {
            code: Arc::new(code),
            limits: ScriptLimits::default(),
            folder_game: folder.and_then(|name| GameInfo::find(name.to_str()?)),
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

    /// Sets the game in which the script is run before a league determines the game. The game of
    /// the script's folder has priority.
    #[must_use]
    pub fn in_game(self, game: &str) -> Script {
        Script {
            folder_game: self.folder_game.or_else(|| GameInfo::find(game)),
            ..self
        }
    }

    /// Returns the game in which the script is run before a league determines the game.
    pub(super) fn game(&self) -> &'static GameInfo {
        self.folder_game.unwrap_or_else(|| all()[0])
    }
}

/// Compiles the main file of a script. Errors begin with `shown`, the name or the path of the file.
fn compiled(name: &str, shown: &str, source: &[u8]) -> Result<ScriptCode, String> {
    if source.len() > ScriptLimits::SOURCE {
        let kib = ScriptLimits::SOURCE / 1024;
        return Err(format!("{shown}: more than {kib} KiB of source"));
    }
    let text = str::from_utf8(source)
        .ok()
        .filter(|text| !text.contains('\0'))
        .ok_or_else(|| format!("{shown}: not UTF-8 text"))?;
    Ok(ScriptCode {
        name: name.to_owned(),
        headline: headline(text),
        hash: modules::hash(source, &[]),
        main: bytecode(shown, text)?,
        helpers: Vec::new(),
    })
}

/// Compiles the text of a file; `name` is the file's name in messages.
fn bytecode(name: &str, text: &str) -> Result<Bytecode, String> {
    state::compile(text, &charges::NOT_INLINE).map_err(|message| format!("{name}:{message}"))
}
