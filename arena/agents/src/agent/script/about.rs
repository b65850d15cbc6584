//! The description that a script gives of its bot.

use super::state::LuaState;
use crate::agent::backend::stem;
use mlua::ffi;
use std::ffi::c_int;
use std::path::Path;

/// Maximum length in bytes of a text in a description.
const ABOUT_MAX: usize = 1000;
/// Maximum number of games in a description.
const GAMES_MAX: usize = 20;

/// The description of a script: the table `bot` in the table that the script returns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptInfo {
    /// Name. The default is the name of the file without extension.
    pub name: String,
    /// Version; may be empty.
    pub version: String,
    /// Description in one line; may be empty.
    pub description: String,
    /// Games that the bot plays, with or without revisions; `None` if the script declares none.
    pub games: Option<Vec<String>>,
}

/// Reads the description from the table that the script has returned, at stack index `bot`.
///
/// # Errors
/// Returns a message if `bot` is not a table, or if one of its texts has the wrong type or is too
/// long.
pub(super) fn read(state: &LuaState<'_>, bot: c_int, file: &str) -> Result<ScriptInfo, String> {
    let mut about = ScriptInfo {
        name: stem(Path::new(file)),
        ..ScriptInfo::default()
    };
    let table = state.get(bot, "bot");
    match state.kind(table) {
        ffi::LUA_TTABLE => {}
        ffi::LUA_TNIL => return Ok(about),
        _ => return Err(format!("{file}: `bot` must be a table")),
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
}

/// Returns the text at stack index `at`; `None` for nil. `key` names it in the error.
fn short_text(
    state: &LuaState<'_>,
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
            "{file}: `bot.{key}` must be a string of at most {ABOUT_MAX} bytes"
        )),
    }
}
