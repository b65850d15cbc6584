//! Instances of modules, with access to their memory, their functions and the host's buffers in
//! their memory.

use super::limits::WasmLimits;
use super::memory::{self, OutOfBounds};
use super::module::{ENTRY, MEMORY, Module};
use super::services::{add_function, get_service};
use super::state::{WasmState, offsets};
use super::{compile, faults};
use crate::agent::backstop::CallMeter;
use crate::agent::{AgentError, AgentResult, FaultScope, status};
use crate::record::FaultKind;
use hattari_plugin::{abi, abi32};
use std::sync::Arc;
use wasmtime::{
    Instance, Memory, Store, StoreLimitsBuilder, Table, Trap, TypedFunc, WasmParams, WasmResults,
};

/// Initial sizes in bytes of the buffers for view, actions and history. Buffers grow if necessary.
const BUFFERS: [u32; 3] = [512, 2048, 4096];
/// Maximum size of a buffer in bytes.
const RECORDS_MAX: usize = 64 << 20;
/// Size of the buffer for the error of `create` in bytes, including the final zero.
const CREATE_ERROR: usize = 1024;

/// The content of a buffer that the host uses in the module's memory.
#[derive(Clone, Copy)]
pub(super) enum BufferContent {
    View,
    Actions,
    /// History of the deal. Before the first deal, the buffer holds the texts for the functions
    /// that start the bot.
    History,
}

/// A buffer that the host uses in the module's memory.
#[derive(Clone, Copy, Default)]
struct Buffer {
    at: u32,
    size: u32,
}

/// A module that has been instantiated for a bot.
pub(super) struct ModuleInstance {
    store: Store<WasmState>,
    instance: Instance,
    memory: Memory,
    table: Table,
    alloc: TypedFunc<u32, u32>,
    /// Address of the host's structs in the module's memory (see [`offsets`]).
    pub base: u32,
    /// Buffers, indexed by [`BufferContent`].
    buffers: [Buffer; 3],
    entry: u32,
    /// Fuel limit of a call.
    pub fuel: u64,
    refill: Refill,
    meter: Arc<CallMeter>,
}

/// The calls at which an instance gets new fuel.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Refill {
    /// Every call gets the full limit.
    EachCall,
    /// All calls together share the limit.
    Never,
}

/// The functions of a bot factory.
pub(super) struct FactoryFunctions {
    pub count: TypedFunc<(), u32>,
    pub descriptor: TypedFunc<u32, u32>,
    pub create: TypedFunc<(u32, u32, u32, u32, u32, u32), i32>,
}

impl ModuleInstance {
    /// Creates and initialises an instance for the bot `id`, with the host's buffers.
    ///
    /// # Errors
    /// Returns an error if the module does not start or violates the interface.
    pub(super) fn open(
        module: &Module,
        limits: &WasmLimits,
        id: &str,
        refill: Refill,
    ) -> AgentResult<ModuleInstance> {
        let engine = compile::engine().map_err(AgentError::start)?;
        let fuel = limits.start_fuel();
        let limits = StoreLimitsBuilder::new()
            .memory_size(limits.memory)
            .table_elements(WasmLimits::TABLE)
            .build();
        let state = WasmState::new(id, limits);
        let meter = Arc::clone(&state.meter);
        let mut store = Store::new(engine, state);
        store.limiter(|state| &mut state.limits);
        refuel(&mut store, fuel);
        meter.begin(0, WasmLimits::clock(fuel));
        let instance = module.pre.instantiate(&mut store);
        meter.end();
        let instance = instance.map_err(|error| not_instantiated(&error, fuel))?;
        let missing = || AgentError::start("the module's exports have changed");
        let memory = instance
            .get_memory(&mut store, MEMORY)
            .ok_or_else(missing)?;
        let table = instance
            .get_table(&mut store, module.exports.table)
            .ok_or_else(missing)?;
        let entry = instance
            .get_global(&mut store, ENTRY)
            .ok_or_else(missing)?
            .get(&mut store)
            .i32()
            .ok_or_else(|| {
                AgentError::start("its `hattari_entry` must be the address of a constant")
            })?;
        let alloc = instance
            .get_typed_func(&mut store, module.exports.alloc)
            .map_err(|_| {
                AgentError::start("its `malloc` must take a size and return an address")
            })?;
        (store.data_mut().memory, store.data_mut().table) = (Some(memory), Some(table));
        let mut guest = ModuleInstance {
            store,
            instance,
            memory,
            table,
            alloc,
            base: 0,
            buffers: [Buffer::default(); 3],
            entry: entry.cast_unsigned(),
            fuel,
            refill,
            meter,
        };
        guest.check_version()?;
        if let Some(initialize) = instance.get_func(&mut guest.store, "_initialize") {
            let initialize: TypedFunc<(), ()> = initialize
                .typed(&guest.store)
                .map_err(|_| AgentError::start("its `_initialize` must take no arguments"))?;
            guest.call("_initialize", &initialize, ())?;
        }
        guest.allocate_buffers()?;
        guest.init()?;
        Ok(guest)
    }

    /// Allocates memory for the host's structs and buffers, and writes the host struct.
    fn allocate_buffers(&mut self) -> AgentResult {
        let base = self.allocate(offsets::BYTES + BUFFERS.iter().sum::<u32>())?;
        let mut at = base + offsets::BYTES;
        for (buffer, size) in self.buffers.iter_mut().zip(BUFFERS) {
            *buffer = Buffer { at, size };
            at += size;
        }
        let get_service = get_service(&mut self.store);
        let get_service = add_function(self.table, &mut self.store, get_service).map_err(|_| {
            AgentError::start("its function table cannot grow; link it with --growable-table")
        })?;
        let host = abi32::Host {
            struct_size: abi::struct_size::<abi32::Host>(),
            abi_minor: abi::ABI_MINOR,
            host_data: 0,
            name: base + offsets::NAME,
            version: base + offsets::VERSION,
            get_service,
        };
        const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
        const { assert!(VERSION.len() <= (offsets::SERVICES - offsets::VERSION) as usize) };
        (self.base, self.store.data_mut().base) = (base, base);
        let room = &mut self.memory_mut()[base as usize..];
        for (offset, bytes) in [
            (offsets::HOST, bytemuck::bytes_of(&host)),
            (offsets::NAME, b"hattari\0"),
            (offsets::VERSION, VERSION.as_bytes()),
        ] {
            room[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        Ok(())
    }

    /// Allocates memory with the module's allocator.
    fn allocate(&mut self, bytes: u32) -> AgentResult<u32> {
        let address = self.call("malloc", &self.alloc.clone(), bytes)?;
        if address == 0 {
            let what = format!("malloc: cannot allocate {bytes} bytes for the host's records");
            return Err(AgentError::new(FaultKind::Memory, what));
        }
        let end = u64::from(address) + u64::from(bytes);
        if !address.is_multiple_of(8) || end > self.memory().len() as u64 {
            return Err(AgentError::new(
                FaultKind::Crash,
                format!("malloc: returned an invalid block ({bytes} bytes at {address:#x})"),
            ));
        }
        Ok(address)
    }

    /// Checks the size and the major version in the module's entry. The entries of all versions
    /// have these two fields. Must be called before any exported function.
    fn check_version(&mut self) -> AgentResult {
        let [size, major]: [u32; 2] = self.get(ENTRY, self.entry)?;
        if major != abi::ABI_MAJOR {
            let ours = abi::ABI_MAJOR;
            return Err(AgentError::start(format!(
                "it was built for version {major} of the C interface; this host supports version \
                 {ours}"
            )));
        }
        let least = abi::struct_size::<abi32::Entry>();
        if size < least {
            return Err(AgentError::start(format!(
                "its `{ENTRY}` has struct_size {size}; at least {least} is required"
            )));
        }
        Ok(())
    }

    fn read_entry(&self) -> AgentResult<abi32::Entry> {
        self.get(ENTRY, self.entry)
    }

    /// Calls the module's `init`, if it has one.
    fn init(&mut self) -> AgentResult {
        let init = self.read_entry()?.init;
        if let Some(init) = self.optional::<u32, i32>("`init` of its entry", init)? {
            // A module has no file system, so the path is empty.
            let path = self.show(BufferContent::History, 0, b"\0")?;
            let status = self.call("init", &init, path)?;
            if status < abi::OK {
                return Err(AgentError::start(status::not_initialised(status)));
            }
        }
        Ok(())
    }

    /// Returns the module's bot factory.
    pub(super) fn factory(&mut self) -> AgentResult<FactoryFunctions> {
        let entry = self.read_entry()?;
        if entry.get_factory == 0 {
            return Err(AgentError::start(
                "`get_factory` of its `hattari_entry` is null",
            ));
        }
        let get_factory: TypedFunc<u32, u32> =
            self.function("`get_factory` of its entry", entry.get_factory)?;
        let id = self.show(
            BufferContent::History,
            0,
            abi::FACTORY_BOTS.to_bytes_with_nul(),
        )?;
        let address = self.call("get_factory", &get_factory, id)?;
        if address == 0 {
            let id = abi::FACTORY_BOTS.to_string_lossy();
            return Err(AgentError::start(format!(
                "its get_factory returned null for `{id}`"
            )));
        }
        let factory: abi32::BotFactory = self.get("the factory", address)?;
        Ok(FactoryFunctions {
            count: self.function("`count` of its factory", factory.count)?,
            descriptor: self.function("`descriptor` of its factory", factory.descriptor)?,
            create: self.function("`create` of its factory", factory.create)?,
        })
    }

    /// Creates the bot and returns its address.
    pub(super) fn create(&mut self, id: &str, config_json: &str) -> AgentResult<u32> {
        let create = self.factory()?.create;
        // Layout: name with its zero, address of the new bot, error text, config.
        let out = (id.len() + 1).next_multiple_of(8);
        let error = out + 8;
        let config = error + CREATE_ERROR;
        let mut bytes = vec![0; config];
        bytes[..id.len()].copy_from_slice(id.as_bytes());
        bytes.extend_from_slice(config_json.as_bytes());
        let at = self.show(BufferContent::History, 0, &bytes)?;
        let place = |offset: usize| at + u32::try_from(offset).expect("there is room for it");
        let (host, answer) = (self.base + offsets::HOST, self.base + offsets::ANSWER);
        self.put("config", answer, &text(place(config), config_json))?;
        let capacity = u32::try_from(CREATE_ERROR - 1).expect("a small buffer");
        let status = self.call(
            "create",
            &create,
            (at, host, answer, place(error), capacity, place(out)),
        )?;
        if status < abi::OK {
            let said = memory::text(self.memory(), place(error), CREATE_ERROR)
                .map_err(invalid_data_error("create"))?
                .unwrap_or_default();
            let said = String::from_utf8_lossy(said);
            return Err(AgentError::start(status::not_created(
                status,
                &said,
                config_json,
            )));
        }
        match self.get("create", place(out))? {
            0 => Err(AgentError::start("create returned HATTARI_OK but no bot")),
            bot => Ok(bot),
        }
    }

    /// Returns the function at an index of the module's table. `what` names it in errors.
    pub(super) fn function<P: WasmParams, R: WasmResults>(
        &mut self,
        what: &str,
        index: u32,
    ) -> AgentResult<TypedFunc<P, R>> {
        let fail = |why: &str| AgentError::start(format!("the function {what} is {why}"));
        if index == 0 {
            return Err(fail("null"));
        }
        let found = self.table.get(&mut self.store, index.into());
        found
            .and_then(|found| found.as_func().flatten().copied())
            .ok_or_else(|| fail("not in its table"))?
            .typed(&self.store)
            .map_err(|_| fail("of the wrong type"))
    }

    /// Returns the function at an index of the module's table, or `None` for index 0.
    pub(super) fn optional<P: WasmParams, R: WasmResults>(
        &mut self,
        what: &str,
        index: u32,
    ) -> AgentResult<Option<TypedFunc<P, R>>> {
        if index == 0 {
            Ok(None)
        } else {
            self.function(what, index).map(Some)
        }
    }

    /// Calls a function of the module. `name` is the function's name in errors.
    #[inline]
    pub(super) fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
        function: &TypedFunc<P, R>,
        parameters: P,
    ) -> AgentResult<R> {
        if self.refill == Refill::EachCall {
            refuel(&mut self.store, self.fuel);
        }
        self.meter.begin(0, WasmLimits::clock(self.fuel));
        let outcome = function.call(&mut self.store, parameters);
        self.meter.end();
        match outcome {
            Ok(_) if self.meter.left() < 0 => Err(faults::backstop_fault(name, self.fuel)),
            Ok(result) => Ok(result),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    #[cold]
    fn failed(&mut self, name: &str, error: &wasmtime::Error) -> AgentError {
        let fuel = self.fuel;
        faults::agent_error(name, error, fuel, || self.last_panic())
    }

    /// Returns the message of the panic that ended the last call, if the module stores it.
    fn last_panic(&mut self) -> Option<String> {
        let function: TypedFunc<(), u32> = self
            .instance
            .get_typed_func(&mut self.store, "hattari_panic")
            .ok()?;
        refuel(&mut self.store, self.fuel);
        let address = function.call(&mut self.store, ()).ok()?;
        let said = memory::counted_text(self.memory(), address, 1024).ok()?;
        (!said.is_empty()).then_some(said)
    }

    /// Returns the module's memory.
    #[inline]
    pub(super) fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    /// Returns the module's memory for writing.
    #[inline]
    fn memory_mut(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }

    /// Returns the host's state for this instance.
    pub(super) fn state(&mut self) -> &mut WasmState {
        self.store.data_mut()
    }

    /// Reads a record from the module's memory. `what` names the record in errors.
    #[inline]
    pub(super) fn get<T: bytemuck::Pod>(&self, what: &str, at: u32) -> AgentResult<T> {
        memory::read(self.memory(), at).map_err(invalid_data_error(what))
    }

    /// Writes a record to the module's memory. `what` names the record in errors.
    #[inline]
    pub(super) fn put<T: bytemuck::Pod>(&mut self, what: &str, at: u32, record: &T) -> AgentResult {
        memory::write(self.memory_mut(), at, record).map_err(invalid_data_error(what))
    }

    /// Returns the address of a buffer in the module's memory.
    pub(super) fn address(&self, content: BufferContent) -> u32 {
        self.buffers[content as usize].at
    }

    /// Writes bytes to a buffer at an offset and returns their address.
    #[inline]
    pub(super) fn show(
        &mut self,
        content: BufferContent,
        offset: usize,
        bytes: &[u8],
    ) -> AgentResult<u32> {
        self.make_room(content, offset + bytes.len())?;
        let at = self.address(content) as usize + offset;
        self.memory_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(u32::try_from(at).expect("an address in the module's memory"))
    }

    /// Makes a buffer at least `bytes` bytes long. Returns `true` if it has moved to another
    /// address.
    #[inline]
    pub(super) fn make_room(&mut self, content: BufferContent, bytes: usize) -> AgentResult<bool> {
        if bytes <= self.buffers[content as usize].size as usize {
            return Ok(false);
        }
        let size = bytes
            .checked_next_power_of_two()
            .filter(|&needed| needed <= RECORDS_MAX)
            .and_then(|needed| u32::try_from(needed).ok())
            .ok_or_else(|| {
                AgentError::new(
                    FaultKind::Memory,
                    format!("cannot store {bytes} bytes of records"),
                )
            })?;
        let at = self.allocate(size)?;
        self.buffers[content as usize] = Buffer { at, size };
        Ok(true)
    }
}

/// Creates a text of the C interface.
pub(super) fn text(ptr: u32, text: &str) -> abi32::Text {
    abi32::Text {
        ptr,
        gap: [0; 4],
        len: text.len() as u64,
    }
}

/// Sets the remaining fuel.
#[inline]
fn refuel(store: &mut Store<WasmState>, fuel: u64) {
    store.set_fuel(fuel).expect("the engine counts fuel");
}

fn invalid_data_error(what: &str) -> impl Fn(OutOfBounds) -> AgentError {
    move |outside| AgentError::new(FaultKind::Crash, format!("{what}: {outside}"))
}

/// Returns the error for a failed instantiation.
fn not_instantiated(error: &wasmtime::Error, fuel: u64) -> AgentError {
    if faults::is_backstop(error) {
        return faults::backstop_fault("its start function", fuel);
    }
    if error.is::<Trap>() || error.is::<faults::CallStop>() {
        return faults::agent_error("its start function", error, fuel, || None).at_start();
    }
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        // As with a lack of processes, the block can be played again when another instance has been
        // freed.
        return AgentError::start(error.to_string()).with_scope(FaultScope::Outside);
    }
    AgentError::start(format!("it cannot be started: {error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::wasm::state::pay;
    use wasmtime::{Caller, Func};

    /// Returns the module from the first release.
    fn first() -> Module {
        let bytes = include_bytes!("../../../../../tests/abi-v1/first.wasm");
        Module::new("first.wasm", bytes, compile::compile_here).unwrap()
    }

    #[test]
    fn calls_share_fuel_if_it_is_not_refilled() {
        let module = first();
        let limits = WasmLimits {
            fuel: 100_000,
            ..WasmLimits::default()
        };
        let calls = |refill| {
            let mut guest = ModuleInstance::open(&module, &limits, "", refill).unwrap();
            (0..100_000)
                .find_map(|_| guest.factory().err())
                .map(|agent_error| agent_error.kind)
        };
        assert_eq!(calls(Refill::Never), Some(FaultKind::Time));
        assert_eq!(calls(Refill::EachCall), None);
    }

    #[test]
    fn a_call_stopped_by_the_backstop_causes_a_clock_fault() {
        let mut guest =
            ModuleInstance::open(&first(), &WasmLimits::default(), "", Refill::EachCall).unwrap();
        guest.fuel = 1000;
        let mut call = |name, is_stopped, price: Option<u64>| {
            let host = move |mut caller: Caller<'_, WasmState>| {
                if is_stopped {
                    caller.data().meter.stop();
                }
                price.map_or(Ok(()), |fuel| pay(&mut caller, fuel))
            };
            let host = Func::wrap(&mut guest.store, host);
            let host = host.typed::<(), ()>(&guest.store).unwrap();
            guest.call(name, &host, ())
        };
        for (name, price, during) in [
            ("act", None, "in one decision"),
            ("create", Some(1), "at the start of the block"),
        ] {
            let fault = call(name, true, price).unwrap_err();
            assert_eq!(
                fault.message,
                format!("exceeded 20 s of CPU time {during}; the limit of fuel did not stop it")
            );
            assert_eq!(
                (fault.kind, fault.scope),
                (FaultKind::Clock, FaultScope::Block)
            );
            // The stop does not affect the next call.
            assert_eq!(call("act", false, None), Ok(()));
        }
    }
}
