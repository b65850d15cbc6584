//! Plays the blocks of a review on several threads.

use super::block::BlockReview;
use super::collect::{Collector, Review};
use super::plan::{ReviewError, ReviewPlan};
use crate::prepared::PreparedLeague;
use hattari_agents::record::JobId;
use hattari_agents::table::Selects;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

impl ReviewPlan {
    /// Reviews the blocks on several threads, whose number does not affect the result. Calls
    /// `progress` after each block with the number of games so far. Setting `stop` ends the work
    /// early.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be opened or plays differently in a replay, or if the host
    /// cannot continue.
    ///
    /// # Panics
    /// Panics if the rules of the game panic.
    pub fn run(
        &self,
        cast: &PreparedLeague,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Review, ReviewError> {
        let units = self.units(cast)?;
        let jobs: Vec<JobId> = units.iter().map(|unit| unit.job).collect();
        let mut collector = Collector::new();
        self.each_block(
            cast,
            &jobs,
            stop,
            |block| block.review(),
            |number, played| {
                collector.add(units[number], played);
                progress(collector.games());
                !collector.is_precise(self.precision)
            },
        )?;
        Ok(collector.finish())
    }

    /// Plays the games of these blocks with the choices of `by` in the selected decisions of `of`,
    /// and with its own choices elsewhere. Returns the gain in each block against `of` alone, in
    /// points; fewer blocks if `stop` is set. All bots start again in every game.
    ///
    /// # Errors
    /// Returns the errors of [`ReviewPlan::run`].
    pub fn prove(
        &self,
        cast: &PreparedLeague,
        jobs: &[JobId],
        stop: &AtomicBool,
        selects: &Selects,
    ) -> Result<Vec<i64>, ReviewError> {
        let mut gains = Vec::new();
        let prove = |block: BlockReview<'_>| block.prove(selects);
        self.each_block(cast, jobs, stop, prove, |_, gain| {
            gains.push(gain);
            true
        })?;
        Ok(gains)
    }

    /// Works on the blocks on all threads. `take` receives the results in the order of the blocks,
    /// so that the end does not depend on the number of threads; it returns `false` to end.
    fn each_block<T: Send>(
        &self,
        cast: &PreparedLeague,
        jobs: &[JobId],
        stop: &AtomicBool,
        work: impl Fn(BlockReview<'_>) -> Result<T, ReviewError> + Sync,
        mut take: impl FnMut(usize, T) -> bool,
    ) -> Result<(), ReviewError> {
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel::<(usize, Result<T, ReviewError>)>(1);
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let (next, halt, work) = (&next, &halt, &work);
                scope.spawn(move || {
                    while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&job) = jobs.get(number) else {
                            break;
                        };
                        let done = BlockReview::new(cast, self, job).and_then(work);
                        if sender.send((number, done)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut taken) = (BTreeMap::new(), 0);
            let outcome = receiver.iter().try_for_each(|(number, done)| {
                waiting.insert(number, done);
                while let Some(done) = waiting.remove(&taken) {
                    if !take(taken, done.map_err(Some)?) {
                        return Err(None);
                    }
                    taken += 1;
                }
                Ok(())
            });
            // Threads that wait for room in the channel end when the receiver is gone.
            halt.store(true, Ordering::Relaxed);
            drop(receiver);
            match outcome {
                Err(Some(error)) => Err(error),
                Ok(()) | Err(None) => Ok(()),
            }
        })
    }
}
