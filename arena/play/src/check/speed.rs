//! Measures the thinking time of a bot per decision.

use hattari_agents::table::{BlockObserver, Position};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// Location of a decision, for messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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

/// The thinking times of a bot, and the slowest decision.
#[derive(Clone, Debug, Default)]
struct DecisionTimes {
    nanos: Vec<u64>,
    worst_nanos: u64,
    worst_at: DecisionLocation,
}

impl DecisionTimes {
    fn add(&mut self, nanos: u64, location: DecisionLocation) {
        self.nanos.push(nanos);
        if nanos > self.worst_nanos {
            (self.worst_nanos, self.worst_at) = (nanos, location);
        }
    }

    /// Returns the figures for a report; `None` without decisions.
    fn figures(&self) -> Option<Speed> {
        let mut nanos = self.nanos.clone();
        nanos.sort_unstable();
        let quantile = |percent: usize| nanos[(nanos.len() * percent).div_ceil(100) - 1];
        let total: u64 = nanos.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "the rate is only displayed")]
        let per_second = nanos.len() as f64 * 1e9 / total.max(1) as f64;
        (!nanos.is_empty()).then(|| Speed {
            decisions: nanos.len() as u64,
            decisions_per_second: per_second,
            median_nanos: quantile(50),
            p99_nanos: quantile(99),
            worst_nanos: self.worst_nanos,
            worst_at: self.worst_at,
        })
    }
}

/// Number and thinking times of a bot's decisions, for a report. The times include the cost of the
/// clock, about 30 ns per decision.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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

/// Data shared by the timed agents of a table: the current location and the times.
#[derive(Default)]
pub(super) struct Stopwatch {
    location: Cell<DecisionLocation>,
    times: RefCell<DecisionTimes>,
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
            self.times.borrow_mut().add(nanos, location);
        }
        self.location.set(DecisionLocation {
            decision: location.decision + 1,
            ..location
        });
    }

    /// Returns the figures for a report; `None` without decisions.
    pub(super) fn figures(&self) -> Option<Speed> {
        self.times.borrow().figures()
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
        let mut times = DecisionTimes::default();
        assert!(times.figures().is_none());
        for nanos in 1..=99 {
            times.add(
                10,
                DecisionLocation {
                    decision: nanos,
                    ..DecisionLocation::default()
                },
            );
        }
        times.add(
            1_000_000,
            DecisionLocation {
                block: 7,
                ..DecisionLocation::default()
            },
        );
        let speed = times.figures().unwrap();
        assert_eq!(
            (speed.decisions, speed.median_nanos, speed.p99_nanos),
            (100, 10, 10)
        );
        assert_eq!((speed.worst_nanos, speed.worst_at.block), (1_000_000, 7));
    }
}
