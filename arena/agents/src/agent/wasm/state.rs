//! The host's state for an instance of a module, and access to memory and fuel of a module that is
//! calling the host.

use super::faults::CallStop;
use super::memory::{self, OutOfBounds};
use crate::agent::BlockStart;
use crate::agent::backstop::CallMeter;
use crate::agent::instance::{InstanceState, random_stream};
use crate::agent::script::ScopedPtr;
use crate::agent::services::BlockServices;
use rand_chacha::ChaCha12Rng;
use std::rc::Rc;
use std::sync::Arc;
use wasmtime::{Caller, Memory, Result, StoreLimits, Table, Trap};

/// Offsets of the host's structs in the block of memory that the host allocates in a module.
/// Between two offsets there is room for the largest struct stored there.
pub(super) mod offsets {
    /// Host struct; the name and the version follow.
    pub(crate) const HOST: u32 = 0;
    /// Name of the host, zero-terminated.
    pub(crate) const NAME: u32 = 24;
    /// Version of the host, zero-terminated.
    pub(crate) const VERSION: u32 = 32;
    /// Lists of the services' functions.
    pub(crate) const SERVICES: u32 = 64;
    /// Argument of a call: information about a block or deal, a decision or a result.
    pub(crate) const CALL: u32 = 128;
    /// Result of a call: a choice, or a text that is passed by address.
    pub(crate) const ANSWER: u32 = 192;
    /// Total size of the structs in bytes.
    pub(crate) const BYTES: u32 = 208;
}

/// The host's state for an instance.
pub(super) struct WasmState {
    pub limits: StoreLimits,
    pub memory: Option<Memory>,
    pub table: Option<Table>,
    /// Meter of the current call. After the watchdog has stopped it, host functions fail and the
    /// answer is ignored. The module's own code can only be stopped by fuel.
    pub meter: Arc<CallMeter>,
    pub instance: InstanceState,
    /// Random numbers for WASI. They are the same in every run.
    pub system_chance: ChaCha12Rng,
    /// Current decision.
    pub turn: Rc<ScopedPtr>,
    /// Services for decisions in the block.
    pub block: BlockServices,
    /// Address of the host's structs.
    pub base: u32,
    /// One bit for each service, which is 1 if its function list has been written.
    pub written: u32,
}

impl WasmState {
    /// Creates the state of an instance of `bot`.
    pub(super) fn new(bot: &str, limits: StoreLimits) -> WasmState {
        WasmState {
            limits,
            memory: None,
            table: None,
            meter: CallMeter::watched(),
            instance: InstanceState::new(bot),
            system_chance: random_stream(!0),
            turn: Rc::default(),
            block: BlockServices::default(),
            base: 0,
            written: 0,
        }
    }

    /// Resets the services for a block: the log, the random stream (from the bot's seed) and the
    /// options of the game.
    pub(super) fn start_block(&mut self, start: &BlockStart<'_>) {
        self.instance.restart(start.seed);
        self.block
            .start_block(start.game, start.options_json, start.seed);
    }

    /// Returns `true` for the address of the host struct.
    pub(super) fn is_host(&self, host: u32) -> bool {
        host == self.base + offsets::HOST
    }
}

/// A module that calls the host.
pub(super) type WasmCaller<'a> = Caller<'a, WasmState>;

/// Minimum fuel of a call to the host. Fuel for bytes is charged in addition, before the bytes are
/// copied. The prices are chosen so that 1,000,000,000 units of fuel last at most about 2 seconds
/// of processor time.
pub(super) const FUEL_OF_CALL: u64 = 100;
/// Fuel for each byte of text or random data.
pub(super) const FUEL_OF_BYTE: u64 = 4;

/// Returns the module's memory. While the module starts, the state does not contain it yet.
fn memory_export(caller: &mut WasmCaller<'_>) -> Result<Memory> {
    let known = caller.data().memory;
    known
        .or_else(|| caller.get_export("memory")?.into_memory())
        .ok_or_else(|| Trap::MemoryOutOfBounds.into())
}

pub(super) fn memory_of<'a>(caller: &'a mut WasmCaller<'_>) -> Result<&'a [u8]> {
    Ok(memory_export(caller)?.data(&*caller))
}

/// Returns the module's memory and the host's state.
pub(super) fn memory_and_state<'a>(
    caller: &'a mut WasmCaller<'_>,
) -> Result<(&'a mut [u8], &'a mut WasmState)> {
    Ok(memory_export(caller)?.data_and_store_mut(caller))
}

/// Writes bytes to the module's memory. `what` names the call in errors.
pub(super) fn write(
    caller: &mut WasmCaller<'_>,
    what: &'static str,
    at: u32,
    bytes: &[u8],
) -> Result<()> {
    memory::bytes_mut(memory_and_state(caller)?.0, at, bytes.len() as u64)
        .map_err(out_of_bounds(what))?
        .copy_from_slice(bytes);
    Ok(())
}

/// Returns a function that creates the error for an invalid address from the bot. `what` names the
/// call.
pub(super) fn out_of_bounds(what: &'static str) -> impl Fn(OutOfBounds) -> wasmtime::Error {
    move |outside| wasmtime::Error::new(CallStop::Outside(what, outside))
}

/// Charges fuel for work of the host, so that the limit stops a bot at the same point on every
/// machine.
pub(super) fn pay(caller: &mut WasmCaller<'_>, fuel: u64) -> Result<()> {
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
