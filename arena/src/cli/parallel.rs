//! Processing of a list by several threads.

use super::signals;
use anyhow::ensure;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` with every item, on up to `threads` threads.
///
/// # Errors
/// Returns an error if a call fails or if the user interrupts the program. The remaining items are
/// then skipped.
pub(super) fn for_each<T: Sync>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> anyhow::Result<()> + Sync,
) -> anyhow::Result<()> {
    let stop = signals::stop_flag()?;
    let next = AtomicUsize::new(0);
    let take = || -> anyhow::Result<()> {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            ensure!(!stop.load(Ordering::Relaxed), "interrupted");
            if let Err(error) = work(item) {
                next.store(items.len(), Ordering::Relaxed);
                return Err(error);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(items.len()))
            .map(|_| scope.spawn(take))
            .collect();
        let mut outcomes = workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker does not panic"));
        outcomes.try_for_each(|outcome| outcome)
    })
}
