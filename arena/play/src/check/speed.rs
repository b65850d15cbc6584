//! Measures the thinking time of a bot per decision.

use hattari_agents::table::{BlockObserver, Position};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::time::Duration;

/// Location of a decision, for messages.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DecisionLocation {
    /// Number of the line-up in the check.
    pub line_up: u32,
    /// Number of the block, from 0.
    pub block: u32,
    /// Deal in the block, from 0.
    pub deal: u32,
    /// Decision of the bot in the deal, from 0.
    pub decision: u32,
}

/// Number and thinking times of a bot's decisions, for a report. The times include the cost of the
/// clock, about 30 ns per decision.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Speed {
    /// Number of timed decisions.
    pub decisions: u64,
    /// Decisions per second of thinking time.
    pub decisions_per_second: f64,
    /// Median time in nanoseconds.
    pub median_nanos: u64,
    /// 99th percentile in nanoseconds.
    pub p99_nanos: u64,
    /// Maximum time in nanoseconds.
    pub worst_nanos: u64,
    /// Location of the slowest decision.
    pub worst_at: DecisionLocation,
}

/// Data shared by the timed agents of a table: the current location, and the times of decisions in
/// nanoseconds with their locations.
#[derive(Default)]
pub(super) struct Stopwatch {
    location: Cell<DecisionLocation>,
    times: RefCell<Vec<(u64, DecisionLocation)>>,
}

impl Stopwatch {
    /// Sets the current location to the start of a block.
    pub(super) fn start_block(&self, line_up: u32, block: u32) {
        // The first deal increments the number of the deal to 0.
        self.location.set(DecisionLocation {
            line_up,
            block,
            deal: u32::MAX,
            decision: 0,
        });
    }

    /// Counts a decision, with its time if it `is_timed`.
    pub(super) fn note_decision(&self, time: Duration, is_timed: bool) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let location = self.location.get();
        if is_timed {
            self.times.borrow_mut().push((nanos, location));
        }
        self.location.set(DecisionLocation {
            decision: location.decision + 1,
            ..location
        });
    }

    /// Returns the figures for a report; `None` without decisions.
    pub(super) fn figures(&self) -> Option<Speed> {
        let mut times = self.times.borrow_mut();
        // The order of equal times is kept, so the slowest decision is the first of its kind.
        times.sort_by_key(|(nanos, _)| Reverse(*nanos));
        let &(worst_nanos, worst_at) = times.first()?;
        let quantile = |percent: usize| {
            let index = (times.len() * percent).div_ceil(100);
            times[times.len() - index].0
        };
        let total: u64 = times.iter().map(|(nanos, _)| nanos).sum();
        #[expect(clippy::cast_precision_loss, reason = "the rate is only displayed")]
        let decisions_per_second = times.len() as f64 * 1e9 / total.max(1) as f64;
        Some(Speed {
            decisions: times.len() as u64,
            decisions_per_second,
            median_nanos: quantile(50),
            p99_nanos: quantile(99),
            worst_nanos,
            worst_at,
        })
    }
}

/// An observer that updates the stopwatch's location at every deal of a block.
pub(super) struct DealTracker<'a>(pub &'a Stopwatch);

impl BlockObserver for DealTracker<'_> {
    fn dealt(&mut self, _: &dyn Position, _: &[usize]) {
        let location = self.0.location.get();
        self.0.location.set(DecisionLocation {
            deal: location.deal.wrapping_add(1),
            decision: 0,
            ..location
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_summary_contains_median_p99_and_worst_time() {
        let watch = Stopwatch::default();
        assert!(watch.figures().is_none());
        watch.start_block(0, 7);
        for decision in 0..100 {
            let nanos = if decision == 70 { 1_000_000 } else { 10 };
            watch.note_decision(Duration::from_nanos(nanos), true);
        }
        let speed = watch.figures().unwrap();
        assert_eq!(
            (speed.decisions, speed.median_nanos, speed.p99_nanos),
            (100, 10, 10)
        );
        assert_eq!(speed.worst_nanos, 1_000_000);
        assert_eq!((speed.worst_at.block, speed.worst_at.decision), (7, 70));
    }
}
