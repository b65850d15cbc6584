//! Host functions for the prelude and the decoder, and functions that push the libraries of games.

use super::decoder::BufferLayout;
use super::host::{self, Function};
use super::shared::VmShared;
use super::state::LuaState;
use super::{decisions, meter, natives};
use crate::agent::{numbers, output, services};
use crate::games::{GameInfo, LuauLibrary};
use crate::text;
use mlua::ffi;
use std::ffi::{CStr, c_int};

/// Maximum number of bytes of a field's key in messages.
const KEY_MAX: usize = 64;
/// Steps charged for a logged number.
const STEPS_OF_NUMBER: u64 = 5;
/// Maximum number of bytes of a printed line.
const LINE_MAX: usize = 1 << 16;

/// Arguments of the prelude.
pub(super) static PRELUDE: &[(&CStr, Function)] = &[
    (c"print", log),
    (c"out_of_memory", out_of_memory),
    (c"charge", charge),
    (c"number", number),
];

/// The decoder's functions that fetch events and compose the message for an unknown field.
pub(super) static DECODER: &[(&CStr, Function)] = &[(c"fetch", fetch), (c"absent", absent)];

/// Pushes the library that scripts of a game can use, and returns its name; `None` if there is
/// none.
pub(super) fn push_of_game(state: &LuaState, game: &GameInfo) -> Option<&'static str> {
    if let Some(service) = services::of_game(game.id) {
        decisions::push_library(state, service);
        return Some(service.library);
    }
    let functions = match game.hosted.library? {
        LuauLibrary::Poker => natives::POKER,
        LuauLibrary::Holdem => natives::HOLDEM,
    };
    host::push_library(state, functions);
    Some("poker")
}

/// `print(line)`: writes a line to the log.
fn log(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    let left = shared.lines_left.get();
    shared.lines_left.set(left.saturating_sub(1));
    let line = match left {
        0 => return Ok(0),
        1 => "further lines of this block are dropped".to_owned(),
        _ => {
            let (line, _) = state.text_start(1, LINE_MAX).unwrap_or_default();
            String::from_utf8_lossy(&line).into_owned()
        }
    };
    tracing::info!(target: "hattari::script", "{}: {}", shared.name, text::escape_for_sentence(&line));
    output::collect_output(&line);
    Ok(0)
}

/// `out_of_memory()`: ends the current call because it ran out of memory. Called after the script
/// has caught the out-of-memory error.
fn out_of_memory(_: &LuaState, _: &VmShared) -> Result<c_int, String> {
    meter::end_for_memory();
    Ok(0)
}

/// `charge(steps)`: charges steps to the current call, for work of the prelude.
fn charge(state: &LuaState, _: &VmShared) -> Result<c_int, String> {
    meter::charge(host::optional_count(state, 1)?.unwrap_or(0));
    Ok(0)
}

/// `number(name, value)`: stores a number that the bot logs for the decision.
fn number(state: &LuaState, _: &VmShared) -> Result<c_int, String> {
    meter::pay(STEPS_OF_NUMBER)?;
    let name = state.text_start(1, numbers::NAME_BYTES_MAX + 1);
    let (name, _) = name.ok_or("log: takes a table of numbers by name, such as log{win = 0.7}")?;
    let name = String::from_utf8_lossy(&name);
    // `number` alone would also convert texts.
    let value = (state.number(2)).filter(|_| state.kind(2) == ffi::LUA_TNUMBER);
    let value = value.ok_or_else(|| {
        let name = text::escape_for_sentence(&name);
        format!(
            "log: `{name}` must be a number (got {})",
            state.type_name(2)
        )
    })?;
    numbers::log(&name, value)?;
    Ok(0)
}

/// `fetch(from)`: writes the events from number `from` (counted from 0) on to the buffer and
/// returns their number.
fn fetch(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    let from = host::optional_count(state, 1)?.unwrap_or(0);
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let (game, layout) = (shared.game, &shared.layout);
    let size = game.event.size;
    let mut events = Vec::new();
    let known = shared.turn.read(|turn| {
        let history = turn.map(|turn| turn.seen.history.as_bytes());
        let next = history
            .and_then(|history| history.get(from.saturating_mul(size)..))
            .unwrap_or(&[]);
        events.extend_from_slice(&next[..next.len().min(BufferLayout::EVENTS_MAX * size)]);
        let mut moves = shared.moves.borrow_mut();
        if let Some(offset) = layout.event_action {
            for event in events.chunks_exact_mut(size) {
                let action = &mut event[offset..offset + game.action.size];
                let number = moves.number_or_insert(action);
                action[..4].copy_from_slice(&number.to_le_bytes());
            }
        }
        moves.len()
    });
    shared.write(layout.events, &events);
    shared.cache_moves(state, known);
    state.push_number((events.len() / size) as f64);
    Ok(1)
}

/// `absent(what, key, fields)`: returns the error message for a missing field `key` of `what`.
fn absent(state: &LuaState, _: &VmShared) -> Result<c_int, String> {
    let what = state.text(1).unwrap_or_default();
    let what = String::from_utf8_lossy(&what);
    let Some((key, length)) = state.text_start(2, KEY_MAX) else {
        state.push_text(format!("{what} is not a list: read its fields by name"));
        return Ok(1);
    };
    host::table(state, 3)?;
    let fields: Vec<String> = (1..=state.length(3))
        .filter_map(|index| {
            let at = state.get_element(3, index);
            let field = state.text(at);
            state.truncate(at - 1);
            Some(String::from_utf8_lossy(&field?).into_owned())
        })
        .collect();
    let names = fields.iter().map(String::as_str);
    let key = text::escape_for_sentence(&String::from_utf8_lossy(&key)).to_string();
    // A longer key is not a misspelling, and comparing it would take long.
    let nearest = if length > KEY_MAX {
        None
    } else {
        text::nearest(&key, names.clone())
    };
    let rest = if length > KEY_MAX { "…" } else { "" };
    state.push_text(match nearest {
        Some(name) => format!("{what} has no field `{key}`: did you mean `{name}`?"),
        None => format!(
            "{what} has no field `{key}{rest}`: it has {}",
            text::quoted(names)
        ),
    });
    Ok(1)
}

/// Pushes a JSON value as read-only tables; null is nil.
pub(super) fn push_json(state: &LuaState, json: &serde_json::Value) {
    match json {
        serde_json::Value::Null => state.push_nil(),
        serde_json::Value::Bool(flag) => state.push_boolean(*flag),
        serde_json::Value::Number(number) => {
            state.push_number(number.as_f64().unwrap_or(f64::NAN));
        }
        serde_json::Value::String(text) => state.push_text(text),
        serde_json::Value::Array(list) => {
            let table = state.push_table(list.len(), 0);
            for (index, value) in list.iter().enumerate() {
                push_json(state, value);
                state.set_element(table, index + 1);
            }
            state.freeze(table);
        }
        serde_json::Value::Object(fields) => {
            let table = state.push_table(0, fields.len());
            for (key, value) in fields {
                push_json(state, value);
                state.set(table, key);
            }
            state.freeze(table);
        }
    }
}

/// Makes the table at a stack index and all tables in it read-only. Other values are unchanged.
pub(super) fn freeze(state: &LuaState, value: c_int) {
    if state.kind(value) == ffi::LUA_TTABLE {
        let mut iterator = 0;
        while state.next_entry(value, &mut iterator) {
            freeze(state, state.top());
            state.truncate(state.top() - 2);
        }
        state.freeze(value);
    }
}
