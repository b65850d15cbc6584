//! What the host offers to one instance of a compiled bot: log, clock and random stream; look-ahead
//! is in [`search`], bridge with open hands in [`open_hands`].
//!
//! Everything behind the pointers is safe to use from any thread: a bot that breaks the contract by
//! calling from threads of its own gets odd numbers, never a data race.

#![expect(
    unsafe_code,
    reason = "the functions of the services are called through the C interface"
)]

use super::{open_hands, search};
use crate::agent::Turn;
use crate::agent::deadline::Deadline;
use crate::agent::lookahead::Lookahead;
use crate::agent::open_hands::OpenHands;
use crate::agent::said;
use core::ffi::{CStr, c_char, c_void};
use hattari_plugin::abi;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

/// Bytes of one message that are kept.
pub(in crate::agent) const MESSAGE_BYTES_MAX: u64 = 4096;
/// Messages that one instance may write; later ones are dropped.
pub(in crate::agent) const MESSAGES_MAX: u32 = 10_000;
/// Deadline where there is no limit.
const NO_DEADLINE: i64 = i64::MAX;

/// The host's side of one instance. Its address is fixed while it lives.
pub(super) struct Services {
    inner: Box<Inner>,
}

/// The struct that the bot sees, and what belongs to it.
struct Inner {
    host: abi::Host,
    state: State,
}

pub(super) struct State {
    /// The bot's name, for the log.
    bot: String,
    messages: AtomicU32,
    /// When the decision under way must be answered: the [`Deadline`]'s nanoseconds.
    deadline: AtomicI64,
    rng: Mutex<ChaCha12Rng>,
    /// What the bot is handed, null between decisions. Look-ahead is granted for it alone, so that
    /// the host never reads what a bot has put together.
    handed: AtomicPtr<Handed<'static>>,
    pub(super) lookahead: Mutex<Lookahead>,
    pub(super) open_hands: Mutex<OpenHands>,
}

/// A decision as a bot is handed it, and what it was made from.
#[repr(C)]
pub(super) struct Handed<'a> {
    /// First, so that its address is that of the whole.
    pub decision: abi::Decision,
    pub turn: &'a Turn<'a>,
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

const NAME: &CStr = c"hattari";
static VERSION: LazyLock<std::ffi::CString> = LazyLock::new(|| {
    std::ffi::CString::new(env!("CARGO_PKG_VERSION")).expect("versions hold no zero")
});

impl Services {
    /// Services for an instance of `bot`.
    pub(super) fn new(bot: &str) -> Services {
        let state = State {
            bot: bot.to_owned(),
            messages: AtomicU32::new(0),
            deadline: AtomicI64::new(NO_DEADLINE),
            rng: Mutex::new(stream(0)),
            handed: AtomicPtr::new(ptr::null_mut()),
            lookahead: Mutex::default(),
            open_hands: Mutex::default(),
        };
        let host = abi::Host {
            struct_size: abi::struct_size::<abi::Host>(),
            abi_minor: abi::ABI_MINOR,
            host_data: ptr::null_mut(),
            name: NAME.as_ptr(),
            version: VERSION.as_ptr(),
            get_service: Some(get_service),
        };
        let mut inner = Box::new(Inner { host, state });
        inner.host.host_data = ptr::from_ref(&inner.state).cast_mut().cast();
        Services { inner }
    }

    /// The struct to hand to the bot; valid while `self` lives.
    pub(super) fn host(&self) -> *const abi::Host {
        &raw const self.inner.host
    }

    /// Starts the random stream that `seed` decides and forgets how much was logged.
    pub(super) fn restart(&self, seed: u64) {
        *self
            .inner
            .state
            .rng
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = stream(seed);
        self.inner.state.messages.store(0, Ordering::Relaxed);
    }

    /// A block starts: look-ahead follows its rules and the bot's seed.
    pub(super) fn start_block(&self, game: &str, options_json: &str, seed: u64) {
        let mut lookahead = self
            .inner
            .state
            .lookahead
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        lookahead.start_block(game, options_json, seed);
        self.inner
            .state
            .open_hands
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .start_block(game);
    }

    /// The bot is handed this until the guard is dropped.
    pub(super) fn lend<'a>(&'a self, handed: &'a Handed<'a>) -> Lent<'a> {
        self.inner
            .state
            .handed
            .store(ptr::from_ref(handed).cast_mut().cast(), Ordering::Relaxed);
        Lent(&self.inner.state)
    }

    /// A decision starts that must be answered within `budget_us`.
    pub(super) fn start_clock(&self, budget_us: i64) {
        self.inner
            .state
            .deadline
            .store(Deadline::after(budget_us).0, Ordering::Relaxed);
    }

    /// The decision is over, for which `budget_us` were allowed: nanoseconds that it came too late,
    /// 0 or less where it was in time.
    pub(super) fn stop_clock(&self, budget_us: i64) -> i64 {
        let deadline = self.inner.state.deadline.load(Ordering::Relaxed);
        self.inner
            .state
            .deadline
            .store(NO_DEADLINE, Ordering::Relaxed);
        Deadline(deadline).overdue(budget_us)
    }
}

/// Takes a decision back.
pub(super) struct Lent<'a>(&'a State);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.handed.store(ptr::null_mut(), Ordering::Relaxed);
    }
}

impl State {
    /// The decision that the bot is asked for; `None` if this is another.
    ///
    /// # Safety
    /// The bot does not answer before `'a` is over.
    pub(super) unsafe fn asked<'a>(&self, decision: *const abi::Decision) -> Option<&'a Turn<'a>> {
        let handed = self.handed.load(Ordering::Relaxed);
        if handed.is_null() || !ptr::eq(handed.cast(), decision) {
            return None;
        }
        // SAFETY: it is lent until the bot answers, and that is after `'a`.
        Some(unsafe { (*handed).turn })
    }

    /// Whether the time for the decision has run out.
    pub(super) fn is_late(&self) -> bool {
        let deadline = self.deadline.load(Ordering::Relaxed);
        deadline != NO_DEADLINE && Deadline(deadline).is_past()
    }
}

/// The random stream of an instance: a node of its own, apart from all that leagues draw.
pub(in crate::agent) fn stream(seed: u64) -> ChaCha12Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..27].copy_from_slice(b"hattari bot service");
    ChaCha12Rng::from_seed(key)
}

/// The state behind `host`, `None` where a bot passes nonsense that can be told from a host.
///
/// # Safety
/// `host` is null or a pointer that [`Services::host`] gave, whose services live.
pub(super) unsafe fn state<'a>(host: *const abi::Host) -> Option<&'a State> {
    // SAFETY: by the contract of this function, and host_data points to the state beside the host
    // struct.
    unsafe {
        host.as_ref()
            .and_then(|host| host.host_data.cast::<State>().cast_const().as_ref())
    }
}

unsafe extern "C" fn get_service(
    _host: *const abi::Host,
    service_id: *const c_char,
) -> *const c_void {
    if service_id.is_null() {
        return ptr::null();
    }
    // SAFETY: ids are texts ended by a zero, says the contract.
    let id = unsafe { CStr::from_ptr(service_id) };
    let services = [
        (abi::SERVICE_LOG, ptr::from_ref(&LOG).cast()),
        (abi::SERVICE_CLOCK, ptr::from_ref(&CLOCK).cast()),
        (abi::SERVICE_RNG, ptr::from_ref(&RNG).cast()),
        (
            abi::SERVICE_DAIHINMIN_SEARCH,
            ptr::from_ref(&search::SERVICE).cast(),
        ),
        (
            abi::SERVICE_BRIDGE_DOUBLE_DUMMY,
            ptr::from_ref(&open_hands::SERVICE).cast(),
        ),
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
    // Debug messages that nobody reads must not cost a bot its speed.
    let sink = SINK.get();
    let debug = || {
        sink.map_or_else(
            || tracing::enabled!(target: "hattari::bot", tracing::Level::DEBUG),
            |sink| sink.wants_debug,
        )
    };
    if level <= abi::LOG_DEBUG && !debug() {
        return;
    }
    if state.messages.fetch_add(1, Ordering::Relaxed) >= MESSAGES_MAX {
        // Stay there: the count must not wrap round.
        state.messages.store(MESSAGES_MAX, Ordering::Relaxed);
        return;
    }
    // SAFETY: the text is valid for this call, says the contract.
    let text = unsafe { text(message, MESSAGE_BYTES_MAX) };
    match sink {
        Some(sink) => (sink.write)(level, &text),
        None => log(level, &state.bot, &text),
    }
}

/// Where messages of bots go instead of this process's log.
struct Sink {
    wants_debug: bool,
    write: fn(level: i32, text: &str),
}

static SINK: OnceLock<Sink> = OnceLock::new();

/// Sends all messages of bots elsewhere from now on: a worker has no log of its own. Only the first
/// call counts.
pub(crate) fn send_log_to(wants_debug: bool, write: fn(level: i32, text: &str)) {
    _ = SINK.set(Sink { wants_debug, write });
}

/// Writes a message of `bot` to the log.
pub(crate) fn log(level: i32, bot: &str, text: &str) {
    if level > abi::LOG_DEBUG {
        said::hear(text);
    }
    match level {
        ..=abi::LOG_DEBUG => tracing::debug!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_INFO => tracing::info!(target: "hattari::bot", "{bot}: {text}"),
        abi::LOG_WARNING => tracing::warn!(target: "hattari::bot", "{bot}: {text}"),
        _ => tracing::error!(target: "hattari::bot", "{bot}: {text}"),
    }
}

unsafe extern "C" fn time_left_us(host: *const abi::Host) -> i64 {
    // SAFETY: the bot passes the host that it was created with.
    let deadline =
        unsafe { state(host) }.map_or(NO_DEADLINE, |state| state.deadline.load(Ordering::Relaxed));
    if deadline == NO_DEADLINE {
        i64::MAX
    } else {
        Deadline(deadline).left_us()
    }
}

unsafe extern "C" fn rng_fill(host: *const abi::Host, out: *mut u64, count: u32) {
    // SAFETY: the bot passes the host that it was created with.
    let Some(state) = (unsafe { state(host) }) else {
        return;
    };
    if out.is_null() {
        return;
    }
    let mut rng = state.rng.lock().unwrap_or_else(PoisonError::into_inner);
    for i in 0..count as usize {
        // SAFETY: the bot gives room for `count` numbers, says the contract; the write needs no
        // alignment.
        unsafe { out.add(i).write_unaligned(rng.next_u64()) };
    }
}

/// A bot's text as ours: at most `bytes_max` bytes, broken characters replaced.
///
/// # Safety
/// `text.ptr` is null or points to `text.len` readable bytes.
pub(super) unsafe fn text(text: abi::Text, bytes_max: u64) -> String {
    if text.ptr.is_null() {
        return String::new();
    }
    let length = usize::try_from(text.len.min(bytes_max)).expect("bounded");
    // SAFETY: by the contract of this function; no more than stated is read.
    let bytes = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(services: &Services, count: usize) -> Vec<u64> {
        let mut numbers = vec![0; count];
        // SAFETY: the host lives, the buffer has room for the count.
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
    fn the_seed_decides_the_stream() {
        let (a, b) = (Services::new("a"), Services::new("b"));
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
        let services = Services::new("a");
        // SAFETY: the host lives.
        let left = || unsafe { time_left_us(services.host()) };
        assert_eq!(left(), i64::MAX);
        services.start_clock(3_600_000_000);
        assert!((3_000_000_000..=3_600_000_000).contains(&left()));
        assert!(services.stop_clock(3_600_000_000) < 0);
        assert_eq!(left(), i64::MAX);
        services.start_clock(-1);
        assert!(left() < 0 && services.stop_clock(-1) > 0);
    }

    #[test]
    fn services_are_found_by_id_and_nonsense_is_not() {
        let services = Services::new("a");
        // SAFETY: the host lives, ids end with a zero.
        let find = |id: &CStr| unsafe { get_service(services.host(), id.as_ptr()) };
        for id in [
            c"hattari.log/1",
            c"hattari.clock/1",
            c"hattari.rng/1",
            c"hattari.daihinmin-search/1",
            c"hattari.bridge-double-dummy/1",
        ] {
            assert!(!find(id).is_null());
        }
        for id in [c"hattari.log/2", c"", c"\xff"] {
            assert!(find(id).is_null());
        }
    }

    #[test]
    fn texts_are_bounded_and_mended() {
        let of = |bytes: &[u8], len: u64| abi::Text {
            ptr: bytes.as_ptr().cast(),
            len,
        };
        // SAFETY: the bytes live, the lengths are theirs.
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
