//! Proof by play: the reviewed bot with the other bot's choices in selected decisions.

use super::estimate::{CONFIDENCE, estimate, halves};
use super::report::{Proof, ReviewReport};
use hattari_agents::record::JobId;
use hattari_agents::table::Selects;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Review, ReviewBatch, ReviewError, ReviewPlan};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Plays a hybrid and adds its gain to the report. The hybrid is the reviewed bot with the other
/// bot's choices in the decisions that `selects` selects. `when` describes these decisions; `class`
/// is the index of their class, or `None` if they are not a class. Adds nothing if `stop` is set
/// before the end.
///
/// # Errors
/// Returns the same errors as [`ReviewPlan::run`].
pub fn prove(
    prepared: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    (class, when, selects): (Option<usize>, String, &Selects),
    stop: &AtomicBool,
) -> Result<(), ReviewError> {
    let is_reported = halves(review);
    let pairs = review.batches.iter().zip(is_reported);
    let reported: Vec<&ReviewBatch> = pairs
        .filter_map(|(block, is_reported)| is_reported.then_some(block))
        .collect();
    let jobs: Vec<JobId> = reported
        .iter()
        .flat_map(|block| &block.jobs)
        .copied()
        .collect();
    let gains = plan.measure_gains(prepared, &jobs, stop, selects)?;
    if gains.len() == jobs.len() {
        let gains: HashMap<JobId, i64> = jobs.into_iter().zip(gains).collect();
        let gain = |block: &ReviewBatch| {
            let gains = block.jobs.iter().map(|job| gains[job]);
            gains.sum::<i64>() as f64
        };
        report.proof = Some(Proof {
            class,
            when,
            hybrid: estimate(reported.into_iter(), gain, CONFIDENCE),
        });
    }
    Ok(())
}
