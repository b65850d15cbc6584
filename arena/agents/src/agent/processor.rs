//! Processor time of other threads and processes. On systems that do not provide it, wall-clock
//! time is used.

#[cfg(target_os = "linux")]
mod clock {
    #![expect(
        unsafe_code,
        reason = "no safe API reads the processor time of another thread or process"
    )]

    use std::cell::Cell;

    thread_local! {
        static OWN: Cell<Option<i32>> = const { Cell::new(None) };
    }

    /// Returns the processor time clock of the calling thread. Any thread can pass it to [`nanos`].
    pub(crate) fn of_this_thread() -> i32 {
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

    /// Returns the processor time clock of a process.
    #[inline]
    pub(crate) fn of_process(process: i32) -> i32 {
        // Builds the id as `clock_getcpuclockid` does, but without its extra system call.
        (!process << 3) | 2
    }

    /// Returns the time of a clock in nanoseconds; `None` once its thread or process has ended.
    #[inline]
    pub(crate) fn nanos(clock: i32) -> Option<u64> {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: `time` is valid for writes.
        let answer = unsafe { libc::clock_gettime(clock, &raw mut time) };
        (answer == 0)
            .then(|| u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_nsec).unwrap_or(0))
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);

    /// Returns a placeholder, because this system has no clocks of threads.
    pub(crate) fn of_this_thread() -> i32 {
        0
    }

    /// Returns the nanoseconds since the first call.
    pub(crate) fn nanos(_clock: i32) -> Option<u64> {
        u64::try_from(START.elapsed().as_nanos()).ok()
    }
}

pub(super) use clock::*;
