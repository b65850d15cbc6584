//! Memory and fuel of a module while it calls the host.

use super::faults::CallStop;
use super::memory::OutOfBounds;
use super::state::WasmState;
use wasmtime::{Caller, Result, Trap};

/// Minimum fuel of a call to the host. Each host function charges at least this, and the fuel for
/// bytes before it copies them. The prices are set so that 1,000,000,000 units of fuel end a
/// decision within about 2 seconds of processor time.
pub(super) const FUEL_OF_CALL: u64 = 100;
/// Fuel per byte of text or of random data.
pub(super) const FUEL_OF_BYTE: u64 = 4;
/// Returns the module's memory, which may not be stored in the state yet.
fn memory_export(caller: &mut Caller<'_, WasmState>) -> Result<wasmtime::Memory> {
    let known = caller.data().memory;
    let memory = known.or_else(|| {
        caller
            .get_export("memory")
            .and_then(wasmtime::Extern::into_memory)
    });
    memory.ok_or_else(|| Trap::MemoryOutOfBounds.into())
}

pub(super) fn memory_of<'a>(caller: &'a mut Caller<'_, WasmState>) -> Result<&'a [u8]> {
    let memory = memory_export(caller)?;
    Ok(memory.data(&*caller))
}

pub(super) fn memory_mut<'a>(caller: &'a mut Caller<'_, WasmState>) -> Result<&'a mut [u8]> {
    let memory = memory_export(caller)?;
    Ok(memory.data_mut(caller))
}

/// Returns memory and state.
pub(super) fn parts<'a>(
    caller: &'a mut Caller<'_, WasmState>,
) -> Result<(&'a mut [u8], &'a mut WasmState)> {
    let memory = memory_export(caller)?;
    Ok(memory.data_and_store_mut(caller))
}

/// Returns the error for an invalid address from the bot.
pub(super) fn outside(what: &'static str) -> impl Fn(OutOfBounds) -> wasmtime::Error {
    move |outside| wasmtime::Error::new(CallStop::Outside(what, outside))
}

/// Charges fuel for work of the host, so that a bot gets equally far on every machine.
pub(super) fn pay(caller: &mut Caller<'_, WasmState>, fuel: u64) -> Result<()> {
    if caller.data().meter.is_stopped() {
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
