//! Compares counts with recorded ones.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Counts of one workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Instructions of the thread that does the work, without the kernel and other processes.
    pub instructions: u64,
    /// Calls of Rust's allocator that return new memory, on all threads. Allocations of C and C++
    /// code are not counted.
    pub allocations: u64,
}

/// Counts by workload.
pub(crate) type Measured = BTreeMap<String, Counts>;

/// Increase in % above which the gate fails.
const WORSE: u64 = 2;
/// Decrease in % above which the gate fails until it is recorded; otherwise the gain would hide
/// later losses.
const BETTER: u64 = 5;

/// Differences in allocations that are ignored. A thread that waits for a process allocates each
/// time it wakes: 541 to 1,133 times on a busy machine, in the workload of 500 deals. One
/// allocation per decision would exceed this limit in every workload.
const ALLOCATIONS: u64 = 2_000;

/// The result for one count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Within,
    Worse,
    Better,
    /// There is no recorded count.
    New,
}

/// A count of a workload and its recorded value.
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
        // Integer arithmetic, so that the limits are inclusive.
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

    /// Returns the row as a line of the table.
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

/// Returns the header of the table whose lines are [`Row::line`].
pub(crate) fn head() -> String {
    format!(
        "{:<18}{:<14}{:>16}{:>16}{:>10}",
        "workload", "count", "recorded", "now", "change %"
    )
}

/// Compares counts with recorded ones; two rows per workload.
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

fn float(count: u64) -> f64 {
    count as f64
}
