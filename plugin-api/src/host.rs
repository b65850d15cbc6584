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
        // SAFETY: the caller guarantees the struct.
        let get = unsafe { (*host).get_service };
        let table = |id: &CStr| match get {
            // SAFETY: the function gets its own struct and a text that ends with a zero, as the
            // interface requires.
            Some(get) => unsafe { get(host, id.as_ptr()) },
            None => ptr::null(),
        };
        // [`Host`] limits the lifetime to that of the instance. Nothing else leaves this module.
        Services {
            host,
            // SAFETY: the id guarantees null or a log table that lives as long as the host's
            // struct.
            log: unsafe { table(abi::SERVICE_LOG).cast::<abi::LogService>().as_ref() },
            // SAFETY: the id guarantees null or a clock table that lives as long as the host's
            // struct.
            clock: unsafe {
                table(abi::SERVICE_CLOCK)
                    .cast::<abi::ClockService>()
                    .as_ref()
            },
            // SAFETY: the id guarantees null or a table of the random stream that lives as long as
            // the host's struct.
            rng: unsafe { table(abi::SERVICE_RNG).cast::<abi::RngService>().as_ref() },
        }
    }
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
            let text = abi::Text {
                ptr: message.as_ptr().cast(),
                len: message.len() as u64,
            };
            // SAFETY: host and table live as long as the instance, the text as long as the call.
            unsafe { write(self.0.host, level as i32, text) };
        }
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
