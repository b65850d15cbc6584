//! What the host offers to a bot in WebAssembly: functions in the module's own table, called
//! through tables in its memory.

mod clock_and_log;
mod open_hands;
#[cfg(test)]
mod prices;
mod search;

pub(super) use clock_and_log::say;

use super::caller::{FUEL_OF_CALL, memory_mut, memory_of, outside, pay};
use super::memory;
use super::state::{State, TABLES, room};
use hattari_plugin::abi;
use std::ffi::CStr;
use wasmtime::{AsContextMut, Caller, Func, Ref, Result, Trap};

/// Bytes of a service's id.
const ID_MAX: usize = 128;

/// A service: its id, where its table lies behind the others, and its functions.
struct Offer {
    id: &'static CStr,
    offset: u32,
    functions: fn(&mut Caller<'_, State>) -> Vec<Func>,
}

static OFFERS: [Offer; TABLES] = [
    Offer {
        id: abi::SERVICE_LOG,
        offset: 0,
        functions: clock_and_log::log,
    },
    Offer {
        id: abi::SERVICE_CLOCK,
        offset: 4,
        functions: clock_and_log::clock,
    },
    Offer {
        id: abi::SERVICE_RNG,
        offset: 8,
        functions: clock_and_log::chance,
    },
    Offer {
        id: abi::SERVICE_BRIDGE_DOUBLE_DUMMY,
        offset: 12,
        functions: open_hands::functions,
    },
    Offer {
        id: abi::SERVICE_DAIHINMIN_SEARCH,
        offset: 16,
        functions: search::functions,
    },
];

/// The function that finds services.
pub(super) fn get_service(store: &mut wasmtime::Store<State>) -> Func {
    Func::wrap(
        store,
        |mut caller: Caller<'_, State>, _host: u32, id: u32| find(&mut caller, id),
    )
}

fn find(caller: &mut Caller<'_, State>, id: u32) -> Result<u32> {
    pay(caller, FUEL_OF_CALL)?;
    if id == 0 {
        return Ok(0);
    }
    let id = memory::text(memory_of(caller)?, id, ID_MAX)
        .map_err(outside("get_service"))?
        .unwrap_or_default();
    let Some(number) = OFFERS.iter().position(|offer| offer.id.to_bytes() == id) else {
        return Ok(0);
    };
    let offer = &OFFERS[number];
    let at = caller.data().services.base + room::SERVICES + offer.offset;
    if !caller.data().services.written[number] {
        let functions = (offer.functions)(caller);
        for (place, function) in (at..).step_by(4).zip(functions) {
            let index = grow(caller, function)?;
            memory::write(memory_mut(caller)?, place, &index).map_err(outside("get_service"))?;
        }
        caller.data_mut().services.written[number] = true;
    }
    Ok(at)
}

/// Puts a function into the module's table.
fn grow(caller: &mut Caller<'_, State>, function: Func) -> Result<u32> {
    let table = caller.data().table.ok_or(Trap::TableOutOfBounds)?;
    let index = table.grow(caller.as_context_mut(), 1, Ref::Func(Some(function)))?;
    Ok(u32::try_from(index)?)
}
