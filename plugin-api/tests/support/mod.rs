//! A small host for tests and benches, which calls the tables of a library without loading a file.
#![expect(unsafe_code, reason = "plays the host's side of the C interface")]
#![allow(dead_code, reason = "every test takes what it needs")]

use hattari_plugin::abi::{self, Status, Text, struct_size};
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Mutex;

/// Returns a text for the interface, which must not outlive `text`.
pub(crate) fn text(text: &str) -> Text {
    Text {
        ptr: text.as_ptr().cast(),
        len: text.len() as u64,
    }
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap()
}

fn size(len: u64) -> usize {
    usize::try_from(len).unwrap()
}

/// Returns the factory of a library.
pub(crate) fn factory(entry: &abi::Entry) -> &'static abi::BotFactory {
    let get_factory = entry.get_factory.expect("the entry gives factories");
    // SAFETY: the id ends with a zero.
    let factory = unsafe { get_factory(abi::FACTORY_BOTS.as_ptr()) };
    // SAFETY: the id guarantees a factory of bots, which lives as long as the library.
    unsafe { factory.cast::<abi::BotFactory>().as_ref() }
        .expect("the library has a factory of bots")
}

/// Loads a library for the life of this process.
pub(crate) fn load(path: &Path) -> &'static abi::Entry {
    // SAFETY: the library was built from our sources and runs no code when it is loaded.
    let library = unsafe { libloading::Library::new(path) }
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let library = Box::leak(Box::new(library));
    // SAFETY: the name guarantees that the symbol is an entry.
    let entry = unsafe { library.get::<*const abi::Entry>(abi::ENTRY_SYMBOL.to_bytes_with_nul()) };
    let entry = *entry.expect("the library has an entry");
    // SAFETY: the entry lives as long as the library, which is leaked.
    unsafe { &*entry }
}

/// Returns descriptor number `index`, or `None` if there is none.
pub(crate) fn descriptor(entry: &abi::Entry, index: u32) -> Option<&'static abi::BotDescriptor> {
    // SAFETY: may be called at any time; the result lives as long as the library.
    unsafe { factory(entry).descriptor.expect("descriptor")(index).as_ref() }
}

/// Returns the text of a pointer, or `None` for null.
pub(crate) fn c_text(ptr: *const c_char) -> Option<String> {
    (!ptr.is_null()).then(|| {
        // SAFETY: texts of descriptors are null or end with a zero.
        unsafe { CStr::from_ptr(ptr) }
            .to_string_lossy()
            .into_owned()
    })
}

/// The messages that an instance logged, and its time left.
#[derive(Default)]
struct Journal {
    messages: Mutex<Vec<(i32, String)>>,
    time_left_us: i64,
}

/// A host's struct with or without services. It has a fixed address, even if this value moves.
pub(crate) struct TestHost(*mut Inner);

struct Inner {
    host: abi::Host,
    journal: Journal,
}

static LOG: abi::LogService = abi::LogService {
    write: Some(write_log),
};
static CLOCK: abi::ClockService = abi::ClockService {
    time_left_us: Some(time_left_us),
};
static RNG: abi::RngService = abi::RngService { fill: Some(fill) };
static NUMBERS: abi::NumbersService = abi::NumbersService {
    log: Some(log_number),
};

unsafe extern "C" fn write_log(host: *const abi::Host, level: i32, message: Text) {
    // SAFETY: a bot passes the host that it was created with, and a text valid for the call.
    let (journal, bytes) = unsafe {
        (
            &*(*host).host_data.cast::<Journal>(),
            std::slice::from_raw_parts(message.ptr.cast::<u8>(), size(message.len)),
        )
    };
    journal
        .messages
        .lock()
        .unwrap()
        .push((level, String::from_utf8(bytes.to_vec()).unwrap()));
}

/// Keeps a finite number as a message of level -1.
unsafe extern "C" fn log_number(host: *const abi::Host, name: Text, number: f64) -> Status {
    if !number.is_finite() {
        return abi::E_FAIL;
    }
    // SAFETY: a bot passes the host that it was created with, and a text valid for the call.
    unsafe {
        let bytes = std::slice::from_raw_parts(name.ptr.cast::<u8>(), size(name.len));
        let message = format!("{} = {number}", String::from_utf8_lossy(bytes));
        let message = text(&message);
        write_log(host, -1, message);
    }
    abi::OK
}

unsafe extern "C" fn time_left_us(host: *const abi::Host) -> i64 {
    // SAFETY: a bot passes the host that it was created with.
    unsafe { (*(*host).host_data.cast::<Journal>()).time_left_us }
}

unsafe extern "C" fn fill(_: *const abi::Host, out: *mut u64, count: u32) {
    for n in 0..count as usize {
        // SAFETY: the bot provides room for `count` numbers.
        unsafe { out.add(n).write(n as u64 + 1) };
    }
}

unsafe extern "C" fn get_service(_: *const abi::Host, id: *const c_char) -> *const c_void {
    // SAFETY: a bot passes an id that ends with a zero.
    match unsafe { CStr::from_ptr(id) } {
        id if id == abi::SERVICE_LOG => ptr::from_ref(&LOG).cast(),
        id if id == abi::SERVICE_CLOCK => ptr::from_ref(&CLOCK).cast(),
        id if id == abi::SERVICE_RNG => ptr::from_ref(&RNG).cast(),
        id if id == abi::SERVICE_NUMBERS => ptr::from_ref(&NUMBERS).cast(),
        _ => ptr::null(),
    }
}

impl TestHost {
    pub(crate) fn new(time_left_us: i64) -> TestHost {
        let host = abi::Host {
            struct_size: struct_size::<abi::Host>(),
            abi_minor: abi::ABI_MINOR,
            host_data: ptr::null_mut(),
            name: c"test".as_ptr(),
            version: c"0".as_ptr(),
            get_service: Some(get_service),
        };
        let journal = Journal {
            time_left_us,
            ..Journal::default()
        };
        let inner = Box::into_raw(Box::new(Inner { host, journal }));
        // SAFETY: just allocated, and there is no other pointer yet.
        unsafe { (*inner).host.host_data = (&raw mut (*inner).journal).cast() };
        TestHost(inner)
    }

    /// Creates a host without services.
    pub(crate) fn bare() -> TestHost {
        let host = TestHost::new(0);
        // SAFETY: alive and not used elsewhere yet.
        unsafe { (*host.0).host.get_service = None };
        host
    }

    pub(crate) fn as_ptr(&self) -> *const abi::Host {
        // SAFETY: alive as long as this value.
        unsafe { &raw const (*self.0).host }
    }

    fn messages(&self) -> Vec<(i32, String)> {
        // SAFETY: alive as long as this value.
        unsafe { &(*self.0).journal }
            .messages
            .lock()
            .unwrap()
            .clone()
    }
}

impl Drop for TestHost {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, and freed once.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// An instance, which is destroyed when it is dropped.
pub(crate) struct Driver {
    pub bot: *mut abi::Bot,
    pub functions: abi::BotFunctions,
    host: TestHost,
}

/// Returns a valid decision, which tests can modify.
pub(crate) fn decision<V, E, A>(view: &V, history: &[E], actions: &[A]) -> abi::Decision {
    abi::Decision {
        struct_size: struct_size::<abi::Decision>(),
        view_size: struct_size::<V>(),
        view: ptr::from_ref(view).cast(),
        history: history.as_ptr().cast(),
        actions: actions.as_ptr().cast(),
        history_count: count(history),
        history_stride: struct_size::<E>(),
        action_count: count(actions),
        action_stride: struct_size::<A>(),
        budget_us: 0,
    }
}

/// Returns a valid start of a deal, which tests can modify.
pub(crate) fn deal<V, E>(view: &V, history: &[E]) -> abi::DealInfo {
    abi::DealInfo {
        struct_size: struct_size::<abi::DealInfo>(),
        view_size: struct_size::<V>(),
        view: ptr::from_ref(view).cast(),
        history: history.as_ptr().cast(),
        history_count: count(history),
        history_stride: struct_size::<E>(),
    }
}

/// Returns a valid result, which tests can modify.
pub(crate) fn result<V, E>(view: &V, history: &[E], payoffs: &[i64]) -> abi::DealResult {
    abi::DealResult {
        struct_size: struct_size::<abi::DealResult>(),
        view_size: struct_size::<V>(),
        view: ptr::from_ref(view).cast(),
        history: history.as_ptr().cast(),
        history_count: count(history),
        history_stride: struct_size::<E>(),
        payoffs: payoffs.as_ptr(),
        payoff_count: count(payoffs),
        reserved: 0,
    }
}

/// Returns a valid block of daihinmin, which tests can modify.
pub(crate) fn block() -> abi::BlockInfo {
    abi::BlockInfo {
        struct_size: struct_size::<abi::BlockInfo>(),
        players: 5,
        player: 2,
        deals: 100,
        seed: 7,
        game: text("daihinmin/1"),
        options_json: text("{}"),
    }
}

impl Driver {
    /// Creates the bot `id` with `config`.
    ///
    /// # Errors
    /// Returns the status and the text of the library.
    pub(crate) fn create(
        entry: &abi::Entry,
        id: &str,
        config: &str,
        host: TestHost,
    ) -> Result<Driver, (Status, String)> {
        let create = factory(entry).create.expect("create");
        let id = CString::new(id).unwrap();
        let mut error = [0u8; 512];
        let mut bot = ptr::null_mut();
        let room = count(&error);
        // SAFETY: all arguments are valid for the call, and the host outlives the instance.
        let status = unsafe {
            create(
                id.as_ptr(),
                host.as_ptr(),
                text(config),
                error.as_mut_ptr().cast(),
                room,
                &mut bot,
            )
        };
        if status < 0 {
            assert!(bot.is_null(), "a failed create leaves no bot");
            return Err((
                status,
                CStr::from_bytes_until_nul(&error)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned(),
            ));
        }
        // SAFETY: creation succeeded, so there is a bot with its table.
        let functions = unsafe { *(*bot).functions };
        Ok(Driver {
            bot,
            functions,
            host,
        })
    }

    /// Creates the bot `id` without a config and starts a block.
    pub(crate) fn started(entry: &abi::Entry, id: &str) -> Driver {
        let driver = Driver::create(entry, id, "", TestHost::new(0)).expect("the bot is created");
        assert_eq!(
            driver.block_start(&block()),
            abi::OK,
            "{}",
            driver.last_error()
        );
        driver
    }

    pub(crate) fn journal(&self) -> Vec<(i32, String)> {
        self.host.messages()
    }

    pub(crate) fn block_start(&self, info: &abi::BlockInfo) -> Status {
        // SAFETY: bot and struct are alive.
        unsafe { self.functions.block_start.expect("block_start")(self.bot, info) }
    }

    pub(crate) fn deal_start(&self, info: &abi::DealInfo) -> Status {
        // SAFETY: all data of the struct is alive; the caller ensures this.
        unsafe { self.functions.deal_start.expect("deal_start")(self.bot, info) }
    }

    /// Returns the choice, or the status of the failure.
    pub(crate) fn act(&self, decision: &abi::Decision) -> Result<abi::Choice, Status> {
        let mut choice = abi::Choice {
            struct_size: struct_size::<abi::Choice>(),
            action: 99,
            amount: 99,
        };
        // SAFETY: all data of the decision is alive; the caller ensures this.
        match unsafe { self.functions.act.expect("act")(self.bot, decision, &mut choice) } {
            abi::OK => Ok(choice),
            status => {
                assert_eq!(
                    (choice.action, choice.amount),
                    (99, 99),
                    "a failed act leaves the choice alone"
                );
                Err(status)
            }
        }
    }

    pub(crate) fn deal_end(&self, result: &abi::DealResult) -> Status {
        // SAFETY: all data of the result is alive; the caller ensures this.
        unsafe { self.functions.deal_end.expect("deal_end")(self.bot, result) }
    }

    pub(crate) fn last_error(&self) -> String {
        // SAFETY: the bot is alive; the text is valid until the next call.
        unsafe {
            let text = self.functions.last_error.expect("last_error")(self.bot);
            String::from_utf8(
                std::slice::from_raw_parts(text.ptr.cast::<u8>(), size(text.len)).to_vec(),
            )
            .unwrap()
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // SAFETY: the bot is alive and not used afterwards.
        unsafe { self.functions.destroy.expect("destroy")(self.bot) };
    }
}
