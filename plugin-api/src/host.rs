//! The host's services as a bot uses them.
#![expect(
    unsafe_code,
    reason = "calls the host's functions through the C interface"
)]

use crate::abi;
use std::ffi::CStr;
use std::ptr;
use std::time::Duration;

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For the bot's author.
    Debug = abi::LOG_DEBUG as isize,
    /// For whoever runs the league.
    Info = abi::LOG_INFO as isize,
    /// Something looks wrong.
    Warning = abi::LOG_WARNING as isize,
    /// Something is wrong.
    Error = abi::LOG_ERROR as isize,
}

/// The tables of the host's services, asked for once when an instance is created.
pub(crate) struct Services {
    host: *const abi::Host,
    log: Option<&'static abi::LogService>,
    clock: Option<&'static abi::ClockService>,
    rng: Option<&'static abi::RngService>,
}

/// Has no host at all; every service is absent.
struct Absent(Services);

// SAFETY: the one value of this type is a constant without a host; nothing in it is ever written or
// called.
unsafe impl Sync for Absent {}

static ABSENT: Absent = Absent(Services {
    host: ptr::null(),
    log: None,
    clock: None,
    rng: None,
});

impl Services {
    /// Asks the host for its services.
    ///
    /// # Safety
    /// `host` is a host's struct, and it and the tables that it gives outlive the value that is
    /// returned.
    pub(crate) unsafe fn ask(host: *const abi::Host) -> Services {
        // SAFETY: the caller vouches for the struct.
        let get = unsafe { (*host).get_service };
        let table = |id: &CStr| match get {
            // SAFETY: the host's function gets its own struct and a text that ends with a zero, as
            // the interface says.
            Some(get) => unsafe { get(host, id.as_ptr()) },
            None => ptr::null(),
        };
        // The lifetime is cut to that of the instance by `Host`, which is all that leaves this
        // module.
        Services {
            host,
            // SAFETY: by its id this is null or a log table that lives as long as the host's
            // struct.
            log: unsafe { table(abi::SERVICE_LOG).cast::<abi::LogService>().as_ref() },
            // SAFETY: as above, a clock table.
            clock: unsafe {
                table(abi::SERVICE_CLOCK)
                    .cast::<abi::ClockService>()
                    .as_ref()
            },
            // SAFETY: as above, a table of the random stream.
            rng: unsafe { table(abi::SERVICE_RNG).cast::<abi::RngService>().as_ref() },
        }
    }
}

/// What the host offers. Every service may be absent; calls then do nothing and say so.
#[derive(Clone, Copy)]
pub struct Host<'a>(pub(crate) &'a Services);

impl Host<'_> {
    /// The host that offers nothing.
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

    /// Time left for the current decision, zero once overdrawn; `None` where there is no limit.
    /// Costs about as much as reading a clock: ask every few hundred steps of a search.
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

    /// Fills `numbers` from the host's stream for this instance, which the block decides: a replay
    /// draws the same. False where the host has no such stream; `numbers` are as before then.
    /// [`Block::rng`](crate::Block::rng) is faster and always there.
    #[must_use]
    pub fn fill_random(&self, numbers: &mut [u64]) -> bool {
        let Some(fill) = self.0.rng.and_then(|service| service.fill) else {
            return false;
        };
        for chunk in numbers.chunks_mut(1 << 16) {
            let count = u32::try_from(chunk.len()).expect("a chunk is small");
            // SAFETY: as above; `chunk` has room for `count` numbers.
            unsafe { fill(self.0.host, chunk.as_mut_ptr(), count) };
        }
        true
    }
}
