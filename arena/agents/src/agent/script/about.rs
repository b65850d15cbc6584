//! The description that a script gives of itself.

use super::state::State;
use mlua::ffi;
use std::ffi::c_int;
use std::path::Path;

/// Bytes of a text in a description, and games that it names, at most.
const ABOUT_MAX: usize = 1000;
const GAMES_MAX: usize = 20;

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

/// Reads the table `bot` of the table of a bot, which is at the place `bot`.
///
/// # Errors
/// Returns a message if the table or one of its texts has another type or is too long.
pub(super) fn read(state: &State<'_>, bot: c_int, file: &str) -> Result<About, String> {
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
