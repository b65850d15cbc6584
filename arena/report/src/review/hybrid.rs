//! The gain of a hybrid: the reviewed bot with the other bot's choices in selected decisions.

use super::estimate::{CONFIDENCE, estimate};
use super::report::{HybridGain, ReviewReport};
use hattari_agents::record::JobId;
use hattari_agents::table::DecisionSelector;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{REPORTED, Review, ReviewBatch, ReviewPlan, ReviewResult};
use std::sync::atomic::AtomicBool;

/// The decisions in which a hybrid plays the other bot's choices.
pub struct HybridRule {
    /// Index of the class that consists of these decisions; `None` if there is no such class.
    pub class: Option<usize>,
    /// Description of the decisions.
    pub condition: String,
    /// Function that selects the decisions.
    pub selects: DecisionSelector,
}

/// Plays a hybrid and adds its gain to the report. The hybrid is the reviewed bot with the other
/// bot's choices in the decisions of `rule`. Adds nothing if `stop` is set before the end.
///
/// # Errors
/// Returns the same errors as [`ReviewPlan::run`].
pub fn measure_hybrid(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    rule: HybridRule,
    stop: &AtomicBool,
) -> ReviewResult {
    let reported = &review.halves[REPORTED];
    let jobs = reported.iter().flat_map(|batch| &batch.jobs);
    let jobs: Vec<JobId> = jobs.copied().collect();
    let gains = plan.measure_gains(prepared, &jobs, stop, &rule.selects)?;
    if gains.len() == jobs.len() {
        let mut gains = gains.into_iter();
        let sum = |batch: &ReviewBatch| {
            let gain: i64 = gains.by_ref().take(batch.jobs.len()).sum();
            (batch.games, gain as f64)
        };
        let sums: Vec<(u64, f64)> = reported.iter().map(sum).collect();
        report.hybrid = Some(HybridGain {
            class: rule.class,
            condition: rule.condition,
            gain: estimate(sums.into_iter(), CONFIDENCE),
        });
    }
    Ok(())
}
