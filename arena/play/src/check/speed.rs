//! Measures the thinking time of a bot per decision.

use hattari_agents::agent::{Agent, AgentError, BlockStart, Observation, Turn};
use hattari_agents::table::{BlockObserver, Position};
use hattari_plugin::Choice;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

/// Number of histogram buckets per power of two, for a resolution of 6 %.
const STEPS: u64 = 16;

/// Location of a decision, for messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DecisionPlace {
    /// Number of the line-up in the check.
    pub line_up: u32,
    /// Number of the block, from 0.
    pub block: u32,
    /// Deal in the block, from 0.
    pub deal: u32,
    /// Decision of the bot in the deal, from 0.
    pub decision: u32,
}

/// A histogram of thinking times, and the slowest decision.
#[derive(Clone, Debug)]
pub(super) struct DecisionTimes {
    counts: Vec<u64>,
    decisions: u64,
    nanos: u64,
    worst_nanos: u64,
    worst_at: DecisionPlace,
}

impl Default for DecisionTimes {
    fn default() -> Self {
        let (decisions, nanos, worst_nanos, worst_at) = (0, 0, 0, DecisionPlace::default());
        DecisionTimes {
            counts: vec![0; bucket(u64::MAX) + 1],
            decisions,
            nanos,
            worst_nanos,
            worst_at,
        }
    }
}

impl DecisionTimes {
    fn add(&mut self, nanos: u64, at: DecisionPlace) {
        self.counts[bucket(nanos)] += 1;
        self.decisions += 1;
        self.nanos = self.nanos.saturating_add(nanos);
        if nanos > self.worst_nanos {
            (self.worst_nanos, self.worst_at) = (nanos, at);
        }
    }

    /// Returns the time that the fraction `share` of the decisions does not exceed, rounded down to
    /// a bucket.
    fn quantile(&self, share: f64) -> u64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of decisions are far below 2^52"
        )]
        let wanted = share * self.decisions as f64;
        let mut seen = 0;
        for (index, count) in self.counts.iter().enumerate() {
            seen += count;
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
            if *count > 0 && seen as f64 >= wanted {
                return bucket_start(index);
            }
        }
        self.worst_nanos
    }

    /// Returns the figures for a report; `None` without decisions.
    #[must_use]
    pub(super) fn figures(&self) -> Option<Speed> {
        #[expect(clippy::cast_precision_loss, reason = "the rate is only displayed")]
        let per_second = self.decisions as f64 * 1e9 / self.nanos.max(1) as f64;
        (self.decisions > 0).then(|| Speed {
            decisions: self.decisions,
            decisions_per_second: per_second,
            median_nanos: self.quantile(0.5),
            p99_nanos: self.quantile(0.99),
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
    pub worst_at: DecisionPlace,
}

/// Data shared by the timed agents of a table: the current location and the times.
#[derive(Default)]
pub(super) struct Stopwatch {
    at: Cell<DecisionPlace>,
    times: RefCell<DecisionTimes>,
}

impl Stopwatch {
    /// Starts a block.
    pub(super) fn start_block(&self, line_up: u32, block: u32) {
        // The first deal increments the number of the deal to 0.
        self.at.set(DecisionPlace {
            line_up,
            block,
            deal: u32::MAX,
            decision: 0,
        });
    }

    /// Returns the times so far.
    #[must_use]
    pub(super) fn times(&self) -> DecisionTimes {
        self.times.borrow().clone()
    }
}

/// An observer that updates the stopwatch's location at every deal of a block.
pub(super) struct DealTracker<'a>(pub &'a Stopwatch);

impl BlockObserver for DealTracker<'_> {
    fn dealt(&mut self, _at: &dyn Position, _entrants: &[usize]) {
        let at = self.0.at.get();
        self.0.at.set(DecisionPlace {
            deal: at.deal.wrapping_add(1),
            decision: 0,
            ..at
        });
    }
}

/// An agent whose decisions are counted, and also timed if it is the tested bot.
pub(super) struct TimedAgent {
    agent: Box<dyn Agent>,
    watch: Rc<Stopwatch>,
    timed: bool,
}

impl TimedAgent {
    /// Wraps `agent` with the stopwatch.
    pub(super) fn new(agent: Box<dyn Agent>, watch: &Rc<Stopwatch>, timed: bool) -> TimedAgent {
        TimedAgent {
            agent,
            watch: watch.clone(),
            timed,
        }
    }
}

impl Agent for TimedAgent {
    fn block_start(&mut self, start: &BlockStart<'_>) -> Result<(), AgentError> {
        self.agent.block_start(start)
    }

    fn deal_start(&mut self, seen: &Observation<'_>) -> Result<(), AgentError> {
        self.agent.deal_start(seen)
    }

    fn act(&mut self, turn: &Turn<'_>) -> Result<Choice, AgentError> {
        let start = Instant::now();
        let answer = self.agent.act(turn);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let at = self.watch.at.get();
        if self.timed {
            self.watch.times.borrow_mut().add(nanos, at);
        }
        self.watch.at.set(DecisionPlace {
            decision: at.decision + 1,
            ..at
        });
        answer
    }

    fn deal_end(&mut self, seen: &Observation<'_>, payoffs: &[i64]) -> Result<(), AgentError> {
        self.agent.deal_end(seen, payoffs)
    }

    fn block_end(&mut self) -> Result<(), AgentError> {
        self.agent.block_end()
    }
}

/// Returns the bucket of a time: one per nanosecond below [`STEPS`], then [`STEPS`] per power of
/// two.
fn bucket(nanos: u64) -> usize {
    let index = match nanos.checked_ilog2() {
        Some(log) if nanos >= STEPS => {
            let power = u64::from(log - STEPS.ilog2());
            (power + 1) * STEPS + (nanos >> power) - STEPS
        }
        _ => nanos,
    };
    usize::try_from(index).expect("there are fewer than a thousand buckets")
}

/// Returns the smallest time of a bucket.
fn bucket_start(bucket: usize) -> u64 {
    let bucket = bucket as u64;
    match bucket / STEPS {
        0 => bucket,
        power => (STEPS + bucket % STEPS) << (power - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_ordered_and_at_most_six_percent_wide() {
        let times = (0..1000).chain([1 << 20, (1 << 20) + (1 << 16), u64::MAX]);
        let mut last = 0;
        for nanos in times {
            let (index, least) = (bucket(nanos), bucket_start(bucket(nanos)));
            assert!(
                index >= last && least <= nanos && nanos - least <= least / 16,
                "{nanos} {least}"
            );
            last = index;
        }
    }

    #[test]
    fn the_speed_summary_contains_median_p99_and_worst_time() {
        let mut times = DecisionTimes::default();
        assert!(times.figures().is_none());
        for nanos in 1..=99 {
            times.add(
                10,
                DecisionPlace {
                    decision: nanos,
                    ..DecisionPlace::default()
                },
            );
        }
        times.add(
            1_000_000,
            DecisionPlace {
                block: 7,
                ..DecisionPlace::default()
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
