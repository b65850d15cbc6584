//! The table that a script returns: the description of its bot, and detection of misspelled
//! callbacks.

use super::meter;
use super::state::LuaState;
use crate::agent::BotInfo;
use crate::games::GameInfo;
use crate::text;
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
    if state.kind(games) != ffi::LUA_TTABLE {
        about.games.extend(short_text(state, games, file, "games")?);
    }
    for index in 1..=state.length(games).min(GAMES_MAX) {
        let game = short_text(state, state.get_element(games, index), file, "games")?;
        about.games.push(game.unwrap_or_default());
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
        Some((text, length)) if length <= ABOUT_MAX => Ok(Some(text)),
        None if state.is_nil(at) => Ok(None),
        _ => Err(format!(
            "{file}: `bot.{key}` must be a string of at most {ABOUT_MAX} bytes"
        )),
    }
}

/// Callbacks that the host calls in every game.
const FUNCTIONS: [&str; 4] = ["act", "block_start", "deal_start", "deal_end"];
/// Entries of the bot's table that are tables and that the host reads.
const TABLES: [&str; 2] = ["tests", "bot"];
/// Maximum length of a name that is compared, in bytes.
const NAME_MAX: usize = 40;
/// Steps charged for reading an entry.
const STEPS_OF_ENTRY: u64 = 10;

/// Checks that the bot's table at index `bot` has a function `act` and no misspelled callback or
/// table. An entry counts as misspelled if its name differs from that of a missing entry only in
/// case and underscores. The first such name in alphabetical order is reported. The callback for
/// the special phase of `game` is ignored if the bot states only other games. The work is charged
/// to the script as steps.
///
/// # Errors
/// Returns an error if an entry is misspelled or missing, or if there are not enough steps left.
pub(super) fn check(
    state: &LuaState,
    bot: c_int,
    game: &GameInfo,
    file: &str,
) -> Result<(), String> {
    let games = read(state, bot, file)?.games;
    let is_stated = games.iter().any(|id| game.is(id));
    let phase = game
        .hosted
        .phase
        .map(|phase| phase.name)
        .filter(|_| is_stated || games.is_empty());
    let mut functions: Vec<&str> = FUNCTIONS.into_iter().chain(phase).collect();
    let mut wrong: Option<(String, &str)> = None;
    let (top, mut iterator) = (state.top(), 0);
    while state.next_entry(bot, &mut iterator) {
        if let Some(name) = state.valid_text(top + 1, NAME_MAX) {
            meter::pay(STEPS_OF_ENTRY)?;
            let known: &[&str] = match state.kind(top + 2) {
                ffi::LUA_TFUNCTION => &functions,
                ffi::LUA_TTABLE => &TABLES,
                _ => &[],
            };
            let meant = known.iter().find(|known| folded(known) == folded(&name));
            if let Some(&meant) = meant
                && meant != name
                && wrong.as_ref().is_none_or(|(first, _)| name < *first)
                && state.is_nil(state.get(bot, meant))
            {
                wrong = Some((name, meant));
            }
        }
        state.truncate(top);
    }
    let Some((name, meant)) = wrong else {
        return if state.kind(state.get(bot, "act")) == ffi::LUA_TFUNCTION {
            Ok(())
        } else {
            Err(format!("{file}: the returned table has no function `act`"))
        };
    };
    // Otherwise `game` may be a mere default.
    functions.retain(|name| is_stated || *name == meant || FUNCTIONS.contains(name));
    let (kind, helper, known) = if TABLES.contains(&meant) {
        ("table", "your own table", &TABLES[..])
    } else {
        ("callback", "a helper", &functions[..])
    };
    let line = state.line_of_function(state.get(bot, &name));
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    Err(format!(
        "{file}{line}: unknown {kind} `{name}`: did you mean `{meant}`? If it is {helper}, rename \
         it (known: {})",
        text::quoted(known)
    ))
}

/// Returns a name in lower case without underscores.
fn folded(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}
