//! Bots in Luau: compiled once from text, one sandboxed virtual machine for every agent.
//!
//! A script is a chunk that returns a table of functions; `scripts/README.md` tells its author the
//! rest. What a script sees is decoded from the same frames that compiled bots get, by source that
//! [`decoder`] writes from the frames' descriptions. A script never sees the host, other scripts,
//! files or the clock.

mod agent;
mod budget;
mod callbacks;
mod charges;
pub mod decoder;
mod heap;
mod intern;
mod kind;
mod loops;
mod modules;
mod natives;
mod open_hands;
mod order;
mod own_tests;
mod raw;
mod search;
mod strict;
mod structs;
pub mod stubs;
mod vm;

pub use budget::Limits;
pub use kind::Scripts;

#[cfg(feature = "wasm")]
pub(super) use raw::Loan;

use super::{Agent, Misstep, Seatable};
use crate::files;
use crate::games::{Facts, all};
use crate::record::FaultKind;
use agent::ScriptAgent;
use mlua::{Table, Value};
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// A script, compiled.
#[derive(Clone, Debug)]
pub struct Script {
    /// What messages call it: the name of its file.
    name: Arc<str>,
    /// The game whose folder it lies in, or that it is asked for.
    folder_game: Option<&'static Facts>,
    bytecode: Arc<[u8]>,
    /// Helper files by name, compiled.
    helpers: Arc<[vm::Helper]>,
    limits: Limits,
}

/// What a script says of itself, in the table `bot` of its functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its name; the file's name without the ending where it gives none.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it does, in a line.
    pub description: String,
    /// Games that it plays, with or without their revisions; `None` where it names none.
    pub games: Option<Vec<String>>,
}

impl Script {
    /// Reads and compiles a script. It is text of at most [`Limits::SOURCE`] bytes.
    ///
    /// # Errors
    /// It cannot be read, is no text, is too long, or has a syntax error (with its line).
    pub fn load(path: &Path) -> Result<Script, Misstep> {
        let refuse = |message: String| {
            Misstep::new(FaultKind::Start, format!("{}: {message}", path.display()))
        };
        let source = source(path).map_err(|error| refuse(error.to_string()))?;
        let folder = path
            .parent()
            .and_then(Path::file_name)
            .and_then(|name| name.to_str());
        let name = path.file_name().map_or_else(
            || "script".into(),
            |name| name.to_string_lossy().into_owned(),
        );
        let script = Script::compile(&name, &source).map_err(|misstep| {
            // `file.lua:3: …` becomes the whole path with the line.
            let rest = misstep
                .message
                .strip_prefix(&name)
                .unwrap_or(&misstep.message);
            let rest = rest.trim_start_matches([':', ' ']);
            let colon = if rest.starts_with(|c: char| c.is_ascii_digit()) {
                ":"
            } else {
                ": "
            };
            Misstep::new(FaultKind::Start, format!("{}{colon}{rest}", path.display()))
        })?;
        let text = String::from_utf8_lossy(&source);
        let modules =
            modules::of(path, &text).map_err(|message| Misstep::new(FaultKind::Start, message))?;
        let helpers = modules.iter().map(|module| {
            let file = module
                .path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            let bytecode = bytecode(&file, &module.text)?;
            Ok(vm::Helper {
                name: module.name.clone(),
                file,
                bytecode: bytecode.into(),
            })
        });
        let helpers = helpers.collect::<Result<Vec<_>, Misstep>>()?;
        Ok(Script {
            folder_game: folder.and_then(Facts::find),
            helpers: helpers.into(),
            ..script
        })
    }

    /// Compiles a script from its text; `name` is what messages call it.
    ///
    /// # Errors
    /// As [`Script::load`].
    pub fn compile(name: &str, source: &[u8]) -> Result<Script, Misstep> {
        let refuse = |message: String| Misstep::new(FaultKind::Start, message);
        if source.len() > Limits::SOURCE {
            return Err(refuse(format!(
                "{name}: more than {} KiB of source",
                Limits::SOURCE / 1024
            )));
        }
        let text = std::str::from_utf8(source)
            .ok()
            .filter(|text| !text.contains('\0'));
        let Some(text) = text else {
            return Err(refuse(format!("{name}: not text in UTF-8")));
        };
        let bytecode = bytecode(name, text)?.into();
        Ok(Script {
            name: name.into(),
            folder_game: None,
            bytecode,
            helpers: Arc::default(),
            limits: Limits::default(),
        })
    }

    /// The same script with other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Script {
        Script { limits, ..self }
    }

    /// The same script, tried out as one for this game until a league says which; the folder that
    /// it lies in comes first.
    #[must_use]
    pub fn in_game(self, game: &str) -> Script {
        Script {
            folder_game: self.folder_game.or_else(|| Facts::find(game)),
            ..self
        }
    }

    /// What the script says of itself; runs it once, with an empty config.
    ///
    /// # Errors
    /// The script does not start.
    pub fn about(&self) -> Result<About, Misstep> {
        // The agent owns the machine that the table lives in.
        let mut agent = ScriptAgent::new(self.clone(), serde_json::json!({}));
        let bot = agent.prepare(self.game(), 0).map_err(|mut misstep| {
            // A league's limits are not known yet.
            misstep.message = misstep.message.replace(
                AT_START,
                "when the file is first read (`lua_steps` counts later)",
            );
            misstep
        })?;
        about(&bot, &self.name)
    }

    /// The game to try a script with before a league says which.
    fn game(&self) -> &'static Facts {
        self.folder_game.unwrap_or_else(|| all()[0])
    }

    /// A config out of its JSON; an empty text is an empty one.
    fn config(&self, json: &str) -> Result<serde_json::Value, Misstep> {
        let text = if json.trim().is_empty() { "{}" } else { json };
        serde_json::from_str(text).map_err(|error| {
            Misstep::new(
                FaultKind::Start,
                format!("{}: config is not JSON: {error}", self.name),
            )
        })
    }
}

/// The place of a script's use of too many steps before its first decision, in words.
const AT_START: &str = "at the start of the block";

/// Reads the text of a script or a helper file: all of it, or one byte more than a bot may have.
fn source(path: &Path) -> io::Result<Vec<u8>> {
    let (file, size) = files::open(path)?;
    let mut text = Vec::new();
    file.take(size.min(Limits::SOURCE as u64 + 1))
        .read_to_end(&mut text)?;
    Ok(text)
}

/// Compiles the text of a file that messages call `name`.
fn bytecode(name: &str, text: &str) -> Result<Vec<u8>, Misstep> {
    let refuse = |message: String| Misstep::new(FaultKind::Start, message);
    let compiled = |text: &str| {
        vm::compiler().compile(text).map_err(|error| match error {
            // Luau's message starts with the line, with or without a colon before it.
            mlua::Error::SyntaxError { message, .. } => {
                refuse(format!("{name}:{}", message.trim_start_matches(':')))
            }
            other => refuse(format!("{name}: {other}")),
        })
    };
    // First as it is: what is wrong with it is the author's.
    compiled(text)?;
    let led = loops::led(text).map_err(|line| {
        refuse(format!(
            "{name}:{line}: the name `{}` is the host's: take another",
            loops::EACH
        ))
    })?;
    compiled(&led)
}

impl Seatable for Script {
    fn open(&self, config_json: &str) -> Result<Box<dyn Agent>, Misstep> {
        let mut agent = ScriptAgent::new(self.clone(), self.config(config_json)?);
        // A script that cannot start at all is found here rather than in every block.
        agent.prepare(self.game(), 0)?;
        Ok(Box::new(agent))
    }

    fn has_backstop(&self) -> bool {
        true
    }
}

/// Bytes of a text that a script says of itself, and games that it names, at the most.
const ABOUT_MAX: usize = 1000;
const GAMES_MAX: usize = 20;

/// Reads the table `bot`.
fn about(bot: &Table, file: &str) -> Result<About, Misstep> {
    let wrong = |what: &str| {
        Misstep::new(
            FaultKind::Start,
            format!("{file}: `bot.{what}` is not text of at most {ABOUT_MAX} bytes"),
        )
    };
    let stem = Path::new(file)
        .file_stem()
        .map_or_else(|| file.into(), |stem| stem.to_string_lossy().into_owned());
    let mut about = About {
        name: stem,
        ..About::default()
    };
    let table = match bot.raw_get::<Value>("bot") {
        Ok(Value::Table(table)) => table,
        Ok(Value::Nil) => return Ok(about),
        _ => {
            return Err(Misstep::new(
                FaultKind::Start,
                format!("{file}: `bot` is not a table"),
            ));
        }
    };
    let text = |key: &str| match table.raw_get::<Value>(key) {
        Ok(Value::Nil) => Ok(None),
        Ok(Value::String(text)) if text.as_bytes().len() <= ABOUT_MAX => {
            Ok(Some(text.to_string_lossy()))
        }
        _ => Err(wrong(key)),
    };
    if let Some(name) = text("name")? {
        about.name = name;
    }
    about.version = text("version")?.unwrap_or_default();
    about.description = text("description")?.unwrap_or_default();
    about.games = match table.raw_get::<Value>("games") {
        Ok(Value::Nil) => None,
        Ok(Value::String(game)) => Some(vec![game.to_string_lossy()]),
        Ok(Value::Table(games)) => {
            let games = games
                .sequence_values::<String>()
                .take(GAMES_MAX)
                .collect::<mlua::Result<Vec<_>>>();
            Some(games.map_err(|_| wrong("games"))?)
        }
        _ => return Err(wrong("games")),
    };
    Ok(about)
}
