//! What the host offers to a bot in WebAssembly: functions in the module's own table, called
//! through tables in its memory.

mod clock_and_log;
mod open_hands;
#[cfg(test)]
mod prices;
mod search;

pub(super) use clock_and_log::say;

use super::faults::Stop;
use super::guest::{State, room};
use super::memory::{self, Outside};
use crate::agent::deadline::Deadline;
use crate::agent::lookahead::Lookahead;
use crate::agent::open_hands::OpenHands;
use crate::agent::script::Loan;
use crate::agent::{BlockStart, plugin};
use hattari_plugin::abi;
use rand_chacha::ChaCha12Rng;
use std::ffi::CStr;
use std::rc::Rc;
use wasmtime::{AsContextMut, Caller, Func, Ref, Result, Trap};

/// Fuel of a call of the host, whatever it does. Each function of the host takes at least this
/// much, and the fuel for the bytes that it copies before it copies them: 1,000,000,000 of fuel
/// have to end a decision within about 2 seconds of processor time.
pub(super) const FUEL_OF_CALL: u64 = 100;
/// Fuel of a byte of text, or of a random one.
pub(super) const FUEL_OF_BYTE: u64 = 4;
/// Bytes of a service's id.
const ID_MAX: usize = 128;

/// The host's side of an instance.
pub(super) struct Services {
    /// The bot's name, for the log.
    pub bot: String,
    pub messages: u32,
    /// When the decision under way must be answered.
    pub deadline: Option<Deadline>,
    pub chance: ChaCha12Rng,
    /// Chance of the system's own kind, which is no chance here.
    pub system_chance: ChaCha12Rng,
    /// What the bot is asked.
    pub turn: Rc<Loan>,
    pub lookahead: Lookahead,
    pub open_hands: OpenHands,
    /// Where the host's room starts.
    base: u32,
    /// Whether the table of each service is written.
    written: [bool; TABLES.len()],
}

/// A service: its id, where its table lies behind the others, and its functions.
struct Offer {
    id: &'static CStr,
    offset: u32,
    functions: fn(&mut Caller<'_, State>) -> Vec<Func>,
}

static TABLES: [Offer; 5] = [
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

impl Services {
    /// Services for an instance of `bot`.
    pub(super) fn new(bot: &str) -> Services {
        Services {
            bot: bot.to_owned(),
            messages: 0,
            deadline: None,
            chance: plugin::stream(0),
            system_chance: plugin::stream(!0),
            turn: Rc::default(),
            lookahead: Lookahead::default(),
            open_hands: OpenHands::default(),
            base: 0,
            written: [false; TABLES.len()],
        }
    }

    /// Sets where the instance's room starts.
    pub(super) fn settle(&mut self, base: u32) {
        self.base = base;
    }

    /// A block starts.
    pub(super) fn start_block(&mut self, start: &BlockStart<'_>) {
        self.chance = plugin::stream(start.seed);
        self.messages = 0;
        self.lookahead
            .start_block(start.game, start.options_json, start.seed);
        self.open_hands.start_block(start.game);
    }

    /// Whether this is the struct of the host that the bot was created with.
    fn is_host(&self, host: u32) -> bool {
        host == self.base + room::HOST
    }

    /// Whether this is the decision that the bot is handed.
    fn is_decision(&self, decision: u32) -> bool {
        decision == self.base + room::CALL
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_past)
    }
}

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
    let Some(number) = TABLES.iter().position(|offer| offer.id.to_bytes() == id) else {
        return Ok(0);
    };
    let offer = &TABLES[number];
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
