//! Until when a decision must be answered, on a clock that most decisions need not read.
//!
//! The system keeps, beside its exact clock, the time of its last tick, which costs a seventh as
//! much to read and is a few milliseconds old at most. An answer that is in time by that and two
//! ticks is in time; for the rest the exact clock is asked. A limit of [`COARSE_TICKS`] ticks or
//! more also begins at the last tick: who asks is told up to a tick less than there is, and
//! who answers late by less than that is not held to it.

/// A moment in nanoseconds of the clock that never goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Deadline(pub i64);

/// Ticks of a limit whose beginning is told to the tick: what that adds is 1 % of it.
const COARSE_TICKS: i64 = 100;

const NANOS_PER_MICRO: i64 = 1000;

/// The tick, where a limit of so many nanoseconds begins with it.
fn coarse(nanos: i64) -> Option<i64> {
    clock::tick().filter(|tick| COARSE_TICKS.saturating_mul(*tick) <= nanos)
}

impl Deadline {
    /// So many microseconds from now.
    pub(super) fn after(micros: i64) -> Deadline {
        let nanos = micros.saturating_mul(NANOS_PER_MICRO);
        let start = if coarse(nanos).is_some() {
            clock::at_last_tick()
        } else {
            clock::now()
        };
        Deadline(start.saturating_add(nanos))
    }

    /// Microseconds that are left, less than 0 once it is past.
    pub(super) fn left_us(self) -> i64 {
        self.0
            .saturating_sub(clock::now())
            .div_euclid(NANOS_PER_MICRO)
    }

    /// Whether it is past.
    pub(super) fn is_past(self) -> bool {
        self.0 <= clock::now()
    }

    /// How many nanoseconds too late an answer is that comes now, where `micros` were allowed; 0 or
    /// less where it is in time.
    pub(super) fn overdue(self, micros: i64) -> i64 {
        if let Some(tick) = clock::tick() {
            let latest = clock::at_last_tick() + 2 * tick;
            if latest < self.0 {
                return latest - self.0;
            }
        }
        let spare = coarse(micros.saturating_mul(NANOS_PER_MICRO)).unwrap_or(0);
        clock::now().saturating_sub(self.0.saturating_add(spare))
    }
}

/// Linux's clocks.
#[cfg(target_os = "linux")]
mod clock {
    use rustix::time::{ClockId, Timespec, clock_getres, clock_gettime};
    use std::sync::LazyLock;

    /// A tick that is longer tells that there is no clock of ticks worth the name.
    const TICK_NANOS_MAX: i64 = 20_000_000;

    static TICK: LazyLock<Option<i64>> = LazyLock::new(|| {
        Some(nanos(clock_getres(ClockId::MonotonicCoarse)))
            .filter(|tick| (1..=TICK_NANOS_MAX).contains(tick))
    });

    fn nanos(time: Timespec) -> i64 {
        time.tv_sec
            .saturating_mul(1_000_000_000)
            .saturating_add(time.tv_nsec)
    }

    /// Nanoseconds from one tick to the next, where there is a clock of ticks.
    pub(super) fn tick() -> Option<i64> {
        *TICK
    }

    pub(super) fn now() -> i64 {
        nanos(clock_gettime(ClockId::Monotonic))
    }

    /// When the last tick was.
    pub(super) fn at_last_tick() -> i64 {
        nanos(clock_gettime(ClockId::MonotonicCoarse))
    }
}

/// The one clock that every system has.
#[cfg(not(target_os = "linux"))]
mod clock {
    use std::sync::LazyLock;
    use std::time::Instant;

    static EPOCH: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub(super) fn tick() -> Option<i64> {
        None
    }

    pub(super) fn now() -> i64 {
        i64::try_from(EPOCH.elapsed().as_nanos()).unwrap_or(i64::MAX)
    }

    pub(super) fn at_last_tick() -> i64 {
        now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_past_is_late_whatever_the_limit() {
        for micros in [1, 1000, 20_000, 10_000_000] {
            let deadline = Deadline::after(-micros - 20_000);
            assert!(
                deadline.is_past() && 0 < deadline.overdue(micros) && deadline.left_us() < 0,
                "{micros} µs"
            );
        }
    }

    #[test]
    fn nobody_is_told_more_than_there_is_nor_held_to_less() {
        for micros in [1000, 20_000, 1_000_000, 3_600_000_000] {
            let before = clock::now();
            let deadline = Deadline::after(micros);
            let (after, nanos) = (clock::now(), 1000 * micros);
            assert!(deadline.0 <= after + nanos, "{micros} µs");
            // A machine under load may be late with its ticks; not by this much.
            assert!(before + nanos - nanos / 50 <= deadline.0, "{micros} µs");
            assert!(
                deadline.0 - after <= 1000 * deadline.left_us() + nanos,
                "{micros} µs"
            );
        }
    }

    #[test]
    fn short_limits_are_exact() {
        let before = clock::now();
        let deadline = Deadline::after(1000);
        assert!(before + 1_000_000 <= deadline.0);
        while clock::now() <= deadline.0 {
            std::hint::spin_loop();
        }
        assert!(0 < deadline.overdue(1000), "late by a nanosecond");
    }

    #[test]
    fn far_limits_are_in_time_and_stay_within_the_numbers() {
        let deadline = Deadline::after(i64::MAX);
        assert!(!deadline.is_past() && deadline.overdue(i64::MAX) < 0 && 0 < deadline.left_us());
    }
}
