//! Reviews: which decisions make the difference between two bots in the same seats.
//!
//! A review takes blocks in which the bot `of` sits, and plays each of their deals anew. Let G₀ be
//! the game in which the bot `by` plays the seats of `of`, Gₖ the game in which `of` makes the first
//! k unforced decisions and `by` the rest, and Gₙ the game of `of` alone. The differences
//! score(Gₖ₋₁) − score(Gₖ) add up to score(`by`) − score(`of`) exactly, deal by deal. Where both bots
//! choose the same, the difference is zero and nothing is played: only *forks* cost a game. The
//! other order (`by` first, `of` finishes) adds up to the same and may credit decisions differently.

mod block;
mod collect;

pub use collect::{Fork, Identity, Review, ReviewFault, ReviewedBlock, mean_of};

use crate::cast::{Cast, CastError};
use crate::league::Sharing;
use block::{PlayedBlock, Setting};
use collect::Collector;
use hattari_agents::record::JobId;
use hattari_agents::text::quoted;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

pub use block::{Continuations, continuations};

/// What to review.
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    /// Number of the entrant whose decisions are judged.
    pub of: usize,
    /// Number of the entrant that plays the same seats instead.
    pub by: usize,
    /// Games to review; the block in which they are reached is finished, and two blocks are the
    /// least.
    pub games: u64,
    /// The half width of the interval of the difference, in points a game, at which to stop.
    pub precision: Option<f64>,
    /// Threads.
    pub threads: usize,
    /// Whether every fork is checked by another game; otherwise those of the first deal of a block.
    pub checks_all: bool,
}

/// A block to be reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReviewUnit {
    /// The block of the bot that is reviewed.
    pub job: JobId,
    /// Blocks with equal numbers were dealt the same cards.
    pub cluster: usize,
}

/// Why two bots cannot be compared by a review.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// There is no entrant of that name.
    #[error("there is no entrant `{name}`; the league has {entrants}")]
    Unknown {
        /// The name.
        name: String,
        /// The names of the league's entrants.
        entrants: String,
    },
    /// Both are the same entrant.
    #[error("`{0}` cannot be compared with itself: --of and --by must name two entrants")]
    Same(String),
    /// The bot sits at no table.
    #[error("`{0}` sits at no table of the league's schedule")]
    NoTable(String),
    /// A program that connects takes part.
    #[error(
        "`{0}` is a program that connects: it cannot be started anew for every game, so its games cannot be reviewed"
    )]
    Client(String),
    /// A bot declares that it plays differently another time.
    #[error(
        "`{0}` is declared nondeterministic: a review asks every bot the same question several times and needs the same answer"
    )]
    Declared(String),
    /// A bot played differently another time.
    #[error(
        "line-up {}, block {}, game {game}: the same game came out differently the second time. A review needs bots that \
         answer the same question alike when they start with the same seed; look for clocks, threads or random devices in \
         {suspects}",
        job.line_up, job.block
    )]
    Unrepeatable {
        /// The block.
        job: JobId,
        /// The game in it.
        game: usize,
        /// The bots at the table.
        suspects: String,
    },
    /// A bot cannot be opened, or the host cannot go on with one.
    #[error(transparent)]
    Cast(#[from] CastError),
}

impl ReviewPlan {
    /// A review of the entrant called `of` by the one called `by`, on one thread.
    ///
    /// # Errors
    /// There are no such entrants, or they are the same.
    pub fn new(cast: &Cast, of: &str, by: &str) -> Result<ReviewPlan, ReviewError> {
        let find = |name: &str| {
            let names = cast.league.entrants.iter();
            cast.league
                .entrant(name)
                .ok_or_else(|| ReviewError::Unknown {
                    name: name.to_owned(),
                    entrants: quoted(names.map(|entrant| entrant.name.as_str())),
                })
        };
        if of == by {
            return Err(ReviewError::Same(of.to_owned()));
        }
        Ok(ReviewPlan {
            of: find(of)?,
            by: find(by)?,
            games: 10_000,
            precision: None,
            threads: 1,
            checks_all: false,
        })
    }

    /// Returns the blocks to review, in the order of play.
    ///
    /// # Errors
    /// There is none, or a bot takes part that cannot be asked again.
    pub fn units(&self, cast: &Cast) -> Result<Vec<ReviewUnit>, ReviewError> {
        let league = &cast.league;
        let rotations = |seats: usize| match cast.game() {
            Ok(game) if league.duplicate => game.counted_rotations(seats) as u64,
            _ => 1,
        };
        let (mut games, mut jobs) = (0, Vec::new());
        for job in cast.jobs() {
            let line_up = cast.line_up(job);
            if !line_up.contains(&self.of) {
                continue;
            }
            if self.games <= games && 2 <= jobs.len() {
                break;
            }
            for &entrant in line_up.iter().chain([&self.by]) {
                let name = || league.entrants[entrant].name.clone();
                if league.entrants[entrant].client.is_some() {
                    return Err(ReviewError::Client(name()));
                }
                if !cast.seats[entrant].is_repeatable {
                    return Err(ReviewError::Declared(name()));
                }
            }
            games += u64::from(league.deals) * rotations(line_up.len());
            jobs.push(job);
        }
        if jobs.is_empty() {
            return Err(ReviewError::NoTable(league.entrants[self.of].name.clone()));
        }
        let mut blocks = vec![Vec::new(); cast.schedule.line_ups.len()];
        for job in &jobs {
            blocks[job.line_up as usize].push(job.block);
        }
        let clusters = Sharing::of(league).clusters(&blocks);
        let cluster = |job: &JobId| {
            let line_up = job.line_up as usize;
            let at = blocks[line_up].iter().position(|&block| block == job.block);
            clusters[line_up][at.unwrap_or_default()]
        };
        Ok(jobs
            .iter()
            .map(|&job| ReviewUnit {
                job,
                cluster: cluster(&job),
            })
            .collect())
    }

    /// Reviews the blocks on all threads. The result does not depend on their number. `progress` is
    /// called after each block with the games so far; setting `stop` ends the work early.
    ///
    /// # Errors
    /// A bot cannot be opened, plays differently the second time, or ends the host's work.
    ///
    /// # Panics
    /// If the rules do.
    pub fn run(
        &self,
        cast: &Cast,
        stop: &AtomicBool,
        mut progress: impl FnMut(u64),
    ) -> Result<Review, ReviewError> {
        let units = self.units(cast)?;
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel::<(usize, Result<PlayedBlock, ReviewError>)>(1);
        let mut collector = Collector::new();
        let outcome = thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let (next, halt, units) = (&next, &halt, &units);
                scope.spawn(move || {
                    while !halt.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(&unit) = units.get(number) else {
                            break;
                        };
                        let played = Setting::new(cast, self, unit.job).and_then(Setting::review);
                        if sender.send((number, played)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut taken) = (BTreeMap::new(), 0);
            // Blocks are taken in their order, so that where to stop is the same on any number of
            // threads.
            for (number, played) in receiver {
                waiting.insert(number, played);
                while let Some(played) = waiting.remove(&taken) {
                    collector.add(units[taken], played?);
                    taken += 1;
                    progress(collector.games());
                    if collector.is_precise(self.precision) {
                        halt.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        halt.store(true, Ordering::Relaxed);
        outcome.map(|()| collector.finish())
    }
}

#[cfg(test)]
mod tests;
