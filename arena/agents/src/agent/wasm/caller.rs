//! Access to memory and fuel of a module that is calling the host.

use super::faults::CallStop;
use super::memory::OutOfBounds;
use super::state::WasmState;
use wasmtime::{Caller, Result, Trap};

/// Minimum fuel of a call to the host. Fuel for bytes is charged in addition, before the bytes are
/// copied. The prices are chosen so that 1,000,000,000 units of fuel last at most about 2 seconds
/// of processor time.
pub(super) const FUEL_OF_CALL: u64 = 100;
/// Fuel for each byte of text or random data.
pub(super) const FUEL_OF_BYTE: u64 = 4;
/// Returns the module's memory. While the module starts, the state does not contain it yet.
fn memory_export(caller: &mut Caller<'_, WasmState>) -> Result<wasmtime::Memory> {
    caller
        .data()
        .memory
        .or_else(|| {
            caller
                .get_export("memory")
                .and_then(wasmtime::Extern::into_memory)
        })
        .ok_or_else(|| Trap::MemoryOutOfBounds.into())
}

pub(super) fn memory_of<'a>(caller: &'a mut Caller<'_, WasmState>) -> Result<&'a [u8]> {
    Ok(memory_export(caller)?.data(&*caller))
}

/// Returns the module's memory and the host's state.
pub(super) fn memory_and_state<'a>(
    caller: &'a mut Caller<'_, WasmState>,
) -> Result<(&'a mut [u8], &'a mut WasmState)> {
    Ok(memory_export(caller)?.data_and_store_mut(caller))
}

/// Returns a function that creates the error for an invalid address from the bot. `what` names the
/// call.
pub(super) fn out_of_bounds(what: &'static str) -> impl Fn(OutOfBounds) -> wasmtime::Error {
    move |outside| wasmtime::Error::new(CallStop::Outside(what, outside))
}

/// Charges fuel for work of the host, so that the limit stops a bot at the same point on every
/// machine.
pub(super) fn pay(caller: &mut Caller<'_, WasmState>, fuel: u64) -> Result<()> {
    if caller.data().meter.left() < 0 {
        return Err(wasmtime::Error::new(CallStop::Clock));
    }
    match caller.get_fuel()?.checked_sub(fuel) {
        Some(left) => caller.set_fuel(left),
        None => {
            caller.set_fuel(0)?;
            Err(Trap::OutOfFuel.into())
        }
    }
}
