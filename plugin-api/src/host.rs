//! The services of the host for bots.
#![expect(
    unsafe_code,
    reason = "calls the host's functions through the C interface"
)]

use crate::abi;
use std::ffi::CStr;
use std::ptr;
use std::time::Duration;

/// The importance of a log message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Details for the author of the bot.
    Debug = abi::LOG_DEBUG as isize,
    /// Information for the operator of the league.
    Info = abi::LOG_INFO as isize,
    /// A possible error.
    Warning = abi::LOG_WARNING as isize,
    /// An error that the author of the bot should correct.
    Error = abi::LOG_ERROR as isize,
}

/// The tables of the host's services, requested once when an instance is created.
pub(crate) struct Services {
    host: *const abi::Host,
    log: Option<&'static abi::LogService>,
    clock: Option<&'static abi::ClockService>,
    rng: Option<&'static abi::RngService>,
}

/// A host without services.
struct Absent(Services);

// SAFETY: the only value of this type is a constant without a host. It is never written or called.
unsafe impl Sync for Absent {}

static ABSENT: Absent = Absent(Services {
    host: ptr::null(),
    log: None,
    clock: None,
    rng: None,
});

impl Services {
    /// Requests the services of the host.
    ///
    /// # Safety
    /// `host` must be a host's struct. It and its tables must outlive the returned value.
    pub(crate) unsafe fn request(host: *const abi::Host) -> Services {
        // [`Host`] limits the lifetime to that of the instance. Nothing else leaves this module.
        Services {
            host,
            // SAFETY: the caller guarantees the struct, and the id is that of the log.
            log: unsafe { table(host, abi::SERVICE_LOG) },
            // SAFETY: the caller guarantees the struct, and the id is that of the clock.
            clock: unsafe { table(host, abi::SERVICE_CLOCK) },
            // SAFETY: the caller guarantees the struct, and the id is that of the random stream.
            rng: unsafe { table(host, abi::SERVICE_RNG) },
        }
    }
}

/// Returns the table of a service, or `None` if the host does not offer it.
///
/// # Safety
/// `host` must be null or a host's struct that outlives the use of the table. `T` must be the type
/// of the tables of the service `id`.
unsafe fn table<T>(host: *const abi::Host, id: &CStr) -> Option<&'static T> {
    // SAFETY: required from the caller.
    let get = unsafe { host.as_ref() }?.get_service?;
    // SAFETY: the function gets its own struct and a text that ends with a zero, as the interface
    // requires. It returns null or a table that lives as long as the host's struct.
    unsafe { get(host, id.as_ptr()).cast::<T>().as_ref() }
}

/// The services of the host. Calls of a missing service have no effect and return `None` or
/// `false`.
#[derive(Clone, Copy)]
pub struct Host<'a>(pub(crate) &'a Services);

impl Host<'_> {
    /// Returns a host without services.
    pub(crate) fn absent() -> Host<'static> {
        Host(&ABSENT.0)
    }

    /// Writes to the host's log, with the bot's name. The host may drop or shorten messages.
    pub fn log(&self, level: Level, message: &str) {
        if let Some(write) = self.0.log.and_then(|service| service.write) {
            // SAFETY: host and table live as long as the instance, the text as long as the call.
            unsafe { write(self.0.host, level as i32, text(message)) };
        }
    }

    /// Logs a number about the current decision under a name, for reports and replays: the win
    /// probability, for example. The number must be finite. The name has 1 to 32 letters, digits
    /// and `_` and begins with a letter. A decision can have numbers under at most 16 names; a
    /// second number under a name replaces the first. Returns `false` if these rules are broken or
    /// the host does not store numbers. Has no effect outside of `act` and on other threads than
    /// that of `act`.
    pub fn log_number(&self, name: &str, number: f64) -> bool {
        // SAFETY: the host lives as long as the instance, and the id is that of the numbers.
        let service: Option<&abi::NumbersService> =
            unsafe { table(self.0.host, abi::SERVICE_NUMBERS) };
        // SAFETY: host and table live as long as the instance, the text as long as the call.
        service
            .and_then(|service| service.log)
            .is_some_and(|log| unsafe { log(self.0.host, text(name), number) } >= abi::OK)
    }

    /// Returns the time left for the current decision, 0 after the limit, or `None` without a
    /// limit. A call costs about as much as reading a clock; make one every few hundred steps of a
    /// search.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        let time_left_us = self.0.clock.and_then(|service| service.time_left_us)?;
        // SAFETY: host and table live as long as the instance, and calls on an instance never
        // overlap.
        match unsafe { time_left_us(self.0.host) } {
            i64::MAX => None,
            left => Some(Duration::from_micros(u64::try_from(left).unwrap_or(0))),
        }
    }

    /// Fills `numbers` from the host's random stream for this instance. A replay of the block draws
    /// the same numbers. Returns `false` and does not change `numbers` if the host has no such
    /// stream. [`Block::rng`](crate::Block::rng) is faster and always available.
    #[must_use]
    pub fn fill_random(&self, numbers: &mut [u64]) -> bool {
        let Some(fill) = self.0.rng.and_then(|service| service.fill) else {
            return false;
        };
        for chunk in numbers.chunks_mut(1 << 16) {
            let count = u32::try_from(chunk.len()).expect("a chunk is small");
            // SAFETY: host and table live as long as the instance, and `chunk` has room for `count`
            // numbers.
            unsafe { fill(self.0.host, chunk.as_mut_ptr(), count) };
        }
        true
    }
}

/// Returns the address and length of a text.
pub(crate) fn text(words: &str) -> abi::Text {
    abi::Text {
        ptr: words.as_ptr().cast(),
        len: words.len() as u64,
    }
}
