//! A module that lives: its memory, its functions, and the room that the host has in it.

use super::limits::Limits;
use super::memory::{self, Outside};
use super::meter::Meter;
use super::module::Module;
use super::services;
use super::state::{Services, State, room};
use super::{engine, faults};
use crate::agent::{Misstep, Reach, status};
use crate::record::FaultKind;
use hattari_plugin::{abi, abi32};
use std::sync::Arc;
use wasmtime::{
    Instance, Memory, Ref, Store, StoreLimitsBuilder, Table, Trap, TypedFunc, WasmParams,
    WasmResults,
};

/// Bytes that a view, the actions and the history have at first; more is made where more is needed.
const BUFFERS: [u32; 3] = [512, 2048, 4096];
/// Bytes of the largest record that calls are told with: at most so much is asked of a module for
/// one of them.
const RECORDS_MAX: usize = 64 << 20;
/// Bytes that a bot may write about why it cannot be created, with the zero that ends them.
const CREATE_ERROR: u32 = 1024;

/// A piece of the module's memory that is the host's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Buffer {
    pub at: u32,
    pub size: u32,
}

/// An instance of a module.
pub(super) struct Guest {
    store: Store<State>,
    instance: Instance,
    memory: Memory,
    table: Table,
    alloc: TypedFunc<u32, u32>,
    /// Where the host's room starts.
    pub base: u32,
    pub view: Buffer,
    pub actions: Buffer,
    pub history: Buffer,
    entry: u32,
    panic: Option<wasmtime::ModuleExport>,
    fuel: u64,
    refill: Refill,
    meter: Arc<Meter>,
}

/// When an instance gets its fuel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refill {
    /// At every call.
    EachCall,
    /// Once, for all calls together.
    Never,
}

/// The functions of a factory.
pub(super) struct Factory {
    pub count: TypedFunc<(), u32>,
    pub descriptor: TypedFunc<u32, u32>,
    pub create: TypedFunc<(u32, u32, u32, u32, u32, u32), i32>,
}

fn start(what: impl Into<String>) -> Misstep {
    Misstep::new(FaultKind::Start, what)
}

impl Guest {
    /// A fresh instance for the bot `id`, initialised, with the host's room in it.
    ///
    /// # Errors
    /// The module does not start, or does not keep to the interface.
    pub(super) fn open(
        module: &Module,
        limits: &Limits,
        id: &str,
        refill: Refill,
    ) -> Result<Guest, Misstep> {
        let engine = engine::engine().map_err(start)?;
        let ready = &module.ready;
        let fuel = limits.start_fuel();
        let (services, meter) = (Services::new(id), Meter::watched());
        let store_limits = StoreLimitsBuilder::new()
            .memory_size(limits.memory)
            .table_elements(Limits::TABLE)
            .build();
        let mut store = Store::new(
            engine,
            State {
                limits: store_limits,
                memory: None,
                table: None,
                services,
                meter: Arc::clone(&meter),
            },
        );
        store.limiter(|state| &mut state.limits);
        refuel(&mut store, fuel);
        meter.begin(Limits::clock(fuel));
        let instance = ready.pre.instantiate(&mut store);
        meter.end();
        let instance = instance.map_err(|error| not_instantiated(&error, fuel))?;
        let mut export = |name| instance.get_module_export(&mut store, name);
        let missing = || start("the module's exports are not what they were");
        let memory = export(&ready.memory)
            .and_then(wasmtime::Extern::into_memory)
            .ok_or_else(missing)?;
        let table = export(&ready.table)
            .and_then(wasmtime::Extern::into_table)
            .ok_or_else(missing)?;
        let entry = export(&ready.entry)
            .and_then(wasmtime::Extern::into_global)
            .ok_or_else(missing)?;
        let alloc = export(&ready.alloc)
            .and_then(wasmtime::Extern::into_func)
            .ok_or_else(missing)?;
        let initialize = ready
            .initialize
            .as_ref()
            .and_then(&mut export)
            .and_then(wasmtime::Extern::into_func);
        let alloc = alloc
            .typed(&store)
            .map_err(|_| start("its `malloc` is not a function from a size to an address"))?;
        let entry = entry.get(&mut store).i32().map(i32::cast_unsigned);
        let entry =
            entry.ok_or_else(|| start("its `hattari_entry` is not the address of a constant"))?;
        (store.data_mut().memory, store.data_mut().table) = (Some(memory), Some(table));
        let [view, actions, history] = [Buffer::default(); 3];
        let panic = ready.panic;
        let mut guest = Guest {
            store,
            instance,
            memory,
            table,
            alloc,
            base: 0,
            view,
            actions,
            history,
            entry,
            panic,
            fuel,
            refill,
            meter,
        };
        guest.check_version()?;
        if let Some(initialize) = initialize {
            let initialize = initialize.typed(&guest.store);
            let initialize: TypedFunc<(), ()> =
                initialize.map_err(|_| start("its `_initialize` takes arguments"))?;
            guest.call("_initialize", &initialize, ())?;
        }
        guest.settle()?;
        guest.init()?;
        Ok(guest)
    }

    /// Makes the host's room and writes the struct of the host.
    fn settle(&mut self) -> Result<(), Misstep> {
        let [view, actions, history] = BUFFERS;
        let all = room::BYTES + view + actions + history;
        self.base = self.allocate(all)?;
        self.view = Buffer {
            at: self.base + room::BYTES,
            size: view,
        };
        self.actions = Buffer {
            at: self.view.at + view,
            size: actions,
        };
        self.history = Buffer {
            at: self.actions.at + actions,
            size: history,
        };
        let get_service = services::get_service(&mut self.store);
        let get_service = self.add_function(get_service)?;
        let host = abi32::Host {
            struct_size: abi::struct_size::<abi32::Host>(),
            abi_minor: abi::ABI_MINOR,
            host_data: 0,
            name: self.base + room::NAME,
            version: self.base + room::VERSION,
            get_service,
        };
        const NAME: &[u8; 8] = b"hattari\0";
        const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
        const { assert!(VERSION.len() <= (room::SERVICES - room::VERSION) as usize) };
        let base = self.base;
        self.store.data_mut().services.settle(base);
        let memory = self.memory_mut();
        let written = memory::write(memory, base + room::HOST, &host)
            .and_then(|()| memory::write(memory, base + room::NAME, NAME))
            .and_then(|()| memory::bytes_mut(memory, base + room::VERSION, VERSION.len() as u64))
            .map(|room| room.copy_from_slice(VERSION.as_bytes()));
        written.map_err(|outside| nonsense("the room that its `malloc` gave", outside))
    }

    /// Room in the module's memory, from its own allocator.
    fn allocate(&mut self, bytes: u32) -> Result<u32, Misstep> {
        let address = self.call("malloc", &self.alloc.clone(), bytes)?;
        if address == 0 {
            let what = format!("malloc: no room for {bytes} bytes of the host's records");
            return Err(Misstep::new(FaultKind::Memory, what));
        }
        let end = u64::from(address) + u64::from(bytes);
        if !address.is_multiple_of(8) || end > self.memory().len() as u64 {
            return Err(Misstep::new(
                FaultKind::Crash,
                format!("malloc: {bytes} bytes at {address:#x} are no room"),
            ));
        }
        Ok(address)
    }

    /// Puts a function of the host into the module's table.
    fn add_function(&mut self, function: wasmtime::Func) -> Result<u32, Misstep> {
        let index = self
            .table
            .grow(&mut self.store, 1, Ref::Func(Some(function)));
        let index = index.ok().and_then(|index| u32::try_from(index).ok());
        index.ok_or_else(|| {
            start("its table of functions cannot grow; link it with --growable-table")
        })
    }

    /// Reads what the entry has in every version, before any code of the module's authors is
    /// called.
    fn check_version(&mut self) -> Result<(), Misstep> {
        let head = memory::read(self.memory(), self.entry);
        let [size, major]: [u32; 2] = head.map_err(|outside| nonsense("hattari_entry", outside))?;
        if major != abi::ABI_MAJOR {
            let ours = abi::ABI_MAJOR;
            return Err(start(format!(
                "it was built for version {major} of the C interface, this host has {ours}"
            )));
        }
        let least = abi::struct_size::<abi32::Entry>();
        if size < least {
            let stated = format!(
                "its `hattari_entry` states a size of {size} bytes, at least {least} are needed"
            );
            return Err(start(stated));
        }
        Ok(())
    }

    fn read_entry(&self) -> Result<abi32::Entry, Misstep> {
        memory::read(self.memory(), self.entry)
            .map_err(|outside| nonsense("hattari_entry", outside))
    }

    /// Lets the module prepare itself.
    fn init(&mut self) -> Result<(), Misstep> {
        let init = self.read_entry()?.init;
        if init == 0 {
            return Ok(());
        }
        // There are no files where the module is.
        let path = self.write_scratch(0, b"\0")?;
        let init: TypedFunc<u32, i32> = self.function("`init` of its entry", init)?;
        let status = self.call("init", &init, path)?;
        if status < abi::OK {
            return Err(start(status::not_initialised(status)));
        }
        Ok(())
    }

    /// The module's factory of bots.
    pub(super) fn factory(&mut self) -> Result<Factory, Misstep> {
        let of = |outside: Outside| nonsense("the factory", outside);
        let entry = self.read_entry()?;
        if entry.get_factory == 0 {
            return Err(start("its entry's get_factory is null"));
        }
        let get_factory: TypedFunc<u32, u32> =
            self.function("`get_factory` of its entry", entry.get_factory)?;
        let id = self.write_scratch(0, abi::FACTORY_BOTS.to_bytes_with_nul())?;
        let address = self.call("get_factory", &get_factory, id)?;
        if address == 0 {
            let id = abi::FACTORY_BOTS.to_string_lossy();
            return Err(start(format!("its get_factory gives null for `{id}`")));
        }
        let factory: abi32::BotFactory = memory::read(self.memory(), address).map_err(of)?;
        Ok(Factory {
            count: self.function("`count` of its factory", factory.count)?,
            descriptor: self.function("`descriptor` of its factory", factory.descriptor)?,
            create: self.function("`create` of its factory", factory.create)?,
        })
    }

    /// Creates the bot: its address.
    pub(super) fn create(&mut self, id: &str, config_json: &str) -> Result<u32, Misstep> {
        let create = self.factory()?.create;
        let id_bytes = u32::try_from(id.len() + 1)
            .map_err(|_| start("its name is too long"))?
            .next_multiple_of(8);
        let out = id_bytes;
        let error = out + 8;
        let config = error + CREATE_ERROR;
        let config_bytes =
            u32::try_from(config_json.len()).map_err(|_| start("its config is too long"))?;
        self.make_room(
            |guest| &mut guest.history,
            config_json.len().saturating_add(config as usize),
        )?;
        let scratch = self.write_scratch(0, id.as_bytes())?;
        // What ends the name, where the bot goes, and what it may say.
        self.write_scratch(id_bytes, &[0; 8 + CREATE_ERROR as usize])?;
        self.write_scratch(u32::try_from(id.len()).unwrap_or(id_bytes), b"\0")?;
        self.write_scratch(config, config_json.as_bytes())?;
        let text = abi32::Text {
            ptr: scratch + config,
            gap: [0; 4],
            len: config_bytes.into(),
        };
        let (host, answer) = (self.base + room::HOST, self.base + room::ANSWER);
        self.put("config", answer, &text)?;
        let capacity = CREATE_ERROR - 1;
        let status = self.call(
            "create",
            &create,
            (
                scratch,
                host,
                answer,
                scratch + error,
                capacity,
                scratch + out,
            ),
        )?;
        let of = |outside: Outside| nonsense("create", outside);
        if status < abi::OK {
            let said =
                memory::text(self.memory(), scratch + error, CREATE_ERROR as usize).map_err(of)?;
            let said = String::from_utf8_lossy(said.unwrap_or_default()).into_owned();
            return Err(start(status::not_created(status, &said, config_json)));
        }
        match memory::read::<u32>(self.memory(), scratch + out).map_err(of)? {
            0 => Err(start("create succeeded and gave no bot")),
            bot => Ok(bot),
        }
    }

    /// The function behind an index of the module's table.
    pub(super) fn function<P: WasmParams, R: WasmResults>(
        &mut self,
        what: &str,
        index: u32,
    ) -> Result<TypedFunc<P, R>, Misstep> {
        if index == 0 {
            return Err(start(format!("the function {what} is null")));
        }
        let found = self.table.get(&mut self.store, index.into());
        let function = found.and_then(|found| found.as_func().flatten().copied());
        let function =
            function.ok_or_else(|| start(format!("the function {what} is not in its table")))?;
        function
            .typed(&self.store)
            .map_err(|_| start(format!("the function {what} is of another type")))
    }

    /// The same where it may be null.
    pub(super) fn optional<P: WasmParams, R: WasmResults>(
        &mut self,
        what: &str,
        index: u32,
    ) -> Result<Option<TypedFunc<P, R>>, Misstep> {
        if index == 0 {
            Ok(None)
        } else {
            self.function(what, index).map(Some)
        }
    }

    /// Sets what each call may use from now on.
    pub(super) fn set_fuel(&mut self, fuel: u64) {
        self.fuel = fuel;
    }

    /// Calls a function.
    #[inline]
    pub(super) fn call<P: WasmParams, R: WasmResults>(
        &mut self,
        name: &str,
        function: &TypedFunc<P, R>,
        parameters: P,
    ) -> Result<R, Misstep> {
        if self.refill == Refill::EachCall {
            refuel(&mut self.store, self.fuel);
        }
        self.meter.begin(Limits::clock(self.fuel));
        let outcome = function.call(&mut self.store, parameters);
        let is_stopped = self.meter.end();
        match outcome {
            Ok(_) if is_stopped => Err(faults::overrun(name, self.fuel)),
            Ok(result) => Ok(result),
            Err(error) => Err(self.failed(name, &error)),
        }
    }

    #[cold]
    fn failed(&mut self, name: &str, error: &wasmtime::Error) -> Misstep {
        let fuel = self.fuel;
        faults::misstep(name, error, fuel, || self.last_panic())
    }

    /// What the panic said that has ended the instance, where the module keeps that.
    fn last_panic(&mut self) -> Option<String> {
        let function = self
            .instance
            .get_module_export(&mut self.store, self.panic.as_ref()?)?
            .into_func()?;
        let function: TypedFunc<(), u32> = function.typed(&self.store).ok()?;
        refuel(&mut self.store, self.fuel);
        let address = function.call(&mut self.store, ()).ok()?;
        let said = memory::counted_text(self.memory(), address, 1024).ok()?;
        (!said.is_empty()).then_some(said)
    }

    /// The module's memory.
    #[inline]
    pub(super) fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    /// The same to be written.
    #[inline]
    pub(super) fn memory_mut(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }

    /// The host's services for this instance.
    pub(super) fn services(&mut self) -> &mut Services {
        &mut self.store.data_mut().services
    }

    /// Writes a record.
    pub(super) fn put<T: bytemuck::Pod>(
        &mut self,
        what: &str,
        at: u32,
        record: &T,
    ) -> Result<(), Misstep> {
        memory::write(self.memory_mut(), at, record).map_err(|outside| nonsense(what, outside))
    }

    /// Writes bytes where the history is to lie later; where they lie.
    pub(super) fn write_scratch(&mut self, offset: u32, bytes: &[u8]) -> Result<u32, Misstep> {
        let at = self.history.at + offset;
        let room = memory::bytes_mut(self.memory_mut(), at, bytes.len() as u64);
        room.map_err(|outside| nonsense("the host's room", outside))?
            .copy_from_slice(bytes);
        Ok(at)
    }

    /// Sees to it that a buffer holds so many bytes.
    pub(super) fn make_room(
        &mut self,
        buffer: impl Fn(&mut Guest) -> &mut Buffer,
        bytes: usize,
    ) -> Result<(), Misstep> {
        if bytes <= buffer(self).size as usize {
            return Ok(());
        }
        let needed = bytes
            .checked_next_power_of_two()
            .filter(|&needed| needed <= RECORDS_MAX);
        let needed = needed.and_then(|needed| u32::try_from(needed).ok());
        let size = needed.ok_or_else(|| {
            Misstep::new(
                FaultKind::Memory,
                format!("no room for {bytes} bytes of records"),
            )
        })?;
        let at = self.allocate(size)?;
        *buffer(self) = Buffer { at, size };
        Ok(())
    }
}

/// Fills up what a call may use.
#[inline]
fn refuel(store: &mut Store<State>, fuel: u64) {
    store.set_fuel(fuel).expect("the engine counts fuel");
}

fn nonsense(what: &str, outside: Outside) -> Misstep {
    Misstep::new(FaultKind::Crash, format!("{what}: {outside}"))
}

/// Why there is no instance.
fn not_instantiated(error: &wasmtime::Error, fuel: u64) -> Misstep {
    if error.downcast_ref() == Some(&faults::Stop::Clock) {
        return faults::overrun("its start function", fuel);
    }
    if error.is::<Trap>() || error.is::<faults::Stop>() {
        return Misstep {
            kind: FaultKind::Start,
            ..faults::misstep("its start function", error, fuel, || None)
        };
    }
    if error.is::<wasmtime::PoolConcurrencyLimitError>() {
        // As where the system has no room for another process: those that wait for nothing make
        // some.
        return start(error.to_string()).reaching(Reach::Outside);
    }
    start(format!("it cannot be started: {error:#}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::backstop::Watched;
    use crate::agent::wasm::wrong::Wrong;

    /// The first release's module.
    fn first() -> Module {
        let bytes = include_bytes!("../../../../../tests/abi-v1/first.wasm");
        let compile =
            |engine: &_, bytes: &_| wasmtime::Module::new(engine, bytes).map_err(Wrong::broken);
        Module::new("first.wasm", bytes, compile).unwrap()
    }

    #[test]
    fn calls_share_their_fuel_where_it_is_not_filled_up() {
        let module = first();
        let limits = Limits {
            fuel: 100_000,
            ..Limits::default()
        };
        let calls = |refill| {
            let mut guest = Guest::open(&module, &limits, "", refill).unwrap();
            (0..100_000)
                .find_map(|_| guest.factory().err())
                .map(|misstep| misstep.kind)
        };
        assert_eq!(calls(Refill::Never), Some(FaultKind::Time));
        assert_eq!(calls(Refill::EachCall), None);
    }

    #[test]
    fn a_call_that_the_backstop_stops_is_a_fault_of_the_kind_clock() {
        let mut guest = Guest::open(&first(), &Limits::default(), "", Refill::EachCall).unwrap();
        guest.set_fuel(1000);
        let host = |caller: wasmtime::Caller<'_, State>| caller.data().meter.stop();
        let overrun = wasmtime::Func::wrap(&mut guest.store, host)
            .typed::<(), ()>(&guest.store)
            .unwrap();
        let fault = guest.call("act", &overrun, ()).unwrap_err();
        assert_eq!(
            fault.message,
            "exceeded 20 s of CPU time in one decision; not counted by fuel"
        );
        assert_eq!((fault.kind, fault.reach), (FaultKind::Clock, Reach::Block));
        let host = |mut caller: wasmtime::Caller<'_, State>| {
            caller.data().meter.stop();
            crate::agent::wasm::caller::pay(&mut caller, 1)
        };
        let paying = wasmtime::Func::wrap(&mut guest.store, host)
            .typed::<(), ()>(&guest.store)
            .unwrap();
        let fault = guest.call("create", &paying, ()).unwrap_err();
        assert_eq!(
            fault.message,
            "exceeded 20 s of CPU time at the start of the block; not counted by fuel"
        );
        // The next call is another.
        let idle = wasmtime::Func::wrap(&mut guest.store, || ())
            .typed::<(), ()>(&guest.store)
            .unwrap();
        assert_eq!(guest.call("act", &idle, ()), Ok(()));
    }
}
