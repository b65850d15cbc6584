//! The description that a script gives of its bot.

use super::state::LuaState;
use crate::agent::BotInfo;
use mlua::ffi;
use std::ffi::c_int;

/// Maximum length in bytes of a text in a description.
const ABOUT_MAX: usize = 1000;
/// Maximum number of games in a description.
const GAMES_MAX: usize = 20;

/// Reads the description of a script: the table `bot` in the table that the script has returned, at
/// stack index `bot`. The id in the result is empty; version, description and games are empty if
/// the script does not state them.
///
/// # Errors
/// Returns a message if `bot` is not a table, or if one of its texts has the wrong type or is too
/// long.
pub(super) fn read(state: &LuaState, bot: c_int, file: &str) -> Result<BotInfo, String> {
    let mut about = BotInfo::default();
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
    about.version = text("version")?.unwrap_or_default();
    about.description = text("description")?.unwrap_or_default();
    let games = state.get(table, "games");
    if state.kind(games) == ffi::LUA_TTABLE {
        let names = 1..=state.length(games).min(GAMES_MAX);
        let names = names.map(|index| {
            let at = state.get_element(games, index);
            Ok(short_text(state, at, file, "games")?.unwrap_or_default())
        });
        about.games = names.collect::<Result<_, String>>()?;
    } else {
        about.games.extend(short_text(state, games, file, "games")?);
    }
    Ok(about)
}

/// Returns the text at stack index `at`; `None` for nil. `key` is the name of the text in the
/// error.
fn short_text(
    state: &LuaState,
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
