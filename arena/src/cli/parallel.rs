//! Processing of a list by several threads.

use super::signals;
use anyhow::ensure;
use hattari_study::Interrupted;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Calls `work` with every item, on up to `threads` threads. Returns the results in the order of
/// the items.
///
/// # Errors
/// Returns an error if a call fails or if the user interrupts the program. The remaining items are
/// then skipped.
pub(super) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let stop = signals::stop_flag()?;
    map_until(&stop, items, threads, work)
}

/// Does the work of [`map`] until `stop` is set.
fn map_until<T: Sync, R: Send>(
    stop: &AtomicBool,
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let take = || -> anyhow::Result<Vec<(usize, R)>> {
        let mut results = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else {
                return Ok(results);
            };
            ensure!(!stop.load(Ordering::Relaxed), Interrupted);
            let result = work(item).inspect_err(|_| next.store(items.len(), Ordering::Relaxed));
            results.push((number, result?));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(items.len()))
            .map(|_| scope.spawn(take))
            .collect();
        let mut results = Vec::new();
        for worker in workers {
            results.extend(worker.join().expect("a worker does not panic")?);
        }
        results.sort_by_key(|(number, _)| *number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_an_interruption_there_is_a_result_only_if_no_item_remains() {
        for (items, is_complete) in [(&[0, 1, 2][..], true), (&[0, 1, 2, 3, 4][..], false)] {
            let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
            let work = |&item: &usize| {
                done.fetch_add(1, Ordering::Relaxed);
                stop.store(item == 2, Ordering::Relaxed);
                Ok(item)
            };
            let results = map_until(&stop, items, 1, work);
            assert_eq!(done.load(Ordering::Relaxed), 3);
            match is_complete {
                true => assert_eq!(results.unwrap(), items),
                false => assert!(results.unwrap_err().is::<Interrupted>()),
            }
        }
    }
}
