//! The main class of a review: the class of decisions that accounts for the difference.
//!
//! The *rest* of a class is the value of all decisions outside it. A class with the whole cause
//! leaves no rest. If the class is narrower than the cause, or if it omits decisions with the
//! opposite value, the rest is large. The main class is chosen by the one-standard-error rule, which
//! also prunes classification trees: of all classes whose rest is at most one standard error larger
//! than the smallest rest, the class with the most forks. Classes with most of the decisions say
//! little and are left out.
//!
//! Only the training half of the blocks is used, so the values in the reported half are unbiased.

use super::tree::{ForkClass, standard_error};
use hattari_play::review::TRAINING;
use std::cmp::Reverse;

/// Returns the index of the main class. `batches` is the number of batches of the training half.
/// Returns `None` if no class has a rest that is smaller than the whole difference.
pub(super) fn main_class(classes: &[ForkClass<'_>], batches: usize) -> Option<usize> {
    let values: Vec<_> = classes.iter().map(ForkClass::training_values).collect();
    let totals: Vec<f64> = values
        .iter()
        .map(|by_batch| by_batch.values().sum())
        .collect();
    let difference = *totals.first()?;
    let rest = |class: usize| (difference - totals[class]).abs();
    let candidates: Vec<usize> = (1..classes.len())
        .filter(|class| classes[*class].is_small(&classes[0]))
        .collect();
    let best = *candidates
        .iter()
        .min_by(|a, b| rest(**a).total_cmp(&rest(**b)))?;
    if difference.abs() <= rest(best) {
        return None;
    }
    let is_close = |class: &usize| {
        let value = |class: usize, batch| values[class].get(batch).copied().unwrap_or(0.0);
        let differences = values[0]
            .keys()
            .map(|batch| value(best, batch) - value(*class, batch));
        let error = standard_error(differences, batches);
        *class == best || rest(*class) <= rest(best) + error
    };
    candidates.into_iter().filter(is_close).max_by_key(|class| {
        let class = &classes[*class];
        (class.fork_count(TRAINING), Reverse(class.size()))
    })
}
