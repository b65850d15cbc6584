//! Time limits of runs.

use hattari_report::numbers::parse_date;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Maximum time limit in hours: ten years.
const HOURS_MAX: f64 = 87_660.0;

/// The form of a time on the command line.
pub(super) const TIME_FORM: &str =
    "give a date, or a date and a time in UTC, as in 2026-12-01T08:00";

/// A time at which a run stops as after a signal: running blocks are finished. `now` returns the
/// current time.
pub(super) struct Deadline<'s, C> {
    end: Option<SystemTime>,
    now: C,
    /// The flag that stops the run when it is set.
    pub(super) stop: &'s AtomicBool,
    is_reached: bool,
}

impl<'s, C: Fn() -> SystemTime> Deadline<'s, C> {
    /// Creates a time limit. If `end` is `None`, the limit is never reached.
    pub(super) fn new(end: Option<SystemTime>, now: C, stop: &'s AtomicBool) -> Deadline<'s, C> {
        Deadline {
            end,
            now,
            stop,
            is_reached: false,
        }
    }

    /// Stops the run if the time limit is reached.
    pub(super) fn check(&mut self) {
        let is_over = self.end.is_some_and(|end| end <= (self.now)());
        if is_over && !self.is_reached && !self.stop.swap(true, Ordering::Relaxed) {
            self.is_reached = true;
        }
    }

    /// Returns `true` if the time limit has stopped the run.
    pub(super) fn is_reached(&self) -> bool {
        self.is_reached
    }
}

/// Parses a number of hours, above 0 and at most [`HOURS_MAX`].
pub(super) fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse::<f64>().ok();
    let hours = hours.filter(|hours| 0.0 < *hours && *hours <= HOURS_MAX);
    let hours = hours.ok_or("give a number of hours above 0, as in 8 or 0.5")?;
    Ok(Duration::from_secs_f64(hours * 3600.0))
}

/// Parses a date, or a date and a time, in UTC.
pub(super) fn time(text: &str) -> Result<SystemTime, String> {
    let seconds = parse_date(text).and_then(|seconds| u64::try_from(seconds).ok());
    let seconds = seconds.ok_or(TIME_FORM)?;
    Ok(UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_run_stops_when_the_clock_reaches_the_limit() {
        let (stop, clock) = (AtomicBool::new(false), Cell::new(UNIX_EPOCH));
        let limit = UNIX_EPOCH + hours("0.5").unwrap();
        let mut deadline = Deadline::new(Some(limit), || clock.get(), &stop);
        for (minutes, is_over) in [(0, false), (29, false), (30, true), (31, true)] {
            clock.set(UNIX_EPOCH + Duration::from_secs(60 * minutes));
            deadline.check();
            let stopped = stop.load(Ordering::Relaxed);
            assert_eq!(
                (stopped, deadline.is_reached()),
                (is_over, is_over),
                "{minutes}"
            );
        }
    }

    #[test]
    fn a_signal_before_the_limit_is_an_interruption() {
        let stop = AtomicBool::new(true);
        let mut deadline = Deadline::new(Some(UNIX_EPOCH), || UNIX_EPOCH, &stop);
        deadline.check();
        assert!(!deadline.is_reached());
        let mut none = Deadline::new(None, || UNIX_EPOCH, &stop);
        none.check();
        assert!(!none.is_reached());
    }

    #[test]
    fn time_limits_are_parsed_and_invalid_limits_are_rejected() {
        assert_eq!(hours("1.5"), Ok(Duration::from_secs(5400)));
        assert_eq!(
            time("1970-01-02"),
            Ok(UNIX_EPOCH + Duration::from_secs(86_400))
        );
        assert!(
            ["0", "-1", "nan", "x", "1e9"]
                .into_iter()
                .all(|text| hours(text).is_err())
        );
        assert!(time("tomorrow").is_err() && time("1969-01-01").is_err());
    }
}
