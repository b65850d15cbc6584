//! The gain of a hybrid: the reviewed bot with the other bot's choices in selected decisions.

use super::estimate::{CONFIDENCE, Estimate, estimate};
use hattari_agents::record::JobId;
use hattari_agents::table::DecisionSelector;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{REPORTED, Review, ReviewPlan, ReviewResult};
use std::sync::atomic::AtomicBool;

/// Plays a hybrid, the reviewed bot with the other bot's choices in the decisions that `selects`
/// selects. Returns its gain, or `None` if `stop` is set before the end.
///
/// # Errors
/// Returns the same errors as [`ReviewPlan::run`].
pub fn measure_hybrid(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    selects: &DecisionSelector,
    stop: &AtomicBool,
) -> ReviewResult<Option<Estimate>> {
    let reported = &review.halves[REPORTED];
    let jobs: Vec<JobId> = reported
        .iter()
        .flat_map(|batch| &batch.jobs)
        .copied()
        .collect();
    let gains = plan.measure_gains(prepared, &jobs, stop, selects)?;
    if gains.len() < jobs.len() {
        return Ok(None);
    }
    let mut gains = gains.into_iter();
    let sums: Vec<(u64, f64)> = reported
        .iter()
        .map(|batch| {
            let gain: i64 = gains.by_ref().take(batch.jobs.len()).sum();
            (batch.games, gain as f64)
        })
        .collect();
    Ok(Some(estimate(sums.into_iter(), CONFIDENCE)))
}
