//! The processor time of other threads, for the backstop; where the system does not tell, the time
//! on the wall.

use std::time::Duration;

#[cfg(target_os = "linux")]
mod clock {
    #![expect(
        unsafe_code,
        reason = "the system's clocks of threads have no safe face"
    )]

    use std::cell::Cell;
    use std::time::Duration;

    thread_local! {
        static OWN: Cell<Option<i32>> = const { Cell::new(None) };
    }

    /// The clock of the calling thread, for [`used`] on any thread.
    pub(super) fn clock() -> i32 {
        OWN.get().unwrap_or_else(|| {
            let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
            // SAFETY: the calling thread lives; the result has room. Where it fails the number
            // stays what it was: a clock that stands still for this thread, so that the
            // count of steps alone decides.
            unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut clock) };
            OWN.set(Some(clock));
            clock
        })
    }

    /// What the clock shows; nothing once its thread has ended.
    pub(super) fn used(clock: i32) -> Duration {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the result has room; a clock that is none is refused and leaves it.
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

    /// One clock for all.
    pub fn clock() -> i32 {
        0
    }

    /// Time since the first look.
    pub fn used(_clock: i32) -> Duration {
        START.elapsed()
    }
}

/// The clock of the calling thread.
pub(super) fn clock() -> i32 {
    clock::clock()
}

/// What the clock of a thread shows.
pub(super) fn used(clock: i32) -> Duration {
    clock::used(clock)
}
