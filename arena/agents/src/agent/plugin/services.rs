//! The services for an instance of a compiled bot: log, clock, random stream, numbers and the
//! services for decisions.
//!
//! All data behind the pointers is thread-safe. A bot that violates the contract by calling from
//! its own threads gets unspecified numbers, but never causes a data race.
#![expect(
    unsafe_code,
    reason = "bots call the functions of the services through the C interface"
)]

use crate::agent::instance::Deadline;
use crate::agent::instance::InstanceState;
use crate::agent::log::{self, MESSAGE_BYTES_MAX};
use crate::agent::numbers::NAME_BYTES_MAX;
use crate::agent::services::{self, BlockServices, Request, Service, ServiceRefusal, ServiceStep};
use crate::agent::{BlockStart, Turn, lock};
use core::ffi::{CStr, c_char, c_void};
use hattari_plugin::abi;
use rand::Rng;
use std::rc::{Rc, Weak};
use std::sync::Mutex;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::Relaxed;
use std::{ptr, slice};

/// The host's data for one instance: the struct that the bot receives, and the state to which it
/// points.
pub(super) struct PluginServices {
    host: abi::Host,
    state: PluginState,
}

static LOG: abi::LogService = abi::LogService {
    write: Some(log_write),
};
static CLOCK: abi::ClockService = abi::ClockService {
    time_left_us: Some(time_left_us),
};
static RNG: abi::RngService = abi::RngService {
    fill: Some(rng_fill),
};
static NUMBERS: abi::NumbersService = abi::NumbersService {
    log: Some(log_number),
};

const NAME: &CStr = c"hattari";
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");

impl PluginServices {
    /// Creates the services for an instance of `bot`.
    pub(super) fn new(bot: &str) -> Rc<PluginServices> {
        let state = PluginState {
            instance: Mutex::new(InstanceState::new(bot)),
            current_decision: AtomicPtr::new(ptr::null_mut()),
            services: Mutex::default(),
        };
        Rc::new_cyclic(|own: &Weak<PluginServices>| PluginServices {
            host: abi::Host {
                struct_size: abi::struct_size::<abi::Host>(),
                abi_minor: abi::ABI_MINOR,
                // SAFETY: the address of a field of the allocation in which this value is stored.
                host_data: unsafe { &raw const (*own.as_ptr()).state }
                    .cast_mut()
                    .cast(),
                name: NAME.as_ptr(),
                version: VERSION.as_ptr().cast(),
                get_service: Some(get_service),
            },
            state,
        })
    }

    /// Returns the host struct for the bot. The pointer is valid as long as `self`.
    pub(super) fn host(&self) -> *const abi::Host {
        &raw const self.host
    }

    /// Restarts the random stream from `seed` and resets the message count.
    pub(super) fn restart(&self, seed: u64) {
        lock(&self.state.instance).restart(seed);
    }

    /// Starts a block with the options of its game and the bot's seed.
    pub(super) fn start_block(&self, start: &BlockStart<'_>) {
        self.restart(start.seed);
        lock(&self.state.services).start_block(start.game, start.options_json, start.seed);
    }

    /// Makes a decision available to services until the guard is dropped.
    pub(super) fn lend<'a>(&'a self, handed: &'a PassedDecision<'a>) -> DecisionGuard<'a> {
        self.state
            .current_decision
            .store(ptr::from_ref(handed).cast_mut().cast(), Relaxed);
        DecisionGuard(&self.state)
    }

    /// Starts the clock of a decision with a limit of `budget_us` microseconds.
    pub(super) fn start_clock(&self, budget_us: i64) {
        lock(&self.state.instance).deadline = Some(Deadline::after(budget_us));
    }

    /// Stops the clock. Returns the delay of the decision in nanoseconds; 0 or less if it was in
    /// time.
    pub(super) fn stop_clock(&self) -> i64 {
        let deadline = lock(&self.state.instance).deadline.take();
        deadline.map_or(0, Deadline::overdue)
    }
}

unsafe extern "C" fn get_service(
    _host: *const abi::Host,
    service_id: *const c_char,
) -> *const c_void {
    if service_id.is_null() {
        return ptr::null();
    }
    // SAFETY: ids are zero-terminated by the contract.
    let id = unsafe { CStr::from_ptr(service_id) };
    let services = [
        (abi::SERVICE_LOG, ptr::from_ref(&LOG).cast()),
        (abi::SERVICE_CLOCK, ptr::from_ref(&CLOCK).cast()),
        (abi::SERVICE_RNG, ptr::from_ref(&RNG).cast()),
        (
            abi::SERVICE_DAIHINMIN_SEARCH,
            ptr::from_ref(&LOOKAHEAD).cast(),
        ),
        (
            abi::SERVICE_BRIDGE_DOUBLE_DUMMY,
            ptr::from_ref(&DOUBLE_DUMMY).cast(),
        ),
        (abi::SERVICE_NUMBERS, ptr::from_ref(&NUMBERS).cast()),
    ];
    services
        .iter()
        .find(|(name, _)| *name == id)
        .map_or(ptr::null(), |(_, table)| *table)
}

unsafe extern "C" fn log_write(host: *const abi::Host, level: i32, message: abi::Text) {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return;
    };
    if log::is_wanted(level) {
        // SAFETY: the text is valid during this call by the contract.
        let text = unsafe { text(message, MESSAGE_BYTES_MAX) };
        lock(&state.instance).log(level, &text);
    }
}

unsafe extern "C" fn time_left_us(host: *const abi::Host) -> i64 {
    // SAFETY: the bot passes the host that it was created with.
    unsafe { state(host) }.map_or(i64::MAX, |state| lock(&state.instance).time_left_us())
}

unsafe extern "C" fn rng_fill(host: *const abi::Host, out: *mut u64, count: u32) {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return;
    };
    if out.is_null() {
        return;
    }
    let mut instance = lock(&state.instance);
    for i in 0..count as usize {
        // SAFETY: the buffer has room for `count` numbers by the contract; the write needs no
        // alignment.
        unsafe { out.add(i).write_unaligned(instance.chance.next_u64()) };
    }
}

unsafe extern "C" fn log_number(
    host: *const abi::Host,
    name: abi::Text,
    number: f64,
) -> abi::Status {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return abi::E_FAIL;
    };
    // SAFETY: the text is valid during this call by the contract.
    let name = unsafe { text(name, NAME_BYTES_MAX as u64 + 1) };
    lock(&state.instance).log_number(&name, number)
}

struct PluginState {
    instance: Mutex<InstanceState>,
    /// Current decision; null between decisions. Services accept only this one, so that the host
    /// never reads a decision forged by a bot.
    current_decision: AtomicPtr<PassedDecision<'static>>,
    services: Mutex<BlockServices>,
}

/// A decision as passed to a bot, and the turn from which it was made.
#[repr(C)]
pub(super) struct PassedDecision<'a> {
    /// The decision in the form of the C interface. It must be the first field, so that its address
    /// is that of the struct.
    pub decision: abi::Decision,
    pub turn: &'a Turn<'a>,
}

/// A guard for the current decision. Dropping the guard removes the decision.
pub(super) struct DecisionGuard<'a>(&'a PluginState);

impl Drop for DecisionGuard<'_> {
    fn drop(&mut self) {
        self.0.current_decision.store(ptr::null_mut(), Relaxed);
    }
}

impl PluginState {
    /// Returns the current decision; `None` if `decision` is a different one.
    ///
    /// # Safety
    /// The bot must not answer before `'a` ends.
    unsafe fn current_turn<'a>(&self, decision: *const abi::Decision) -> Option<&'a Turn<'a>> {
        let handed = self.current_decision.load(Relaxed);
        if handed.is_null() || !ptr::eq(handed.cast(), decision) {
            return None;
        }
        // SAFETY: the decision is available until the bot answers, which is after `'a`.
        Some(unsafe { (*handed).turn })
    }
}

/// Returns the state to which `host` leads; `None` if `host` or the pointer in it is null.
///
/// # Safety
/// `host` must be null or from [`PluginServices::host`], with services that still exist.
unsafe fn state<'a>(host: *const abi::Host) -> Option<&'a PluginState> {
    // SAFETY: required from the caller; `host_data` points to the state next to the host struct.
    unsafe {
        host.as_ref()
            .and_then(|host| host.host_data.cast::<PluginState>().cast_const().as_ref())
    }
}

/// Copies a bot's text, up to `bytes_max` bytes; invalid UTF-8 is replaced.
///
/// # Safety
/// `text.ptr` must be null or point to `text.len` readable bytes.
pub(super) unsafe fn text(text: abi::Text, bytes_max: u64) -> String {
    if text.ptr.is_null() {
        return String::new();
    }
    let length = usize::try_from(text.len.min(bytes_max)).expect("bounded");
    // SAFETY: required from the caller; at most the stated length is read.
    let bytes = unsafe { slice::from_raw_parts(text.ptr.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

static LOOKAHEAD: abi::DaihinminSearchService = abi::DaihinminSearchService {
    sample: Some(sample),
    playouts: Some(playouts),
};
static DOUBLE_DUMMY: abi::BridgeDoubleDummyService = abi::BridgeDoubleDummyService {
    tricks: Some(tricks),
};

unsafe extern "C" fn sample(
    host: *const abi::Host,
    decision: *const abi::Decision,
    count: u32,
    hands: *mut u64,
) -> abi::Status {
    let method = (&services::LOOKAHEAD, 0);
    // SAFETY: required from the bot by the C interface.
    unsafe {
        call(
            method,
            host,
            decision,
            (ptr::null(), count),
            [0; 2],
            hands.cast(),
        )
    }
}

unsafe extern "C" fn playouts(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    playouts: u32,
    policy: u32,
    points: *mut f64,
) -> abi::Status {
    let (method, numbers) = ((&services::LOOKAHEAD, 1), [playouts, policy]);
    // SAFETY: required from the bot by the C interface.
    unsafe {
        call(
            method,
            host,
            decision,
            (hands, count),
            numbers,
            points.cast(),
        )
    }
}

unsafe extern "C" fn tricks(
    host: *const abi::Host,
    decision: *const abi::Decision,
    hands: *const u64,
    count: u32,
    tricks: *mut u8,
) -> abi::Status {
    let method = (&services::DOUBLE_DUMMY, 0);
    // SAFETY: required from the bot by the C interface.
    unsafe { call(method, host, decision, (hands, count), [0; 2], tricks) }
}

/// Calls method `number` of a service, and returns the status of the C interface.
///
/// # Safety
/// The bot must pass the host that it was created with and call during a decision. `hands` must be
/// null or point to `count` deals, if the method takes deals. `results` must be null or have room
/// for the results.
unsafe fn call(
    (service, number): (&Service, usize),
    host: *const abi::Host,
    decision: *const abi::Decision,
    (hands, count): (*const u64, u32),
    numbers: [u32; 2],
    mut results: *mut u8,
) -> abi::Status {
    let method = &service.methods[number];
    // SAFETY: required from the caller.
    let asked =
        unsafe { state(host).and_then(|state| Some((state, state.current_turn(decision)?))) };
    let has_deals = !method.takes_deals || !hands.is_null() && hands.is_aligned();
    let is_valid = has_deals && !results.is_null() && method.accepts(count, numbers);
    let Some((state, turn)) = asked.filter(|_| is_valid) else {
        return abi::E_FAIL;
    };
    let deals = if method.takes_deals {
        // SAFETY: required from the caller; the pointer has been checked.
        unsafe { slice::from_raw_parts(hands, count as usize * service.seats) }
    } else {
        &[]
    };
    let request = Request {
        count,
        deals,
        numbers,
    };
    let mut caller = |step: ServiceStep<'_>| {
        match step {
            ServiceStep::Check if lock(&state.instance).is_late() => {
                return Err(ServiceRefusal::Late);
            }
            ServiceStep::Check | ServiceStep::Pay(_) => {}
            // SAFETY: there is room for all results of the call.
            ServiceStep::Write(bytes) => unsafe {
                ptr::copy_nonoverlapping(bytes.as_ptr(), results, bytes.len());
                results = results.add(bytes.len());
            },
        }
        Ok(())
    };
    let mut services = lock(&state.services);
    services
        .call(service, number, turn, &request, &mut caller)
        .map_or_else(ServiceRefusal::status, |()| abi::OK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::numbers;

    fn numbers(services: &PluginServices, count: usize) -> Vec<u64> {
        let mut numbers = vec![0; count];
        // SAFETY: the host struct is valid, and the buffer has room for the count.
        unsafe {
            rng_fill(
                services.host(),
                numbers.as_mut_ptr(),
                u32::try_from(count).unwrap(),
            )
        };
        numbers
    }

    #[test]
    fn the_seed_determines_the_random_numbers() {
        let (a, b) = (PluginServices::new("a"), PluginServices::new("b"));
        a.restart(7);
        b.restart(7);
        let first = numbers(&a, 5);
        assert_eq!(first, numbers(&b, 5));
        assert_ne!(first, numbers(&a, 5));
        a.restart(7);
        assert_eq!(numbers(&a, 2), first[..2]);
        a.restart(8);
        assert_ne!(numbers(&a, 5), first);
    }

    #[test]
    fn the_clock_counts_down_from_the_budget() {
        let services = PluginServices::new("a");
        // SAFETY: the host struct is valid.
        let left = || unsafe { time_left_us(services.host()) };
        assert_eq!(left(), i64::MAX);
        services.start_clock(3_600_000_000);
        assert!((3_000_000_000..=3_600_000_000).contains(&left()));
        assert!(services.stop_clock() < 0);
        assert_eq!(left(), i64::MAX);
        services.start_clock(-1);
        assert!(left() <= 0 && services.stop_clock() > 0);
    }

    #[test]
    fn finite_numbers_are_kept_and_others_are_refused() {
        let services = PluginServices::new("a");
        let log = |name: &str, number| {
            let name = abi::Text {
                ptr: name.as_ptr().cast(),
                len: name.len() as u64,
            };
            // SAFETY: the host struct and the text are valid.
            unsafe { log_number(services.host(), name, number) }
        };
        let refused = numbers::during(|| {
            let refused = [("win", f64::NAN), ("", 1.0), (&"x".repeat(9999), 1.0)];
            assert_eq!((log("win", 0.5), log("win", 0.7)), (abi::OK, abi::OK));
            refused.map(|(name, number)| log(name, number))
        });
        assert_eq!(refused, [abi::E_FAIL; 3]);
        assert_eq!(numbers::of_last_decision(), [("win".to_owned(), 0.7)]);
    }

    #[test]
    fn services_are_found_by_valid_ids_only() {
        let services = PluginServices::new("a");
        // SAFETY: the host struct is valid, and ids are zero-terminated.
        let find = |id: &CStr| unsafe { get_service(services.host(), id.as_ptr()) };
        for id in [
            c"hattari.log/1",
            c"hattari.clock/1",
            c"hattari.rng/1",
            c"hattari.daihinmin-search/1",
            c"hattari.bridge-double-dummy/1",
            c"hattari.numbers/1",
        ] {
            assert!(!find(id).is_null());
        }
        for id in [c"hattari.log/2", c"", c"\xff"] {
            assert!(find(id).is_null());
        }
    }

    #[test]
    fn long_texts_are_truncated_and_invalid_utf8_is_replaced() {
        let of = |bytes: &[u8], len: u64| abi::Text {
            ptr: bytes.as_ptr().cast(),
            len,
        };
        // SAFETY: the bytes are valid for these lengths.
        unsafe {
            assert_eq!(text(of(b"hello", 5), 3), "hel");
            assert_eq!(text(of(b"a\xffb", 3), 10), "a\u{fffd}b");
            assert_eq!(
                text(
                    abi::Text {
                        ptr: ptr::null(),
                        len: 9
                    },
                    10
                ),
                ""
            );
        }
    }
}
