//! Plays blocks of a league on all cores for somebody who looks on, and keeps no records.
//!
//! What an onlooker takes from a block depends on the block alone; in which order blocks are done does not.

use crate::agent::Agent;
use crate::catalogue::{Catalogue, SearchPath, Terms};
use crate::games::Facts;
use crate::league::League;
use crate::record::JobId;
use crate::runner::Seat;
use crate::schedule::Schedule;
use crate::seeds::Seeds;
use crate::store::Store;
use crate::table::{Table, Unfinished, Watch};
use anyhow::{Context, anyhow};
use hattari_plugin::games::Game;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

/// A league whose bots have been found.
pub struct Cast {
    /// The league.
    pub league: League,
    /// Its jobs.
    pub schedule: Schedule,
    /// Its bots, by entrant.
    pub seats: Vec<Seat>,
}

impl Cast {
    /// Finds a league's bots; their paths start from `base`.
    ///
    /// # Errors
    /// A bot is not found or does not start.
    pub fn find(league: League, base: &Path, catalogue: &Catalogue) -> anyhow::Result<Cast> {
        let facts = Facts::find(&league.game).context("the league's game is not in this host")?;
        let mut seats = Vec::new();
        for entrant in &league.entrants {
            let problem = |message: String| anyhow!("entrant `{}`: {message}", entrant.name);
            let found = catalogue.find(facts.id, &entrant.bot, base).map_err(|error| problem(error.to_string()))?;
            let bot = found.seat_on(&Terms::of(&league, entrant)).map_err(|misstep| problem(misstep.message))?;
            seats.push(Seat { bot, config_json: entrant.config.to_string() });
        }
        Ok(Cast { schedule: Schedule::of(&league), league, seats })
    }

    /// The league that a store holds, as it was played; paths of bots start from the league's file, and `folders` hold bots
    /// besides the usual places.
    ///
    /// # Errors
    /// As [`Cast::find`], or a folder that is not there.
    pub fn of_store(store: &Store, folders: &[PathBuf]) -> anyhow::Result<Cast> {
        let base = store.source().file.parent().unwrap_or(Path::new(""));
        let catalogue = Catalogue::discover(&SearchPath::new(Some(base), folders)?);
        Cast::find(store.league().clone(), base, &catalogue)
    }

    /// The game with the league's options.
    ///
    /// # Errors
    /// The options are not the game's.
    pub fn game<G: Game>(&self) -> anyhow::Result<G> {
        let options = serde_json::from_value(self.league.options.clone()).context("the league's options")?;
        G::new(options).map_err(|error| anyhow!("the league's options: {error}"))
    }

    /// Every job in the order of play.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        (0..self.schedule.jobs()).map(|index| self.schedule.job(index))
    }
}

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
            let mut agents = open(cast, job)?;
            let mut watch = onlooker(job);
            let (plan, seeds) = (cast.league.block_plan(), Seeds::league(cast.league.seed));
            let played = table.play_block(job, plan, &seeds, &mut agents, &mut watch);
            played.map_err(|unfinished| describe(cast, job, &unfinished))?;
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

/// Agents for the line-up of a job, in its order.
///
/// # Errors
/// A bot cannot be opened.
pub fn open(cast: &Cast, job: JobId) -> anyhow::Result<Vec<Box<dyn Agent>>> {
    let line_up = &cast.schedule.line_ups[job.line_up as usize].entrants;
    let agents = line_up.iter().map(|&entrant| {
        let Seat { bot, config_json } = &cast.seats[entrant];
        bot.open(config_json)
            .map_err(|misstep| anyhow!("entrant `{}`: {}", cast.league.entrants[entrant].name, misstep.message))
    });
    agents.collect()
}

fn describe(cast: &Cast, job: JobId, unfinished: &Unfinished) -> anyhow::Error {
    let fault = unfinished.fault();
    let entrant = cast.schedule.line_ups[job.line_up as usize].entrants[usize::from(fault.entrant)];
    let name = &cast.league.entrants[entrant].name;
    anyhow!(
        "stopped by a fault, as the league asks: {name} in line-up {}, block {}, deal {}: {}",
        job.line_up,
        job.block,
        fault.deal,
        fault.message
    )
}
