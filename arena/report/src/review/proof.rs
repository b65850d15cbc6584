//! Proof by play: the reviewed bot with the other bot's choices in one class of decisions.

use super::estimate::{CONFIDENCE, estimate, halves};
use super::report::{Proof, ReviewReport};
use super::tree;
use hattari_agents::record::JobId;
use hattari_play::prepared::PreparedLeague;
use hattari_play::review::{Review, ReviewError, ReviewPlan, ReviewedBlock};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Plays the hybrid of a class and adds the result to the report. Adds nothing if `stop` is set
/// before the end.
///
/// # Errors
/// Returns the errors of [`ReviewPlan::run`].
///
/// # Panics
/// Panics if the class does not exist.
pub fn prove(
    cast: &PreparedLeague,
    plan: &ReviewPlan,
    review: &Review,
    report: &mut ReviewReport,
    (class, stop): (usize, &AtomicBool),
) -> Result<(), ReviewError> {
    let is_reported = halves(review);
    let nodes = tree::grow(review, &is_reported);
    let pairs = review.blocks.iter().zip(is_reported);
    let reported: Vec<&ReviewedBlock> = pairs
        .filter_map(|(block, is_reported)| is_reported.then_some(block))
        .collect();
    let jobs: Vec<JobId> = reported
        .iter()
        .flat_map(|block| &block.jobs)
        .copied()
        .collect();
    let gains = plan.prove(cast, &jobs, stop, &tree::selects(&nodes, class))?;
    if gains.len() == jobs.len() {
        let gains: HashMap<JobId, i64> = jobs.into_iter().zip(gains).collect();
        let gain = |block: &ReviewedBlock| {
            let gains = block.jobs.iter().map(|job| gains[job]);
            gains.sum::<i64>() as f64
        };
        report.proof = Some(Proof {
            class,
            hybrid: estimate(reported.into_iter(), gain, CONFIDENCE),
        });
    }
    Ok(())
}
