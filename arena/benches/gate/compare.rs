//! Comparison of counts with recorded ones.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of one workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Instructions of the thread that does the work; those of the kernel and of other processes
    /// are not counted.
    pub instructions: u64,
    /// Calls of Rust's allocator that return new memory, on all threads. What C and C++ allocate
    /// by themselves is not counted.
    pub allocations: u64,
}

/// Counts by workload.
pub(crate) type Measured = BTreeMap<String, Counts>;

/// The increase in % above which the gate fails.
const WORSE: u64 = 2;
/// The decrease in % above which the gate fails until it is recorded: else later losses would be
/// hidden in the gain.
const BETTER: u64 = 5;

/// Allocations more or less that mean nothing: threads that wait for a process allocate as often as
/// they wake (541 to 829 times on a busy machine, in the workload of 500 deals). What is allocated
/// for each decision is far more in any workload.
const ALLOCATIONS: u64 = 450;

/// The outcome for one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Within,
    Worse,
    Better,
    /// Nothing is recorded.
    New,
}

/// One count of a workload beside the recorded one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub workload: String,
    pub count: &'static str,
    pub recorded: Option<u64>,
    pub now: u64,
    /// Change in %.
    pub percent: f64,
    pub change: Change,
}

impl Row {
    fn new(
        workload: &str,
        count: &'static str,
        noise: u64,
        recorded: Option<u64>,
        now: u64,
    ) -> Row {
        let [before, after] = [recorded.unwrap_or(now), now].map(float);
        let percent = if before == after {
            0.0
        } else {
            100.0 * (after / before - 1.0)
        };
        // In whole numbers, so that the limits themselves are within.
        let change = match recorded {
            None => Change::New,
            Some(recorded) if recorded.abs_diff(now) <= noise => Change::Within,
            Some(recorded) if recorded * (100 + WORSE) < now * 100 => Change::Worse,
            Some(recorded) if now * 100 < recorded * (100 - BETTER) => Change::Better,
            Some(_) => Change::Within,
        };
        Row {
            workload: workload.to_owned(),
            count,
            recorded,
            now,
            percent,
            change,
        }
    }

    /// Returns a line of the table.
    pub(crate) fn line(&self) -> String {
        let recorded = self
            .recorded
            .map_or_else(|| "-".to_owned(), |recorded| recorded.to_string());
        let word = match self.change {
            Change::Within => "",
            Change::Worse => "  WORSE",
            Change::Better => "  BETTER, not recorded",
            Change::New => "  NEW, not recorded",
        };
        let Row {
            workload,
            count,
            now,
            percent,
            ..
        } = self;
        format!("{workload:<18}{count:<14}{recorded:>16}{now:>16}{percent:>+10.2}{word}")
    }
}

/// Returns the head of the table whose lines are [`Row::line`].
pub(crate) fn head() -> String {
    format!(
        "{:<18}{:<14}{:>16}{:>16}{:>10}",
        "workload", "count", "recorded", "now", "change %"
    )
}

/// Compares what is measured now with what is recorded, two rows for each workload.
pub(crate) fn compare(recorded: &Measured, now: &Measured) -> Vec<Row> {
    let rows = now.iter().flat_map(|(name, now)| {
        let before = recorded.get(name);
        let instructions = before.map(|before| before.instructions);
        let allocations = before.map(|before| before.allocations);
        [
            Row::new(name, "instructions", 0, instructions, now.instructions),
            Row::new(
                name,
                "allocations",
                ALLOCATIONS,
                allocations,
                now.allocations,
            ),
        ]
    });
    rows.collect()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio of two counts needs no 53 bits"
)]
fn float(count: u64) -> f64 {
    count as f64
}
