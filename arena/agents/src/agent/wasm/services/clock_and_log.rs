//! The services for log, clock, random numbers and logged numbers.

use crate::agent::log::MESSAGE_BYTES_MAX;
use crate::agent::numbers::NAME_BYTES_MAX;
use crate::agent::wasm::memory;
use crate::agent::wasm::state::{
    FUEL_OF_BYTE, FUEL_OF_CALL, WasmState, memory_and_state, memory_of, out_of_bounds, pay,
};
use hattari_plugin::{abi, abi32};
use rand::Rng;
use wasmtime::{Caller, Result};

/// Fuel charged for a log message, in addition to the fuel for its bytes.
const FUEL_OF_MESSAGE: u64 = 1000;
/// Fuel charged for a random number.
const FUEL_OF_NUMBER: u64 = 10;

pub(super) fn log(
    mut caller: Caller<'_, WasmState>,
    host: u32,
    level: i32,
    text: u32,
) -> Result<()> {
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

pub(super) fn numbers(
    mut caller: Caller<'_, WasmState>,
    host: u32,
    name: u32,
    number: f64,
) -> Result<i32> {
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

pub(super) fn clock(mut caller: Caller<'_, WasmState>, host: u32) -> Result<i64> {
    pay(&mut caller, FUEL_OF_CALL)?;
    let state = caller.data();
    Ok(if state.is_host(host) {
        state.instance.time_left_us()
    } else {
        i64::MAX
    })
}

pub(super) fn chance(
    mut caller: Caller<'_, WasmState>,
    host: u32,
    out: u32,
    count: u32,
) -> Result<()> {
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
