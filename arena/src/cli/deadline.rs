//! Time limits of runs.

use hattari_report::numbers::parse_date;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Maximum time limit in hours: ten years.
const HOURS_MAX: f64 = 87_660.0;

/// The form of a time on the command line.
pub(super) const TIME_FORM: &str =
    "give a date, or a date and a time in UTC, as in 2026-12-01T08:00";

/// A time limit of a run. It has the same effect as a signal: running blocks are finished, but no
/// new ones begin.
pub(super) struct Deadline<'s> {
    end: Option<SystemTime>,
    /// The flag that stops the run when it is set.
    pub stop: &'s AtomicBool,
    /// `true` if the time limit has stopped the run.
    pub is_reached: bool,
}

impl Deadline<'_> {
    /// Creates a time limit. If `end` is `None`, the limit is never reached.
    pub(super) fn new(end: Option<SystemTime>, stop: &AtomicBool) -> Deadline<'_> {
        Deadline {
            end,
            stop,
            is_reached: false,
        }
    }

    /// Stops the run if the time limit is reached at the time `now`.
    pub(super) fn check(&mut self, now: SystemTime) {
        let is_over = self.end.is_some_and(|end| end <= now);
        if is_over && !self.is_reached && !self.stop.swap(true, Ordering::Relaxed) {
            self.is_reached = true;
        }
    }
}

/// Parses a number of hours, above 0 and at most [`HOURS_MAX`].
pub(super) fn hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse::<f64>().ok();
    let hours = hours
        .filter(|hours| 0.0 < *hours && *hours <= HOURS_MAX)
        .ok_or("give a number of hours above 0, as in 8 or 0.5")?;
    Ok(Duration::from_secs_f64(hours * 3600.0))
}

/// Parses a date, or a date and a time, in UTC.
pub(super) fn time(text: &str) -> Result<SystemTime, String> {
    let seconds = parse_date(text)
        .and_then(|seconds| u64::try_from(seconds).ok())
        .ok_or(TIME_FORM)?;
    Ok(UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_stops_when_the_clock_reaches_the_limit() {
        let stop = AtomicBool::new(false);
        let limit = UNIX_EPOCH + hours("0.5").unwrap();
        let mut deadline = Deadline::new(Some(limit), &stop);
        for (minutes, is_over) in [(0, false), (29, false), (30, true), (31, true)] {
            deadline.check(UNIX_EPOCH + Duration::from_secs(60 * minutes));
            let stopped = stop.load(Ordering::Relaxed);
            assert_eq!(
                (stopped, deadline.is_reached),
                (is_over, is_over),
                "{minutes}"
            );
        }
    }

    #[test]
    fn a_signal_before_the_limit_is_an_interruption() {
        let stop = AtomicBool::new(true);
        let mut deadline = Deadline::new(Some(UNIX_EPOCH), &stop);
        deadline.check(UNIX_EPOCH);
        assert!(!deadline.is_reached);
        let mut none = Deadline::new(None, &stop);
        none.check(UNIX_EPOCH);
        assert!(!none.is_reached);
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
