//! Plays blocks of a league on several threads for observers, without keeping records.
//!
//! The data that an observer collects from a block depends on the block only. The order in which
//! blocks end may vary.

use crate::prepared::{PrepareError, PreparedLeague};
use hattari_agents::agent::Agent;
use hattari_agents::record::{JobId, Record, Timing};
use hattari_agents::seeds::LineUpSeeds;
use hattari_agents::table::{AnyGame, BlockObserver, BlockPlan, Table, TypedObserver, Unfinished};
use hattari_plugin::games::Game;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// A block to play, with its agents.
pub struct SeatedBlock<'a> {
    /// The job of the block.
    pub job: JobId,
    /// The settings for playing the block.
    pub plan: BlockPlan,
    /// The random numbers of the line-up.
    pub chance: &'a LineUpSeeds,
    /// The agents by place in the line-up.
    pub agents: &'a mut [Box<dyn Agent>],
}

impl SeatedBlock<'_> {
    /// Plays the block by the rules of `game`, observed by `observer`.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    pub fn play<G: Game>(
        self,
        game: &G,
        observer: &mut impl TypedObserver<G>,
    ) -> Result<(Record, Timing), Unfinished> {
        Table::new(game).play_block(self.job, self.plan, self.chance, self.agents, observer)
    }

    /// Plays the block by the rules of any game.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    pub fn play_any(
        self,
        game: &dyn AnyGame,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Record, Timing), Unfinished> {
        game.table()
            .play_block(self.job, self.plan, self.chance, self.agents, observer)
    }
}

/// Plays `jobs` on `threads` threads, each block with `play` and an observer from `observer_for`.
/// After each block, calls `take` with the observer, on the calling thread and in any order. The
/// work ends early if `take` returns an error, or after the running blocks if `stop` is set.
///
/// # Errors
/// Returns an error if a bot cannot be opened or if a fault stops the league. Also returns the
/// first error of `take`.
///
/// # Panics
/// Panics if an observer or the rules panic.
pub fn play_blocks<W: Send, E: From<PrepareError> + Send>(
    play: impl Fn(SeatedBlock<'_>, &mut W) -> Result<(Record, Timing), Unfinished> + Sync,
    prepared: &PreparedLeague,
    jobs: &[JobId],
    threads: usize,
    stop: &AtomicBool,
    observer_for: impl Fn(JobId) -> W + Sync,
    mut take: impl FnMut(JobId, W) -> Result<(), E>,
) -> Result<(), E> {
    let work = |&job: &JobId| {
        let mut agents = prepared.open(job)?;
        let mut observer = observer_for(job);
        let seated = SeatedBlock {
            job,
            plan: prepared.league.block_plan(),
            chance: &prepared.chance(job),
            agents: &mut agents,
        };
        play(seated, &mut observer).map_err(|unfinished| prepared.explain(job, &unfinished))?;
        Ok(observer)
    };
    each_job(jobs, threads, stop, work, |number, observer| {
        take(jobs[number], observer).map(|()| true)
    })
}

/// Does `work` for all `jobs` on `threads` threads. Calls `take` with the index of each job and its
/// result, on the calling thread and in any order. The work ends early after the first error, or if
/// `take` returns `false`; if `stop` is set, it ends after the running jobs.
///
/// # Errors
/// Returns the first error of `work` or `take`.
pub fn each_job<J: Sync, T: Send, E: Send>(
    jobs: &[J],
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(&J) -> Result<T, E> + Sync,
    mut take: impl FnMut(usize, T) -> Result<bool, E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(threads);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, halt, work) = (&next, &halt, &work);
            scope.spawn(move || {
                while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(number) else {
                        break;
                    };
                    if sender.send((number, work(job))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // The loop ends when all threads have ended.
        let outcome = receiver.iter().try_for_each(|(number, result)| {
            result
                .and_then(|value| take(number, value))
                .map_err(Some)?
                .then_some(())
                .ok_or(None)
        });
        halt.store(true, Ordering::Relaxed);
        drop(receiver);
        match outcome {
            Err(Some(error)) => Err(error),
            Ok(()) | Err(None) => Ok(()),
        }
    })
}
