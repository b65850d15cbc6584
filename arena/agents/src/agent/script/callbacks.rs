//! Detection of misspelled callbacks in a script's table.

use super::meter;
use super::state::LuaState;
use crate::text;
use mlua::ffi;
use std::ffi::c_int;

/// Callbacks that the host calls in every game.
const FUNCTIONS: [&str; 4] = ["act", "block_start", "deal_start", "deal_end"];
/// Entries of the bot's table that are tables and that the host reads.
const TABLES: [&str; 2] = ["tests", "bot"];
/// Maximum length of a name that is compared, in bytes.
const NAME_MAX: usize = 40;
/// Steps charged for reading an entry.
const STEPS_OF_ENTRY: u64 = 10;

/// Returns a message about a misspelled callback or table in the bot's table at index `bot`; `None`
/// if there is none. An entry counts as misspelled if its name differs from that of a missing entry
/// only in case and underscores. The first such name in alphabetical order is reported. `phase` is
/// the callback for a special phase of this game, if it has one. The work is charged to the script
/// as steps.
///
/// # Errors
/// Returns an error if there are not enough steps left.
pub(super) fn misspelled(
    state: &LuaState,
    bot: c_int,
    phase: Option<&'static str>,
    file: &str,
) -> Result<Option<String>, String> {
    let functions: Vec<&str> = FUNCTIONS.into_iter().chain(phase).collect();
    let mut wrong: Option<(String, &str, bool)> = None;
    let mut is_paid = Ok(());
    for_entries(state, bot, |name, value| {
        if is_paid.is_ok() {
            is_paid = meter::pay(STEPS_OF_ENTRY);
        }
        let is_function = state.kind(value) == ffi::LUA_TFUNCTION;
        let known: &[&str] = match state.kind(value) {
            ffi::LUA_TFUNCTION => &functions,
            ffi::LUA_TTABLE => &TABLES,
            _ => return,
        };
        let meant = known.iter().find(|known| folded(known) == folded(name));
        if let Some(&meant) = meant
            && meant != name
            && wrong
                .as_ref()
                .is_none_or(|(first, ..)| name < first.as_str())
        {
            let at = state.get(bot, meant);
            if state.is_nil(at) {
                wrong = Some((name.to_owned(), meant, is_function));
            }
            state.truncate(at - 1);
        }
    });
    is_paid?;
    Ok(wrong.map(|(name, meant, is_function)| {
        let at = state.get(bot, &name);
        let line = state.line_of_function(at);
        state.truncate(at - 1);
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        let (kind, helper, known) = if is_function {
            ("callback", "a helper", &functions[..])
        } else {
            ("table", "your own table", &TABLES[..])
        };
        format!(
            "{file}{line}: unknown {kind} `{name}`: did you mean `{meant}`? If it is {helper}, \
             rename it (known: {})",
            text::quoted(known.iter().copied())
        )
    }))
}

/// Calls `f` for each entry whose key is a text of at most [`NAME_MAX`] bytes, with the key and the
/// stack index of the value.
fn for_entries(state: &LuaState, table: c_int, mut f: impl FnMut(&str, c_int)) {
    let (top, mut iterator) = (state.top(), 0);
    while state.next_entry(table, &mut iterator) {
        if let Some((name, length)) = state.text_start(top + 1, NAME_MAX)
            && length <= NAME_MAX
            && let Ok(name) = str::from_utf8(&name)
        {
            f(name, top + 2);
        }
        state.truncate(top);
    }
    state.truncate(top);
}

/// Returns a name in lower case without underscores.
fn folded(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}
