//! Memory and fuel of a module that calls the host.

use super::faults::Stop;
use super::memory::Outside;
use super::state::State;
use wasmtime::{Caller, Result, Trap};

/// Fuel of a call of the host, whatever it does. Each function of the host takes at least this
/// much, and the fuel for the bytes that it copies before it copies them: 1,000,000,000 of fuel
/// have to end a decision within about 2 seconds of processor time.
pub(super) const FUEL_OF_CALL: u64 = 100;
/// Fuel of a byte of text, or of a random one.
pub(super) const FUEL_OF_BYTE: u64 = 4;
/// The module's memory, which it may not have made known yet.
fn memory_export(caller: &mut Caller<'_, State>) -> Result<wasmtime::Memory> {
    let known = caller.data().memory;
    let memory = known.or_else(|| {
        caller
            .get_export("memory")
            .and_then(wasmtime::Extern::into_memory)
    });
    memory.ok_or_else(|| Trap::MemoryOutOfBounds.into())
}

pub(super) fn memory_of<'a>(caller: &'a mut Caller<'_, State>) -> Result<&'a [u8]> {
    let memory = memory_export(caller)?;
    Ok(memory.data(&*caller))
}

pub(super) fn memory_mut<'a>(caller: &'a mut Caller<'_, State>) -> Result<&'a mut [u8]> {
    let memory = memory_export(caller)?;
    Ok(memory.data_mut(caller))
}

/// Memory and state together.
pub(super) fn parts<'a>(
    caller: &'a mut Caller<'_, State>,
) -> Result<(&'a mut [u8], &'a mut State)> {
    let memory = memory_export(caller)?;
    Ok(memory.data_and_store_mut(caller))
}

/// What ends a call in which a bot hands over an address of nothing.
pub(super) fn outside(what: &'static str) -> impl Fn(Outside) -> wasmtime::Error {
    move |outside| wasmtime::Error::new(Stop::Outside(what, outside))
}

/// Takes fuel for what the host does in the bot's stead, so that a bot gets equally far on every
/// machine.
pub(super) fn pay(caller: &mut Caller<'_, State>, fuel: u64) -> Result<()> {
    if caller.data().meter.is_stopped() {
        return Err(wasmtime::Error::new(Stop::Clock));
    }
    match caller.get_fuel()?.checked_sub(fuel) {
        Some(left) => caller.set_fuel(left),
        None => {
            caller.set_fuel(0)?;
            Err(Trap::OutOfFuel.into())
        }
    }
}
