//! Plays blocks of a league on several threads for observers, without keeping records.
//!
//! The data that an observer collects from a block depends on the block only. The order in which
//! blocks end may vary.

use crate::prepared::{PrepareError, PreparedLeague};
use hattari_agents::agent::Agent;
use hattari_agents::record::{JobId, Record, Timing};
use hattari_agents::seeds::Chance;
use hattari_agents::table::{AnyGame, BlockObserver, BlockPlan, Table, TypedObserver, Unfinished};
use hattari_plugin::games::Game;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// A block to play, with its agents.
pub struct SeatedBlock<'a> {
    /// The job of the block.
    pub job: JobId,
    /// The settings for playing the block.
    pub plan: BlockPlan,
    /// The random numbers of the line-up.
    pub chance: &'a Chance,
    /// The agents by place in the line-up.
    pub agents: &'a mut [Box<dyn Agent>],
}

impl SeatedBlock<'_> {
    /// Plays the block by the rules of `game`, observed by `watch`.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    pub fn play<G: Game>(
        self,
        game: &G,
        watch: &mut impl TypedObserver<G>,
    ) -> Result<(Record, Timing), Unfinished> {
        Table::new(game).play_block(self.job, self.plan, self.chance, self.agents, watch)
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
/// After each block, calls `done` with the observer, on the calling thread and in any order. The
/// work ends early if `done` returns an error, or after the running blocks if `stop` is set.
///
/// # Errors
/// Returns an error if a bot cannot be opened or if a fault stops the league. Also returns the
/// first error of `done`.
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
    mut done: impl FnMut(JobId, W) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(threads);
    let work = |sender: SyncSender<(JobId, W)>| -> Result<(), PrepareError> {
        while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let mut agents = prepared.open(job)?;
            let mut watch = observer_for(job);
            let (plan, chance) = (prepared.league.block_plan(), prepared.chance(job));
            let played = play(
                SeatedBlock {
                    job,
                    plan,
                    chance: &chance,
                    agents: &mut agents,
                },
                &mut watch,
            );
            played.map_err(|unfinished| prepared.explain(job, &unfinished))?;
            if sender.send((job, watch)).is_err() {
                break;
            }
        }
        Ok(())
    };
    let halting = |sender| work(sender).inspect_err(|_| halt.store(true, Ordering::Relaxed));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| (&halting, sender.clone()))
            .map(|(halting, sender)| scope.spawn(move || halting(sender)))
            .collect();
        drop(sender);
        let mut outcome = Ok(());
        // The loop ends when all workers have ended.
        for (job, watch) in receiver {
            outcome = outcome.and_then(|()| done(job, watch));
            if outcome.is_err() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        for worker in workers {
            let ended = worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome = outcome.and(ended.map_err(E::from));
        }
        outcome
    })
}
