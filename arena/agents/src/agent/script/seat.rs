//! Scripts at a seat, and the descriptions and tests that they bring along.

use super::agent::{AT_START, ScriptAgent};
use super::script::{Script, refused};
use super::slot::Slot;
use super::state::State;
use crate::agent::kind::Tested;
use crate::agent::{Agent, Misstep, Seatable};
use mlua::ffi;
use std::ffi::c_int;
use std::path::Path;

/// Bytes of a text in a description, and games that it names, at most.
const ABOUT_MAX: usize = 1000;
const GAMES_MAX: usize = 20;
/// Tests of a script at most.
const TESTS_MAX: usize = 1000;

/// The description of a script: the table `bot` of its functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its name; the file's name without the ending if it gives none.
    pub name: String,
    /// Its version.
    pub version: String,
    /// A line about the bot.
    pub description: String,
    /// Games that it plays, with or without their revisions; `None` if it names none.
    pub games: Option<Vec<String>>,
}

impl Script {
    /// Returns the description of the script; runs it once, with an empty config.
    ///
    /// # Errors
    /// Returns an error if the script does not start.
    pub fn about(&self) -> Result<About, Misstep> {
        let mut agent = ScriptAgent::new(self.clone(), serde_json::json!({}));
        agent.prepare(self.game(), 0).map_err(|mut misstep| {
            // A league's limits are not known yet.
            misstep.message = misstep.message.replace(
                AT_START,
                "when the file is first read (`lua_steps` counts later)",
            );
            misstep
        })?;
        about(&mut agent, &self.code.name)
    }

    /// Runs the script's tests in the order of their names, each with the file run anew; none if it
    /// has no table `tests`. `config_json` is the script's config.
    ///
    /// # Errors
    /// Returns an error if the script does not start, or `tests` is no table of functions by name.
    pub fn run_tests(&self, config_json: &str) -> Result<Vec<Tested>, Misstep> {
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
                    .try_out(Slot::Test)
                    .err()
                    .map(|misstep| misstep.message)
            } else {
                Some("is not there when the file is run once more".to_owned())
            };
            outcomes.push(Tested { name, failure });
        }
        Ok(outcomes)
    }

    /// Parses a config; an empty text is an empty one.
    fn config(&self, json: &str) -> Result<serde_json::Value, Misstep> {
        let text = if json.trim().is_empty() { "{}" } else { json };
        serde_json::from_str(text)
            .map_err(|error| refused(format!("{}: config is not JSON: {error}", self.code.name)))
    }
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

/// Reads the table `bot` of an agent that has been prepared.
pub(super) fn about(agent: &mut ScriptAgent, file: &str) -> Result<About, Misstep> {
    agent.inspect(|state, bot| {
        let stem = Path::new(file)
            .file_stem()
            .map_or_else(|| file.into(), |stem| stem.to_string_lossy().into_owned());
        let mut about = About {
            name: stem,
            ..About::default()
        };
        let table = state.get(bot, "bot");
        match state.kind(table) {
            ffi::LUA_TTABLE => {}
            ffi::LUA_TNIL => return Ok(about),
            _ => return Err(format!("{file}: `bot` is not a table")),
        }
        let text = |key: &str| {
            let at = state.get(table, key);
            short_text(state, at, file, key)
        };
        if let Some(name) = text("name")? {
            about.name = name;
        }
        about.version = text("version")?.unwrap_or_default();
        about.description = text("description")?.unwrap_or_default();
        let games = state.get(table, "games");
        if state.kind(games) == ffi::LUA_TTABLE {
            let names = 1..=state.length(games).min(GAMES_MAX);
            let names = names.map(|index| {
                let at = state.get_element(games, index);
                Ok(short_text(state, at, file, "games")?.unwrap_or_default())
            });
            about.games = Some(names.collect::<Result<_, String>>()?);
        } else {
            about.games = short_text(state, games, file, "games")?.map(|game| vec![game]);
        }
        Ok(about)
    })
}

/// Returns the text at a place; `None` if it is nil.
fn short_text(
    state: &State<'_>,
    at: c_int,
    file: &str,
    key: &str,
) -> Result<Option<String>, String> {
    match state.text_start(at, ABOUT_MAX) {
        Some((text, length)) if length <= ABOUT_MAX => {
            Ok(Some(String::from_utf8_lossy(&text).into_owned()))
        }
        None if state.is_nil(at) => Ok(None),
        _ => Err(format!(
            "{file}: `bot.{key}` is not text of at most {ABOUT_MAX} bytes"
        )),
    }
}

/// Returns the names of the functions in the table `tests`.
fn test_names(state: &State<'_>, bot: c_int, file: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("{file}: `tests` is not a table of functions by name");
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
