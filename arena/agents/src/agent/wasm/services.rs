//! Host services for WebAssembly bots: log, clock, random numbers, logged numbers, and services for
//! decisions. Their functions are in the module's table; bots find them through lists of table
//! indices in the module's memory.

#[cfg(test)]
mod price_tests;

use super::memory;
use super::state::{
    FUEL_OF_BYTE, FUEL_OF_CALL, WasmCaller, WasmState, memory_and_state, memory_of, offsets,
    out_of_bounds, pay, write,
};
use crate::agent::log::MESSAGE_BYTES_MAX;
use crate::agent::numbers::NAME_BYTES_MAX;
use crate::agent::services::{
    self, Output, Request, SERVICES, Service, ServiceRefusal, ServiceStep,
};
use crate::agent::status::size;
use hattari_plugin::{abi, abi32};
use rand::Rng;
use std::ffi::CStr;
use std::mem;
use std::rc::Rc;
use wasmtime::{AsContextMut, Func, FuncType, Ref, Result, Table, Trap, Val, ValType};

/// Maximum length of a service's id in bytes.
const ID_MAX: usize = 128;

/// A constructor of a service's function.
type MakeFunction = fn(&mut WasmCaller<'_>) -> Func;

/// Services that every bot can use. Each has one function.
static GENERAL: [(&CStr, MakeFunction); 4] = [
    (abi::SERVICE_LOG, |caller| Func::wrap(caller, log)),
    (abi::SERVICE_CLOCK, |caller| Func::wrap(caller, clock)),
    (abi::SERVICE_RNG, |caller| Func::wrap(caller, chance)),
    (abi::SERVICE_NUMBERS, |caller| Func::wrap(caller, numbers)),
];

const _: () = assert!(
    GENERAL.len() + SERVICES.len() <= u32::BITS as usize,
    "`WasmState::written` has a bit for each service"
);

/// Creates the host function `get_service`, with which bots find services.
pub(super) fn get_service(store: &mut wasmtime::Store<WasmState>) -> Func {
    Func::wrap(store, find)
}

fn find(mut caller: WasmCaller<'_>, _host: u32, id: u32) -> Result<u32> {
    let caller = &mut caller;
    pay(caller, FUEL_OF_CALL)?;
    if id == 0 {
        return Ok(0);
    }
    let id = memory::text(memory_of(caller)?, id, ID_MAX)
        .map_err(out_of_bounds("get_service"))?
        .unwrap_or_default();
    let all: Vec<(&CStr, usize)> = GENERAL
        .iter()
        .map(|(own, _)| (*own, 1))
        .chain(SERVICES.map(|service| (service.id, service.methods.len())))
        .collect();
    let Some(number) = all.iter().position(|(own, _)| own.to_bytes() == id) else {
        return Ok(0);
    };
    // The functions of a service follow those of the previous services.
    let before: usize = all[..number].iter().map(|(_, functions)| functions).sum();
    let at = caller.data().base + offsets::SERVICES + 4 * u32::try_from(before)?;
    if caller.data().written & 1 << number == 0 {
        let functions = match GENERAL.get(number) {
            Some((_, function)) => vec![function(caller)],
            None => decision_functions(caller, SERVICES[number - GENERAL.len()]),
        };
        for (place, function) in (at..).step_by(4).zip(functions) {
            let table = caller.data().table.ok_or(Trap::TableOutOfBounds)?;
            let index = add_function(table, &mut *caller, function)?;
            write(caller, "get_service", place, &index.to_le_bytes())?;
        }
        caller.data_mut().written |= 1 << number;
    }
    Ok(at)
}

/// Adds a function to a module's table and returns its index.
pub(super) fn add_function(table: Table, store: impl AsContextMut, function: Func) -> Result<u32> {
    let index = table.grow(store, 1, Ref::Func(Some(function)))?;
    Ok(u32::try_from(index)?)
}

/// Fuel charged for a log message, in addition to the fuel for its bytes.
const FUEL_OF_MESSAGE: u64 = 1000;
/// Fuel charged for a random number.
const FUEL_OF_NUMBER: u64 = 10;

fn log(mut caller: WasmCaller<'_>, host: u32, level: i32, text: u32) -> Result<()> {
    pay(&mut caller, FUEL_OF_MESSAGE)?;
    let length = memory::read::<abi32::Text>(memory_of(&mut caller)?, text)
        .map_err(out_of_bounds("log"))?
        .len;
    pay(&mut caller, FUEL_OF_BYTE * length.min(MESSAGE_BYTES_MAX))?;
    let message = memory::counted_text(memory_of(&mut caller)?, text, MESSAGE_BYTES_MAX)
        .map_err(out_of_bounds("log"))?;
    let state = caller.data_mut();
    if state.is_host(host) {
        state.instance.log(level, &message);
    }
    Ok(())
}

fn numbers(mut caller: WasmCaller<'_>, host: u32, name: u32, number: f64) -> Result<i32> {
    // A refused number makes a message.
    pay(&mut caller, FUEL_OF_MESSAGE)?;
    let memory = memory_of(&mut caller)?;
    let name = memory::counted_text(memory, name, NAME_BYTES_MAX as u64 + 1)
        .map_err(out_of_bounds("the service for numbers"))?;
    let state = caller.data_mut();
    Ok(if state.is_host(host) {
        state.instance.log_number(&name, number)
    } else {
        abi::E_FAIL
    })
}

fn clock(mut caller: WasmCaller<'_>, host: u32) -> Result<i64> {
    pay(&mut caller, FUEL_OF_CALL)?;
    let state = caller.data();
    Ok(if state.is_host(host) {
        state.instance.time_left_us()
    } else {
        i64::MAX
    })
}

fn chance(mut caller: WasmCaller<'_>, host: u32, out: u32, count: u32) -> Result<()> {
    pay(
        &mut caller,
        FUEL_OF_CALL + FUEL_OF_NUMBER * u64::from(count),
    )?;
    let (memory, state) = memory_and_state(&mut caller)?;
    if out == 0 || !state.is_host(host) {
        return Ok(());
    }
    let room = memory::bytes_mut(memory, out, 8 * u64::from(count))
        .map_err(out_of_bounds("the random stream"))?;
    for number in room.as_chunks_mut::<8>().0 {
        *number = state.instance.chance.next_u64().to_le_bytes();
    }
    Ok(())
}

/// Creates the functions of a service.
fn decision_functions(caller: &mut WasmCaller<'_>, service: &'static Service) -> Vec<Func> {
    let function = |number: usize| {
        let method = &service.methods[number];
        // Parameters: host, decision, deals if the method takes them, count, further numbers,
        // results.
        let count = 4 + usize::from(method.takes_deals) + method.numbers.len();
        let ty = FuncType::new(caller.engine(), vec![ValType::I32; count], [ValType::I32]);
        Func::new(&mut *caller, ty, move |caller, arguments, results| {
            let mut arguments = arguments
                .iter()
                .map(|value| value.unwrap_i32().cast_unsigned());
            results[0] = Val::I32(call(caller, service, number, &mut arguments)?);
            Ok(())
        })
    };
    (0..service.methods.len()).map(function).collect()
}

/// Calls method `number` of a service. Returns the status of the C interface.
fn call(
    mut caller: WasmCaller<'_>,
    service: &'static Service,
    number: usize,
    arguments: &mut dyn Iterator<Item = u32>,
) -> Result<i32> {
    let method = &service.methods[number];
    pay(&mut caller, method.fuel.call)?;
    let mut next = || arguments.next().unwrap_or_default();
    let (host, decision) = (next(), next());
    let hands = method.takes_deals.then(&mut next);
    let (count, mut numbers) = (next(), [0; 2]);
    numbers[..method.numbers.len()].fill_with(&mut next);
    let mut at = next();
    let state = caller.data();
    let is_valid = state.is_host(host)
        && decision == state.base + offsets::CALL
        && method.accepts(count, numbers)
        && at != 0
        && hands.is_none_or(|at| at != 0 && at.is_multiple_of(8));
    let turn = Rc::clone(&state.turn);
    turn.read(|turn| {
        let Some(turn) = turn.filter(|_| is_valid) else {
            return Ok(abi::E_FAIL);
        };
        let actions = turn.legal.count();
        pay(
            &mut caller,
            method.price(&method.fuel, count, actions, numbers),
        )?;
        let deal = 8 * service.seats as u64;
        let row = match method.output {
            Output::Deals => deal,
            Output::Floats => 8 * u64::from(actions),
            Output::Bytes => actions.into(),
        };
        let memory = memory_of(&mut caller)?;
        let part = |at, row| {
            memory::bytes(memory, at, row * u64::from(count)).map_err(out_of_bounds(method.name))
        };
        // Checks the buffer for results before the work is done.
        part(at, row)?;
        let deals = match hands {
            Some(hands) => services::words(part(hands, deal)?),
            None => Vec::new(),
        };
        let request = Request {
            count,
            deals: &deals,
            numbers,
        };
        let mut block = mem::take(&mut caller.data_mut().block);
        let mut error = None;
        let outcome = block.call(service, number, turn, &request, &mut |step| {
            let done = match step {
                ServiceStep::Check if caller.data().instance.is_late() => {
                    return Err(ServiceRefusal::Late);
                }
                ServiceStep::Check => Ok(()),
                ServiceStep::Pay(work) => pay(&mut caller, work.saturating_mul(method.fuel.work)),
                ServiceStep::Write(bytes) => {
                    let place = at;
                    at = at.wrapping_add(size(bytes));
                    write(&mut caller, method.name, place, bytes)
                }
            };
            done.map_err(|end| {
                error = Some(end);
                ServiceRefusal::Ended
            })
        });
        caller.data_mut().block = block;
        match error {
            Some(error) => Err(error),
            None => Ok(outcome.map_or_else(ServiceRefusal::status, |()| abi::OK)),
        }
    })
}
