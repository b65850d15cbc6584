//! Plays blocks of a league on all cores for somebody who looks on, and keeps no records.
//!
//! What an onlooker takes from a block depends on the block alone; in which order blocks are done does not.

use crate::cast::Cast;
use crate::record::JobId;
use crate::seeds::Seeds;
use crate::table::{Table, Watch};
use hattari_plugin::games::Game;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Plays `jobs` on `threads` threads. Each block gets an onlooker of its own, which `done` gets when the block is over, on
/// the calling thread and in any order; what `done` returns says whether to go on. Setting `stop` ends the work after the
/// blocks that are being played.
///
/// # Errors
/// A bot that cannot be opened, a fault where the league says that a fault stops it, or what `done` says.
///
/// # Panics
/// If an onlooker or the rules do.
pub fn gather<G: Game, W: Watch<G> + Send>(
    game: &G,
    cast: &Cast,
    jobs: &[JobId],
    threads: usize,
    stop: &AtomicBool,
    onlooker: impl Fn(JobId) -> W + Sync,
    mut done: impl FnMut(JobId, W) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let halt = AtomicBool::new(false);
    let (sender, receiver) = sync_channel(threads);
    let work = || -> anyhow::Result<()> {
        let mut table = Table::new(game);
        while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
            let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let mut agents = cast.open(job)?;
            let mut watch = onlooker(job);
            let (plan, seeds) = (cast.league.block_plan(), Seeds::league(cast.league.seed));
            let played = table.play_block(job, plan, &seeds, &mut agents, &mut watch);
            played.map_err(|unfinished| cast.explain(job, &unfinished))?;
            if sender.send((job, watch)).is_err() {
                break;
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let halting = || {
            let outcome = work();
            if outcome.is_err() {
                halt.store(true, Ordering::Relaxed);
            }
            outcome
        };
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(halting)).collect();
        let mut outcome = Ok(());
        loop {
            match receiver.recv_timeout(TICK) {
                Ok((job, watch)) if outcome.is_ok() => outcome = done(job, watch),
                Ok(_) => {}
                Err(_) if workers.iter().all(thread::ScopedJoinHandle::is_finished) => break,
                Err(_) => {}
            }
            if outcome.is_err() {
                halt.store(true, Ordering::Relaxed);
            }
        }
        // What was sent between the last look and the workers' end.
        while let Ok((job, watch)) = receiver.try_recv() {
            outcome = outcome.and_then(|()| done(job, watch));
        }
        for worker in workers {
            let ended = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome = outcome.and(ended);
        }
        outcome
    })
}

/// How often it is looked whether the workers have ended.
const TICK: std::time::Duration = std::time::Duration::from_millis(50);
