//! The deadline of a decision.

use std::time::{Duration, Instant};

const NANOS_PER_MICRO: i64 = 1000;

/// A deadline on the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Instant);

impl Deadline {
    /// Returns the deadline `micros` microseconds from now.
    pub(super) fn after(micros: i64) -> Deadline {
        Deadline(Instant::now() + Duration::from_micros(u64::try_from(micros).unwrap_or(0)))
    }

    /// Returns the nanoseconds left; negative after the deadline.
    fn left_ns(self) -> i64 {
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        let now = Instant::now();
        nanos(self.0.saturating_duration_since(now)) - nanos(now.saturating_duration_since(self.0))
    }

    /// Returns the microseconds left; negative after the deadline.
    pub(super) fn left_us(self) -> i64 {
        self.left_ns().div_euclid(NANOS_PER_MICRO)
    }

    /// Returns `true` once the deadline has passed.
    pub(super) fn is_past(self) -> bool {
        self.left_ns() <= 0
    }

    /// Returns the delay in nanoseconds of an answer given now; 0 or less if the answer is in time.
    pub(super) fn overdue(self) -> i64 {
        -self.left_ns()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expired_and_very_distant_deadlines_report_their_remaining_time() {
        let past = Deadline::after(-1);
        assert!(past.is_past() && 0 <= past.overdue() && past.left_us() <= 0);
        let far = Deadline::after(i64::MAX);
        assert!(!far.is_past() && far.overdue() < 0 && 0 < far.left_us());
        let hour = Deadline::after(3_600_000_000);
        assert!((1..=3_600_000_000).contains(&hour.left_us()));
    }
}
