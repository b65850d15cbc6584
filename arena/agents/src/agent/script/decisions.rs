//! The libraries through which scripts call the services for decisions.
//!
//! The work is charged in steps, so that the limit stops a script at the same point on every
//! machine.

use super::host::{self, Function};
use super::shared::VmShared;
use super::state::LuaState;
use super::{meter, natives};
use crate::agent::choice::to_integer;
use crate::agent::services::{
    self, NumberParameter, Output, Request, Service, ServiceRefusal, ServiceStep,
};
use crate::text::joined;
use std::ffi::c_int;

/// Maximum number of deals in one call.
const DEALS_MAX: u32 = 10_000;
/// Maximum number of bytes that are read from a name.
const NAME_MAX: usize = 20;

/// Pushes the table of a service's methods.
pub(super) fn push_library(state: &LuaState, service: &'static Service) {
    let table = state.push_table(0, service.methods.len());
    for (number, method) in service.methods.iter().enumerate() {
        host::push(state, method.script_name, &(call as Function), number);
        state.set(table, &method.script_name.to_string_lossy());
    }
    state.freeze(table);
}

/// Calls a method of a service. The first argument is a list of deals, or the number of deals to
/// sample. The other arguments are numbers. Pushes a list with one entry per deal: a list of card
/// names for each seat, or a number for each action.
fn call(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    let service = services::of_game(shared.game.id).ok_or("there is no such service")?;
    let number = host::own_number(state);
    let method = &service.methods[number];
    let count = if method.takes_deals {
        host::table(state, 1)?;
        let count = state.length(1);
        u32::try_from(count)
            .ok()
            .filter(|&count| count <= DEALS_MAX)
            .ok_or_else(|| format!("at most {DEALS_MAX} deals are allowed (got {count})"))?
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
    push_list(state, &rows, |row| {
        push_list(state, row, |&value| match method.output {
            Output::Deals => push_cards(state, shared, value),
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

/// Pushes a list of the names of the cards in a set.
fn push_cards(state: &LuaState, shared: &VmShared, set: u64) {
    let cards: Vec<u8> = (0..64).filter(|card| set & 1 << card != 0).collect();
    push_list(state, &cards, |&card| {
        state.push_text((shared.game.card_name)(card).unwrap_or_default());
    });
}

/// Reads the first argument, a list of deals. A deal has a list of card names for each seat.
/// Appends the sets of cards to `deals`.
fn read_deals(state: &LuaState, service: &Service, deals: &mut Vec<u64>) -> Result<(), String> {
    let top = state.top();
    for number in 1..=state.length(1) {
        let deal = state.get_element(1, number);
        host::table(state, deal)?;
        for seat in 1..=service.seats {
            let cards = state.get_element(deal, seat);
            let mut set = 0;
            natives::each_card(state, cards, |name| {
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
            let number = host::optional_number(state, at)?.unwrap_or(1.0);
            whole(number, what, *most)
        }
        NumberParameter::Choice { what, names } => {
            let Some((name, _)) = state.text_start(at, NAME_MAX) else {
                return if state.is_nil(at) {
                    Ok(0)
                } else {
                    Err(host::wrong(state, at, "string"))
                };
            };
            let index = (0..).zip(*names).find(|(_, own)| own.as_bytes() == name);
            index.map(|(index, _)| index).ok_or_else(|| {
                let name = String::from_utf8_lossy(&name);
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
