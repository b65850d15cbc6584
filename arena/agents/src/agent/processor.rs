//! Processor time of other threads, for the backstop. On systems that do not provide it, wall-clock
//! time is used.

use std::time::Duration;

#[cfg(target_os = "linux")]
mod clock {
    #![expect(
        unsafe_code,
        reason = "no safe API reads the processor time of another thread"
    )]

    use std::cell::Cell;
    use std::time::Duration;

    thread_local! {
        static OWN: Cell<Option<i32>> = const { Cell::new(None) };
    }

    /// Returns the clock of the calling thread. Any thread can pass it to [`used`].
    pub(super) fn clock() -> i32 {
        OWN.get().unwrap_or_else(|| {
            let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
            // SAFETY: the calling thread exists and `clock` is valid for writes. On failure `clock`
            // keeps its initial value. The watchdog then reads its own clock, which hardly
            // advances, so only the step count limits the bot.
            unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
            OWN.set(Some(clock));
            clock
        })
    }

    /// Returns the time of the clock; zero once its thread has ended.
    pub(super) fn used(clock: i32) -> Duration {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is valid for writes; an invalid clock leaves it unchanged.
        unsafe { libc::clock_gettime(clock, &raw mut time) };
        let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
        Duration::new(seconds.unwrap_or(0), nanos.unwrap_or(0))
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Returns the single clock of this system.
    pub fn clock() -> i32 {
        0
    }

    /// Returns the time since the first call.
    pub fn used(_clock: i32) -> Duration {
        START.elapsed()
    }
}

/// Returns the clock of the calling thread.
pub(super) fn clock() -> i32 {
    clock::clock()
}

/// Returns the time of a thread's clock.
pub(super) fn used(clock: i32) -> Duration {
    clock::used(clock)
}
