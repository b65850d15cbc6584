//! Plays blocks of a league on all cores for somebody who looks on, and keeps no records.
//!
//! What an onlooker takes from a block depends on the block alone; in which order blocks are done
//! does not.

use crate::cast::{Cast, CastError};
use hattari_agents::agent::Agent;
use hattari_agents::record::{JobId, Record, Timing};
use hattari_agents::seeds::Chance;
use hattari_agents::table::{AnyGame, BlockPlan, Onlooker, Table, Unfinished, Watch};
use hattari_plugin::games::Game;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

/// A block with its agents, to be played.
pub struct Seated<'a> {
    /// Which block.
    pub job: JobId,
    /// How it is played.
    pub plan: BlockPlan,
    /// The line-up's.
    pub chance: &'a Chance,
    /// By place in the line-up.
    pub agents: &'a mut [Box<dyn Agent>],
}

impl Seated<'_> {
    /// Plays it by the rules of `game` while `watch` looks on.
    ///
    /// # Errors
    /// As [`Table::play_block`].
    pub fn at<G: Game>(
        self,
        game: &G,
        watch: &mut impl Watch<G>,
    ) -> Result<(Record, Timing), Unfinished> {
        Table::new(game).play_block(self.job, self.plan, self.chance, self.agents, watch)
    }

    /// The same whatever the game.
    ///
    /// # Errors
    /// As [`Table::play_block`].
    pub fn at_any(
        self,
        game: &dyn AnyGame,
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Record, Timing), Unfinished> {
        game.table()
            .play_block(self.job, self.plan, self.chance, self.agents, onlooker)
    }
}

/// Plays `jobs` on `threads` threads, each block by `play`. Each block gets an onlooker of its own,
/// which `done` gets when the block is over, on the calling thread and in any order; what `done`
/// returns says whether to go on. Setting `stop` ends the work after the blocks that are being
/// played.
///
/// # Errors
/// A bot that cannot be opened, a fault where the league says that a fault stops it, or what `done`
/// says.
///
/// # Panics
/// If an onlooker or the rules do.
pub fn gather<W: Send, E: From<CastError> + Send>(
    play: impl Fn(Seated<'_>, &mut W) -> Result<(Record, Timing), Unfinished> + Sync,
    cast: &Cast,
    jobs: &[JobId],
    threads: usize,
    stop: &AtomicBool,
    onlooker: impl Fn(JobId) -> W + Sync,
    mut done: impl FnMut(JobId, W) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(threads);
    let work = |sender: SyncSender<(JobId, W)>| -> Result<(), CastError> {
        while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else {
                break;
            };
            let mut agents = cast.open(job)?;
            let mut watch = onlooker(job);
            let (plan, chance) = (cast.league.block_plan(), cast.chance(job));
            let played = play(
                Seated {
                    job,
                    plan,
                    chance: &chance,
                    agents: &mut agents,
                },
                &mut watch,
            );
            played.map_err(|unfinished| cast.explain(job, &unfinished))?;
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
        // Ends when all workers have.
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
