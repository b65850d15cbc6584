//! Host services for WebAssembly bots. Their functions are in the module's table; bots find them
//! through lists of table indices in the module's memory.

mod clock_and_log;
mod decisions;
#[cfg(test)]
mod price_tests;

use super::memory;
use super::state::{
    FUEL_OF_CALL, TABLES, WasmState, memory_and_state, memory_of, offsets, out_of_bounds, pay,
};
use crate::agent::services::SERVICES;
use hattari_plugin::abi;
use std::ffi::CStr;
use wasmtime::{AsContextMut, Caller, Func, Ref, Result, Table, Trap};

/// Maximum length of a service's id in bytes.
const ID_MAX: usize = 128;

/// A constructor of a service's function.
type MakeFunction = fn(&mut Caller<'_, WasmState>) -> Func;

/// Services that every bot can use. Each has one function.
static GENERAL: [(&CStr, MakeFunction); 4] = [
    (abi::SERVICE_LOG, |caller| {
        Func::wrap(caller, clock_and_log::log)
    }),
    (abi::SERVICE_CLOCK, |caller| {
        Func::wrap(caller, clock_and_log::clock)
    }),
    (abi::SERVICE_RNG, |caller| {
        Func::wrap(caller, clock_and_log::chance)
    }),
    (abi::SERVICE_NUMBERS, |caller| {
        Func::wrap(caller, clock_and_log::numbers)
    }),
];
const _: () = assert!(GENERAL.len() + SERVICES.len() == TABLES);

/// Creates the host function `get_service`, with which bots find services.
pub(super) fn get_service(store: &mut wasmtime::Store<WasmState>) -> Func {
    Func::wrap(store, find)
}

fn find(mut caller: Caller<'_, WasmState>, _host: u32, id: u32) -> Result<u32> {
    let caller = &mut caller;
    pay(caller, FUEL_OF_CALL)?;
    if id == 0 {
        return Ok(0);
    }
    let id = memory::text(memory_of(caller)?, id, ID_MAX)
        .map_err(out_of_bounds("get_service"))?
        .unwrap_or_default();
    let general = GENERAL.iter().map(|(own, _)| (*own, 1));
    let all = general.chain(SERVICES.map(|service| (service.id, service.methods.len())));
    // The functions of a service follow those of the previous services.
    let mut offset = 0;
    let found = all.enumerate().find(|(_, (own, functions))| {
        let is_found = own.to_bytes() == id;
        offset += if is_found { 0 } else { 4 * functions };
        is_found
    });
    let Some((number, _)) = found else {
        return Ok(0);
    };
    let at = caller.data().base + offsets::SERVICES + u32::try_from(offset)?;
    if !caller.data().written[number] {
        let functions = match GENERAL.get(number) {
            Some((_, function)) => vec![function(caller)],
            None => decisions::functions(caller, SERVICES[number - GENERAL.len()]),
        };
        for (place, function) in (at..).step_by(4).zip(functions) {
            let table = caller.data().table.ok_or(Trap::TableOutOfBounds)?;
            let index = add_function(table, &mut *caller, function)?;
            memory::write(memory_and_state(caller)?.0, place, &index)
                .map_err(out_of_bounds("get_service"))?;
        }
        caller.data_mut().written[number] = true;
    }
    Ok(at)
}

/// Adds a function to a module's table and returns its index.
pub(super) fn add_function(table: Table, store: impl AsContextMut, function: Func) -> Result<u32> {
    let index = table.grow(store, 1, Ref::Func(Some(function)))?;
    Ok(u32::try_from(index)?)
}
