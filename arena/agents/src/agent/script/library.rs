//! Host functions for the prelude and the decoder, and functions that push the libraries of games:
//! services for decisions, and the `poker` libraries for work that would be too slow in Luau.
//!
//! The work is charged in steps, so that the limit stops a script at the same point on every
//! machine.

use super::host::{self, Function, HostResult};
use super::shared::{VmShared, push_card_list};
use super::state::{LuaState, Slot};
use super::{decoder, meter};
use crate::agent::choice::to_integer;
use crate::agent::services::{
    self, NumberParameter, Output, Request, Service, ServiceRefusal, ServiceStep,
};
use crate::agent::{numbers, output};
use crate::games::{GameInfo, LuauLibrary};
use crate::text::{self, joined};
use hattari_plugin::games::poker::card::{self, CardSet};
use hattari_plugin::games::poker::{RANKED_MAX, RANKED_MIN, Strength, equity};
use hattari_plugin::holdem::win_rate as win_rate_of;
use mlua::ffi;
use serde_json::Value;
use std::ffi::{CStr, c_int};
use std::fmt;

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
        let names = service.methods.iter().map(|method| method.script_name);
        host::push_library(state, names.map(|name| (name, &(call as Function))));
        return Some(service.library);
    }
    let functions = match game.hosted.library? {
        LuauLibrary::Poker => POKER,
        LuauLibrary::Holdem => HOLDEM,
    };
    host::push_library(
        state,
        functions.iter().map(|(name, function)| (*name, function)),
    );
    Some("poker")
}

/// `print(line)`: writes a line to the log.
fn log(state: &LuaState, shared: &VmShared) -> HostResult {
    let left = shared.lines_left.get();
    shared.lines_left.set(left.saturating_sub(1));
    let line = match left {
        0 => return Ok(0),
        1 => "further lines of this block are dropped".to_owned(),
        _ => state.text_start(1, LINE_MAX).unwrap_or_default().0,
    };
    tracing::info!(target: "hattari::script", "{}: {}", shared.name, text::escape_for_sentence(&line));
    output::collect_output(&line);
    Ok(0)
}

/// `out_of_memory()`: ends the current call because it ran out of memory. Called after the script
/// has caught the out-of-memory error.
fn out_of_memory(_: &LuaState, _: &VmShared) -> HostResult {
    meter::end_for_memory();
    Ok(0)
}

/// `charge(steps)`: charges steps to the current call, for work of the prelude.
fn charge(state: &LuaState, _: &VmShared) -> HostResult {
    meter::charge(host::count(state, 1)?);
    Ok(0)
}

/// `number(name, value)`: stores a number that the bot logs for the decision.
fn number(state: &LuaState, _: &VmShared) -> HostResult {
    meter::pay(STEPS_OF_NUMBER)?;
    let name = state.text_start(1, numbers::NAME_BYTES_MAX + 1);
    let (name, _) = name.ok_or("log: takes a table of numbers by name, such as log{win = 0.7}")?;
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
fn fetch(state: &LuaState, shared: &VmShared) -> HostResult {
    let from = usize::try_from(host::count(state, 1)?).unwrap_or(usize::MAX);
    let (game, layout) = (shared.game, &shared.layout);
    let size = game.event.size;
    let mut events = shared.turn.read(|turn| {
        let history = turn.map(|turn| turn.seen.history.as_bytes());
        let next = history
            .and_then(|history| history.get(from.saturating_mul(size)..))
            .unwrap_or(&[]);
        next[..next.len().min(decoder::EVENTS_MAX * size)].to_vec()
    });
    if let Some(offset) = layout.event_action {
        let mut moves = shared.moves.borrow_mut();
        for event in events.chunks_exact_mut(size) {
            let action = &mut event[offset..offset + game.action.size];
            let number = moves.number_or_insert(action);
            action[..4].copy_from_slice(&number.to_le_bytes());
        }
    }
    shared.write(layout.events, &events);
    shared.cache_moves(state);
    state.push_number((events.len() / size) as f64);
    Ok(1)
}

/// `absent(what, key, fields)`: returns the error message for a missing field `key` of `what`.
fn absent(state: &LuaState, _: &VmShared) -> HostResult {
    let what = state.text(1).unwrap_or_default();
    let Some((key, length)) = state.text_start(2, KEY_MAX) else {
        state.push_text(format!("{what} is not a list: read its fields by name"));
        return Ok(1);
    };
    let fields: Vec<String> = (1..=state.length(3))
        .filter_map(|index| {
            let at = state.get_element(3, index);
            let field = state.text(at);
            state.truncate(at - 1);
            field
        })
        .collect();
    let names = fields.iter().map(String::as_str);
    let key = text::escape_for_sentence(&key).to_string();
    // A longer key is not a misspelling, and comparing it would take long.
    let (nearest, rest) = if length > KEY_MAX {
        (None, "…")
    } else {
        (text::nearest(&key, names.clone()), "")
    };
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
pub(super) fn push_json(state: &LuaState, json: &Value) {
    match json {
        Value::Null => state.push_nil(),
        Value::Bool(flag) => state.push_boolean(*flag),
        Value::Number(number) => state.push_number(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => state.push_text(text),
        Value::Array(list) => {
            push_list(state, list, |value| push_json(state, value));
            state.freeze(state.top());
        }
        Value::Object(fields) => {
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

/// Maximum number of deals in one call.
const DEALS_MAX: u32 = 10_000;
/// Maximum number of bytes that are read from a name.
const NAME_MAX: usize = 20;

/// Calls a method of a service. The first argument is a list of deals, or the number of deals to
/// sample. The other arguments are numbers. Pushes a list with one entry per deal: a list of card
/// names for each seat, or a number for each action. Errors begin with the name of the method.
fn call(state: &LuaState, shared: &VmShared) -> HostResult {
    let service = services::of_game(shared.game.id).ok_or("there is no such service")?;
    let number = host::own_number(state);
    call_method(state, shared, service, number).map_err(|error| {
        let name = service.methods[number].script_name.to_string_lossy();
        format!("{}.{name}: {error}", service.library)
    })
}

fn call_method(
    state: &LuaState,
    shared: &VmShared,
    service: &Service,
    number: usize,
) -> HostResult {
    let method = &service.methods[number];
    let count = if method.takes_deals {
        host::table(state, 1)?;
        let count = u32::try_from(state.length(1)).unwrap_or(u32::MAX);
        if count > DEALS_MAX {
            return Err(format!(
                "at most {DEALS_MAX} deals are allowed (got {count})"
            ));
        }
        count
    } else {
        whole(host::number(state, 1)?, "the number of deals", DEALS_MAX)?
    };
    let mut numbers = [0; 2];
    for (at, (value, number)) in (2..).zip(numbers.iter_mut().zip(method.numbers)) {
        *value = read_number(state, at, number)?;
    }
    meter::pay(method.steps.call)?;
    let mut results = Vec::new();
    let mut caller = |step: ServiceStep<'_>| {
        match step {
            ServiceStep::Check if meter::is_over() => return Err(ServiceRefusal::Late),
            ServiceStep::Check => {}
            ServiceStep::Pay(work) => meter::pay(work.saturating_mul(method.steps.work))
                .map_err(|_| ServiceRefusal::Ended)?,
            ServiceStep::Write(bytes) => results.extend_from_slice(bytes),
        }
        Ok(())
    };
    let actions = shared.turn.read(|turn| {
        let turn = turn
            .filter(|turn| turn.legal.count() > 0)
            .ok_or(ServiceRefusal::NoDecision)?;
        let actions = turn.legal.count();
        // Charged before the deals are read, which takes time.
        meter::pay(method.price(&method.steps, count, actions, numbers))?;
        let mut deals = Vec::new();
        if method.takes_deals {
            read_deals(state, service, &mut deals)?;
        }
        let request = Request {
            count,
            deals: &deals,
            numbers,
        };
        let mut services = shared.services.borrow_mut();
        services.call(service, number, turn, &request, &mut caller)?;
        Ok::<_, String>(actions as usize)
    })?;
    let (values, width) = match method.output {
        Output::Deals => (services::words(&results), service.seats),
        Output::Floats => (services::words(&results), actions),
        Output::Bytes => (results.into_iter().map(u64::from).collect(), actions),
    };
    let rows: Vec<&[u64]> = values.chunks(width).collect();
    let names = state.load(Slot::Names);
    push_list(state, &rows, |row| {
        push_list(state, row, |&value| match method.output {
            Output::Deals => _ = push_card_list(state, names, value),
            Output::Floats => state.push_number(f64::from_bits(value)),
            Output::Bytes => state.push_number(value as f64),
        });
    });
    Ok(1)
}

/// Pushes a list; `push` pushes each value.
fn push_list<T>(state: &LuaState, values: &[T], push: impl Fn(&T)) {
    let list = state.push_table(values.len(), 0);
    for (index, value) in values.iter().enumerate() {
        push(value);
        state.set_element(list, index + 1);
    }
}

/// Reads the first argument, a list of deals. A deal has a list of card names for each seat.
/// Appends the sets of cards to `deals`.
fn read_deals(state: &LuaState, service: &Service, deals: &mut Vec<u64>) -> Result<(), String> {
    let top = state.top();
    for number in 1..=state.length(1) {
        let list = |at: c_int, hand: fmt::Arguments<'_>| match state.kind(at) {
            ffi::LUA_TTABLE => Ok(()),
            _ => Err(format!(
                "deal {number}{hand} must be a list (got {})",
                state.type_name(at)
            )),
        };
        let deal = state.get_element(1, number);
        list(deal, format_args!(""))?;
        for seat in 1..=service.seats {
            let cards = state.get_element(deal, seat);
            list(cards, format_args!(", hand {seat}"))?;
            let mut set = 0;
            each_card(state, cards, |name| {
                let card = (service.card)(name);
                set |= 1 << card.ok_or_else(|| format!("`{name}` is not a card"))?;
                Ok(())
            })?;
            deals.push(set);
        }
        state.truncate(top);
    }
    Ok(())
}

/// Reads a numeric argument of a method.
fn read_number(state: &LuaState, at: c_int, number: &NumberParameter) -> Result<u32, String> {
    match number {
        NumberParameter::Count { what, most } => {
            let number = host::optional(state, at, host::number)?.unwrap_or(1.0);
            whole(number, what, *most)
        }
        NumberParameter::Choice { what, names } => {
            if state.is_nil(at) {
                return Ok(0);
            }
            let name = state.text_start(at, NAME_MAX);
            let (name, _) = name.ok_or_else(|| host::wrong(state, at, "string"))?;
            let index = (0..).zip(*names).find(|(_, own)| **own == name);
            index.map(|(index, _)| index).ok_or_else(|| {
                let names = joined(names.iter().map(|name| format!("\"{name}\"")), " or ");
                format!("{what} must be {names} (got \"{name}\")")
            })
        }
    }
}

/// Converts a number that must be an integer from 1 to `most`. `what` names it in the error.
///
/// # Errors
/// Returns a message for other numbers.
fn whole(number: f64, what: &str, most: u32) -> Result<u32, String> {
    to_integer(number)
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("{what} must be an integer from 1 to {most} (got {number})"))
}

/// Default number of showdowns that are sampled for a win rate. If at most this number of showdowns
/// is possible, all of them are enumerated by default.
const SAMPLES: u64 = 1000;
/// Maximum number of opponents.
const OPPONENTS_MAX: u32 = 8;
/// Steps charged for reading lists of cards and ranking one hand.
const STEPS_OF_CARDS: u64 = 10;
/// Maximum number of cards in a list.
const CARDS_MAX: usize = 60;
/// Maximum length in bytes of a card's name.
const CARD_NAME_MAX: usize = 8;
/// Number of hole cards.
const HAND: u32 = 2;
/// Maximum number of community cards.
const COMMUNITY_MAX: u32 = 5;

/// Functions for hold'em.
static HOLDEM: &[(&CStr, Function)] = &[
    (c"strength", strength),
    (c"unit", unit),
    (c"reseed", reseed),
    (c"win_rate", win_rate),
];

/// Functions for all poker games.
static POKER: &[(&CStr, Function)] = HOLDEM.split_at(3).0;

/// `poker.strength(cards)`: returns the strength of a hand as a number, higher for better hands,
/// and the name of the category.
fn strength(state: &LuaState, _: &VmShared) -> HostResult {
    meter::pay(STEPS_OF_CARDS)?;
    let set = set(state, 1, "strength")?;
    let count = set.count_ones();
    if !(RANKED_MIN..=RANKED_MAX).contains(&count) {
        return Err(format!(
            "poker.strength: takes {RANKED_MIN} to {RANKED_MAX} cards (got {count})"
        ));
    }
    let strength = Strength::of(set);
    state.push_number(f64::from(strength.number()));
    state.push_text(strength.category().name());
    Ok(2)
}

/// `poker.unit()`: returns the next random number of the block, at least 0 and less than 1.
fn unit(state: &LuaState, shared: &VmShared) -> HostResult {
    let unit = shared.rng.borrow_mut().unit();
    state.push_number(unit);
    Ok(1)
}

/// `poker.reseed(number)`: restarts the block's random numbers with the block's seed and `number`.
fn reseed(state: &LuaState, shared: &VmShared) -> HostResult {
    shared.reseed(host::count(state, 1)?);
    Ok(0)
}

/// `poker.win_rate(hand, community, opponents, samples, exact_max)`: returns the expected share of
/// the pot and the standard error of this estimate.
fn win_rate(state: &LuaState, shared: &VmShared) -> HostResult {
    meter::pay(STEPS_OF_CARDS)?;
    let (hand, community) = (set(state, 1, "win_rate")?, set(state, 2, "win_rate")?);
    let opponents = host::count(state, 3)?;
    let samples = host::optional(state, 4, host::count)?.unwrap_or(SAMPLES);
    let exact_max = host::optional(state, 5, host::count)?.unwrap_or(SAMPLES);
    if hand.count_ones() != HAND || community.count_ones() > COMMUNITY_MAX || hand & community != 0
    {
        return Err(
            "poker.win_rate: takes a hand of two cards and at most five community cards, all \
             different"
                .to_owned(),
        );
    }
    let opponents = u32::try_from(opponents)
        .ok()
        .filter(|count| (1..=OPPONENTS_MAX).contains(count))
        .ok_or_else(|| {
            format!("poker.win_rate: takes 1 to {OPPONENTS_MAX} opponents (got {opponents})")
        })?;
    if samples == 0 {
        return Err("poker.win_rate: takes at least one sample".to_owned());
    }
    let showdowns = equity::showdowns(community, opponents)
        .filter(|&showdowns| showdowns <= exact_max)
        .unwrap_or(samples);
    // One step for every ranked hand.
    meter::pay(showdowns.saturating_mul(u64::from(opponents) + 1))?;
    let rate = win_rate_of(
        hand,
        community,
        opponents,
        samples,
        exact_max,
        &mut shared.rng.borrow_mut(),
    );
    state.push_number(rate.share);
    state.push_number(rate.error);
    Ok(2)
}

/// Returns the set of cards in the list at a stack index. `function` is the name of the running
/// function in errors.
fn set(state: &LuaState, list: c_int, function: &str) -> Result<CardSet, String> {
    let mut set = 0;
    each_card(state, list, |name| {
        let card = card::parse(name).ok_or_else(|| {
            format!("poker.{function}: `{name}` is not a card; write for example `As`")
        })?;
        if set & 1 << card != 0 {
            return Err(format!("poker.{function}: {name} occurs twice"));
        }
        set |= 1 << card;
        Ok(())
    })?;
    Ok(set)
}

/// Calls `take` with the name of each card in the list at a stack index.
///
/// # Errors
/// Returns the error of `take`, or an error if the value is not a list of at most [`CARDS_MAX`]
/// texts.
fn each_card(
    state: &LuaState,
    list: c_int,
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    host::table(state, list)?;
    let count = state.length(list);
    if count > CARDS_MAX {
        return Err(format!(
            "a list can have at most {CARDS_MAX} cards (got {count})"
        ));
    }
    let top = state.top();
    for index in 1..=count {
        let at = state.get_element(list, index);
        let Some((name, _)) = state.text_start(at, CARD_NAME_MAX) else {
            let kind = state.type_name(at);
            return Err(format!(
                "a list of cards must contain names; element {index} is of type {kind}"
            ));
        };
        take(&name)?;
        state.truncate(top);
    }
    Ok(())
}
