//! Processing of a list by several threads.

use anyhow::ensure;
use hattari_play::play_blocks::each_job;
use hattari_study::Interrupted;
use std::sync::atomic::AtomicBool;

/// Calls `work` with every item, on up to `threads` threads. Returns the results in the order of
/// the items.
///
/// # Errors
/// Returns an error if a call fails or `stop` is set. The remaining items are then skipped.
pub(super) fn map<T: Sync, R: Send>(
    stop: &AtomicBool,
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let mut results = Vec::new();
    let threads = threads.min(items.len());
    each_job(items, threads, stop, work, |number, result| {
        results.push((number, result));
        Ok(true)
    })?;
    ensure!(results.len() == items.len(), Interrupted);
    results.sort_by_key(|(number, _)| *number);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn after_an_interruption_there_is_a_result_only_if_no_item_remains() {
        for (items, is_complete) in [(&[0, 1, 2][..], true), (&[0, 1, 2, 3, 4][..], false)] {
            let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = |&item: &usize| {
                done.fetch_add(1, Ordering::Relaxed);
                stop.store(item == 2, Ordering::Relaxed);
                Ok(item)
            };
            let results = map(&stop, items, 1, work);
            assert_eq!(done.load(Ordering::Relaxed), 3);
            match is_complete {
                true => assert_eq!(results.unwrap(), items),
                false => assert!(results.unwrap_err().is::<Interrupted>()),
            }
        }
    }
}
