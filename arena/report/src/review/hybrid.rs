//! The gain of a hybrid: the reviewed bot with the other bot's choices in selected decisions.

use super::estimate::{CONFIDENCE, estimate, reported_half};
use super::report::{HybridGain, ReviewReport};
use hattari_agents::record::JobId;
use hattari_agents::table::DecisionSelector;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Review, ReviewBatch, ReviewError, ReviewPlan};
use std::collections::HashMap;
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
) -> Result<(), ReviewError> {
    let is_reported = reported_half(review);
    let pairs = review.batches.iter().zip(is_reported);
    let reported: Vec<&ReviewBatch> = pairs
        .filter_map(|(batch, is_reported)| is_reported.then_some(batch))
        .collect();
    let jobs: Vec<JobId> = reported
        .iter()
        .flat_map(|batch| &batch.jobs)
        .copied()
        .collect();
    let gains = plan.measure_gains(prepared, &jobs, stop, &rule.selects)?;
    if gains.len() == jobs.len() {
        let gains: HashMap<JobId, i64> = jobs.into_iter().zip(gains).collect();
        let gain = |batch: &ReviewBatch| {
            let gains = batch.jobs.iter().map(|job| gains[job]);
            gains.sum::<i64>() as f64
        };
        report.hybrid = Some(HybridGain {
            class: rule.class,
            condition: rule.condition,
            gain: estimate(reported.into_iter(), gain, CONFIDENCE),
        });
    }
    Ok(())
}
