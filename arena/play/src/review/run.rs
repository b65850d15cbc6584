//! Plays the blocks of a review on several threads, except those that are stored.

use super::block::BlockReview;
use super::collect::{Collector, Review};
use super::plan::{BlockToReview, ReviewError, ReviewPlan, ReviewResult};
use super::summary::BlockSummary;
use crate::play_blocks::each_job;
use crate::prepared::PreparedLeague;
use crate::schedule::Part;
use crate::store::ReviewStore;
use hattari_agents::record::JobId;
use hattari_agents::table::DecisionSelector;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Numbers of blocks in a part of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewedPart {
    /// Number of blocks of the part.
    pub planned: usize,
    /// Number of blocks that were played now, because they were not stored.
    pub played: usize,
}

/// The stored blocks of a review.
struct StoredBlocks<'a> {
    prepared: &'a PreparedLeague,
    plan: &'a ReviewPlan,
    store: Option<&'a mut ReviewStore>,
}

impl StoredBlocks<'_> {
    /// Returns the stored bytes of a block; `None` if it was not reviewed.
    fn bytes(&mut self, job: JobId) -> ReviewResult<Option<Vec<u8>>> {
        Ok(match &mut self.store {
            Some(store) => store.get(job.line_up, self.prepared.line_up(job), job.block)?,
            None => None,
        })
    }

    /// Returns the entrants of a line-up, followed by the bot with which the reviewed bot is
    /// compared.
    fn entrants(&self, job: JobId) -> Vec<usize> {
        let line_up = self.prepared.line_up(job).iter().copied();
        line_up.chain([self.plan.other]).collect()
    }

    /// Returns the stored result of a block; `None` if it was not reviewed.
    fn get(&mut self, job: JobId) -> ReviewResult<Option<BlockSummary>> {
        let entrants = self.entrants(job);
        let bytes = self.bytes(job)?;
        let Some((bytes, store)) = bytes.zip(self.store.as_ref()) else {
            return Ok(None);
        };
        let invalid = || store.damaged(job.line_up, job.block, "invalid numbers");
        let summary = BlockSummary::decode(&bytes, job, &entrants);
        Ok(Some(summary.ok_or_else(invalid)?))
    }

    /// Stores the result of a block, or checks that the stored result is the same.
    fn put(&mut self, job: JobId, summary: &BlockSummary) -> ReviewResult<()> {
        let stored = self.bytes(job)?;
        let line_up = self.prepared.line_up(job);
        let entrants = self.entrants(job);
        let Some(store) = &mut self.store else {
            return Ok(());
        };
        let result = summary.encode(&entrants);
        match stored {
            None => Ok(store.put(job.line_up, line_up, job.block, result)?),
            Some(stored) if stored == result => Ok(()),
            Some(_) => Err(ReviewError::Differs {
                job,
                suspects: self.plan.suspects(self.prepared, job),
            }),
        }
    }

    /// Returns the indices of the blocks of a part that must be played: blocks that are not stored,
    /// or all blocks if everything is checked.
    fn missing(&mut self, blocks: &[BlockToReview], part: &Part) -> ReviewResult<Vec<usize>> {
        let mut missing = Vec::new();
        for (index, block) in blocks.iter().enumerate() {
            let is_missing = part.contains(index as u64)
                && (self.plan.checks_all || self.bytes(block.job)?.is_none());
            if is_missing {
                missing.push(index);
            }
        }
        Ok(missing)
    }

    /// Commits the results added so far.
    fn commit(&mut self) -> ReviewResult<()> {
        Ok(self.store.as_mut().map_or(Ok(()), |store| store.commit())?)
    }
}

/// A review in progress: stored and played blocks, collected in the order of play.
struct ReviewRun<'a, P> {
    stored: StoredBlocks<'a>,
    blocks: &'a [BlockToReview],
    /// Indices of the blocks that must be played.
    missing: &'a [usize],
    collector: Collector,
    /// Index of the next block to collect.
    next: usize,
    progress: P,
}

impl<P: FnMut(u64)> ReviewRun<'_, P> {
    /// Collects the next block. Returns `false` if the review is precise enough.
    fn add(&mut self, summary: BlockSummary) -> bool {
        self.collector.add(self.blocks[self.next], summary);
        self.next += 1;
        (self.progress)(self.collector.games());
        !self.collector.is_precise(self.stored.plan.precision)
    }

    /// Collects the stored blocks up to the next one that must be played. Returns `false` if the
    /// review is over.
    fn add_stored(&mut self) -> ReviewResult<bool> {
        while self.next < self.blocks.len() && self.missing.binary_search(&self.next).is_err() {
            let stored = self.stored.get(self.blocks[self.next].job)?;
            if !stored.is_some_and(|summary| self.add(summary)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl ReviewPlan {
    /// Reviews the blocks on several threads. The number of threads does not affect the result.
    /// Blocks in `store` are not played again, and all others are added to it. Calls `progress`
    /// after each block with the number of games so far. Setting `stop` ends the work early.
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
        progress: impl FnMut(u64),
    ) -> ReviewResult<Review> {
        let blocks = self.blocks(prepared)?;
        let mut stored = StoredBlocks {
            prepared,
            plan: self,
            store,
        };
        let missing = stored.missing(&blocks, &Part::WHOLE)?;
        let jobs: Vec<JobId> = missing.iter().map(|&index| blocks[index].job).collect();
        let mut run = ReviewRun {
            stored,
            blocks: &blocks,
            missing: &missing,
            collector: Collector::new(),
            next: 0,
            progress,
        };
        if run.add_stored()? {
            self.each_block(
                prepared,
                &jobs,
                stop,
                |block| block.review(),
                |number, summary| {
                    run.stored.put(jobs[number], &summary)?;
                    Ok(run.add(summary) && run.add_stored()?)
                },
            )?;
        }
        run.stored.commit()?;
        Ok(run.collector.finish())
    }

    /// Plays the blocks of a part that are not stored, and adds them to `store`. The part consists
    /// of indices of [`ReviewPlan::blocks`]. Calls `progress` after each block with the number of
    /// games so far.
    ///
    /// # Errors
    /// Returns the errors of [`ReviewPlan::run`].
    pub fn play_part(
        &self,
        prepared: &PreparedLeague,
        store: &mut ReviewStore,
        part: &Part,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> ReviewResult<ReviewedPart> {
        let blocks = self.blocks(prepared)?;
        let mut stored = StoredBlocks {
            prepared,
            plan: self,
            store: Some(store),
        };
        let jobs = stored.missing(&blocks, part)?.into_iter();
        let jobs: Vec<JobId> = jobs.map(|index| blocks[index].job).collect();
        let mut played = 0;
        let mut games = 0;
        self.each_block(
            prepared,
            &jobs,
            stop,
            |block| block.review(),
            |number, summary| {
                stored.put(jobs[number], &summary)?;
                played += 1;
                games += summary.games;
                progress(games);
                Ok(true)
            },
        )?;
        stored.commit()?;
        let planned = (0..blocks.len()).filter(|&index| part.contains(index as u64));
        Ok(ReviewedPart {
            planned: planned.count(),
            played,
        })
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
        let measure = |block: BlockReview<'_>| block.measure_gain(selects);
        self.each_block(prepared, jobs, stop, measure, |_, gain| {
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
        prepared: &PreparedLeague,
        jobs: &[JobId],
        stop: &AtomicBool,
        work: impl Fn(BlockReview<'_>) -> ReviewResult<T> + Sync,
        mut take: impl FnMut(usize, T) -> ReviewResult<bool>,
    ) -> ReviewResult<()> {
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        let work = |job| Ok(BlockReview::new(prepared, self, job).and_then(&work));
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
