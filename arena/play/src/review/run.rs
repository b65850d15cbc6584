//! Plays the blocks of a review on several threads, except those that are stored.

use super::block::BlockReview;
use super::collect::{Collector, Review};
use super::plan::{ReviewError, ReviewPlan, ReviewResult};
use super::summary::BlockSummary;
use crate::play_blocks::each_job;
use crate::prepared::PreparedLeague;
use crate::store::ReviewStore;
use hattari_agents::record::JobId;
use hattari_agents::table::DecisionSelector;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::AtomicBool;

/// The stored blocks of a review.
struct StoredBlocks<'a> {
    prepared: &'a PreparedLeague,
    plan: &'a ReviewPlan,
    store: Option<&'a mut ReviewStore>,
}

impl StoredBlocks<'_> {
    /// Returns the stored bytes of a block as `decode` reads them; `None` if it was not reviewed.
    fn get<T>(
        &mut self,
        job: JobId,
        decode: impl FnOnce(Vec<u8>) -> Option<T>,
    ) -> ReviewResult<Option<T>> {
        Ok(match &mut self.store {
            Some(store) => store.get(job, self.prepared.line_up(job), decode)?,
            None => None,
        })
    }

    /// Returns the entrants of a line-up, followed by the bot with which the reviewed bot is
    /// compared.
    fn entrants(&self, job: JobId) -> Vec<usize> {
        [self.prepared.line_up(job), &[self.plan.other]].concat()
    }

    /// Stores the result of a block, or checks that the stored result is the same.
    fn put(&mut self, job: JobId, summary: &BlockSummary) -> ReviewResult {
        if self.store.is_none() {
            return Ok(());
        }
        let result = summary.encode(job, &self.entrants(job));
        let stored = self.get(job, Some)?;
        match (&mut self.store, stored) {
            (Some(store), None) => Ok(store.put(job, self.prepared.line_up(job), &result)?),
            (_, Some(stored)) if stored != result => Err(ReviewError::Differs {
                job,
                suspects: self.plan.suspects(self.prepared, job),
            }),
            _ => Ok(()),
        }
    }
}

impl ReviewPlan {
    /// Reviews the blocks of the part on several threads. The number of threads does not affect the
    /// result. Blocks in `store` are not played again, and all others are added to it. Calls
    /// `progress` after each block with the number of games so far. Setting `stop` ends the work
    /// early.
    ///
    /// # Errors
    /// Returns an error if a bot cannot be opened or plays differently in a replay, or if the host
    /// cannot continue. Returns an error if the store cannot be read or written, or has another
    /// result of a block that is played again.
    ///
    /// # Panics
    /// Panics if the rules of the game panic.
    pub fn run(
        &self,
        prepared: &PreparedLeague,
        store: Option<&mut ReviewStore>,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> ReviewResult<Review> {
        let blocks = self.blocks(prepared)?;
        let jobs: Vec<JobId> = blocks.iter().map(|block| block.job).collect();
        let mut stored = StoredBlocks {
            prepared,
            plan: self,
            store,
        };
        let mut missing = HashSet::new();
        for &job in &jobs {
            if self.checks_all || stored.get(job, Some)?.is_none() {
                missing.insert(job);
            }
        }
        let game = prepared.game()?;
        let work = |job: JobId| {
            if missing.contains(&job) {
                BlockReview::new(prepared, &*game, self, job)?
                    .review()
                    .map(Some)
            } else {
                Ok(None)
            }
        };
        let mut collector = Collector::new();
        self.each_block(&jobs, stop, work, |number, played| {
            let job = jobs[number];
            let is_played = played.is_some();
            let summary = if let Some(summary) = played {
                stored.put(job, &summary)?;
                summary
            } else {
                let entrants = stored.entrants(job);
                let Some(summary) = stored.get(job, |bytes: Vec<u8>| {
                    BlockSummary::decode(&bytes, job, &entrants)
                })?
                else {
                    return Ok(false);
                };
                summary
            };
            collector.add(blocks[number], summary, is_played);
            progress(collector.games());
            Ok(!collector.is_precise(self.precision))
        })?;
        if let Some(store) = stored.store {
            store.commit()?;
        }
        Ok(collector.finish())
    }

    /// Plays the games of these blocks with the other bot's choices in the selected decisions of
    /// the reviewed bot, and with the reviewed bot's choices elsewhere. Returns the gain in each
    /// block compared with only the reviewed bot's choices, in points. The list is shorter if
    /// `stop` is set. All bots start again in every game.
    ///
    /// # Errors
    /// Returns the errors of [`ReviewPlan::run`].
    pub fn measure_gains(
        &self,
        prepared: &PreparedLeague,
        jobs: &[JobId],
        stop: &AtomicBool,
        selects: &DecisionSelector,
    ) -> ReviewResult<Vec<i64>> {
        let mut gains = Vec::new();
        let game = prepared.game()?;
        let measure = |job| BlockReview::new(prepared, &*game, self, job)?.measure_gain(selects);
        self.each_block(jobs, stop, measure, |_, gain| {
            gains.push(gain);
            Ok(true)
        })?;
        Ok(gains)
    }

    /// Calls `work` for each block, on several threads. `take` receives the results in the order of
    /// the blocks, and returns `false` to end. The end therefore does not depend on the number of
    /// threads.
    fn each_block<T: Send>(
        &self,
        jobs: &[JobId],
        stop: &AtomicBool,
        work: impl Fn(JobId) -> ReviewResult<T> + Sync,
        mut take: impl FnMut(usize, T) -> ReviewResult<bool>,
    ) -> ReviewResult {
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        // An error counts only if all earlier blocks have ended without an error.
        let work = |&job: &JobId| Ok(work(job));
        each_job(jobs, self.threads, stop, work, |number, done| {
            waiting.insert(number, done);
            while let Some(done) = waiting.remove(&taken) {
                if !take(taken, done?)? {
                    return Ok(false);
                }
                taken += 1;
            }
            Ok(true)
        })
    }
}
