//! The plan of a review: the two bots, the blocks, and the reasons why a review is impossible.

use crate::league::{DealSharing, Entrant, PlannedDeals};
use crate::prepared::{PrepareError, PreparedLeague};
use crate::schedule::Part;
use crate::store::StoreError;
use hattari_agents::record::JobId;
use hattari_agents::text::quoted;

/// Options of a review.
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    /// Index of the reviewed entrant.
    pub reviewed: usize,
    /// Index of the entrant that plays the same seats for comparison.
    pub other: usize,
    /// Minimum number of games to review, rounded up to whole blocks. At least two blocks are used.
    pub games: u64,
    /// Half width of the confidence interval of the difference, in points per deal, at which the
    /// review stops; `None` to review all blocks.
    pub precision: Option<f64>,
    /// The part of these blocks to review, by their indices in the order of play.
    pub part: Part,
    /// Number of threads.
    pub threads: usize,
    /// True to verify the forks of every deal by replays, false for the first deal of each block
    /// only.
    pub checks_all: bool,
}

/// A value for each of the two bots that a review compares, with the indices [`OTHER`] and
/// [`REVIEWED`].
pub type PerBot<T> = [T; 2];
/// Index of the bot with which the reviewed bot is compared.
pub const OTHER: usize = 0;
/// Index of the reviewed bot.
pub const REVIEWED: usize = 1;
/// The indices of both bots.
pub(super) const BOTH: PerBot<usize> = [OTHER, REVIEWED];

/// A block to review.
#[derive(Clone, Copy, Debug)]
pub struct BlockToReview {
    /// The job of the block.
    pub job: JobId,
    /// Cluster of the block; blocks of a cluster have the same cards.
    pub cluster: usize,
}

/// The result of a step of a review.
pub type ReviewResult<T = ()> = Result<T, ReviewError>;

/// The reason why two bots cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The league does not have two such entrants with games to review.
    #[error("{0}")]
    Entrants(String),
    /// A bot in a block to review cannot be replayed: it is a client, or declared nondeterministic.
    #[error("{0}")]
    NotReplayable(String),
    /// A bot played differently in a replay.
    #[error(
        "{job}, game {game}: the game was different when it was replayed. A review needs bots that \
        play the same with the same seed; look for clocks, threads or random devices in {suspects}"
    )]
    Unrepeatable {
        /// The block.
        job: JobId,
        /// Number of the game in the block.
        game: usize,
        /// The bots at the table.
        suspects: String,
    },
    /// The store has another result of a block that was played again.
    #[error(
        "{job}: the store holds another result of this review. A review needs bots that play the \
        same with the same seed; look for clocks, threads or random devices in {suspects}"
    )]
    Differs {
        /// The block.
        job: JobId,
        /// The bots at the table.
        suspects: String,
    },
    /// The store of the review cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A bot cannot be opened, or its fault ended a game early.
    #[error(transparent)]
    Prepare(#[from] PrepareError),
}

impl ReviewPlan {
    /// Creates a review of the entrant `reviewed` by the entrant `other`, on one thread.
    ///
    /// # Errors
    /// Returns an error if an entrant does not exist, or if both are the same.
    pub fn new(prepared: &PreparedLeague, reviewed: &str, other: &str) -> ReviewResult<ReviewPlan> {
        let entrant_number = |name: &str| {
            let names = prepared.league.entrants.iter();
            prepared.league.entrant(name).ok_or_else(|| {
                let entrants = quoted(names.map(|entrant| entrant.name.as_str()));
                ReviewError::Entrants(format!(
                    "there is no entrant `{name}`; the league has {entrants}"
                ))
            })
        };
        if reviewed == other {
            return Err(ReviewError::Entrants(format!(
                "`{reviewed}` cannot be compared with itself: --of and --by must name two entrants"
            )));
        }
        Ok(ReviewPlan {
            reviewed: entrant_number(reviewed)?,
            other: entrant_number(other)?,
            games: 10_000,
            precision: None,
            part: Part::WHOLE,
            threads: 1,
            checks_all: false,
        })
    }

    /// Returns the names of all bots at the table of a block, for messages.
    pub(super) fn suspects(&self, prepared: &PreparedLeague, job: JobId) -> String {
        let line_up = prepared.line_up(job).iter().chain([&self.other]);
        quoted(line_up.map(|&entrant| prepared.league.entrants[entrant].name.as_str()))
    }

    /// Returns the number of games in the blocks of the part. It is less than
    /// [`ReviewPlan::games`] if the league does not have as many.
    ///
    /// # Errors
    /// Returns the errors of [`ReviewPlan::blocks`].
    pub fn games_found(&self, prepared: &PreparedLeague) -> ReviewResult<u64> {
        Ok(self
            .blocks(prepared)?
            .into_iter()
            .map(|block| {
                let players = prepared.line_up(block.job).len();
                PlannedDeals::of(&prepared.league, players).games()
            })
            .sum())
    }

    /// Returns the blocks of the part, in the order of play.
    ///
    /// # Errors
    /// Returns an error if there are no blocks to review, or if an entrant is a client or
    /// nondeterministic.
    pub fn blocks(&self, prepared: &PreparedLeague) -> ReviewResult<Vec<BlockToReview>> {
        let league = &prepared.league;
        let mut games = 0;
        let mut jobs = Vec::new();
        for job in prepared.jobs() {
            let line_up = prepared.line_up(job);
            if !line_up.contains(&self.reviewed) {
                continue;
            }
            if self.games <= games && 2 <= jobs.len() {
                break;
            }
            for &entrant in line_up.iter().chain([&self.other]) {
                let Entrant { name, client, .. } = &league.entrants[entrant];
                let problem = if client.is_some() {
                    "is a program that connects: it cannot be restarted for every game, so its \
                    games cannot be reviewed"
                } else if !prepared.seats[entrant].is_repeatable {
                    "is declared nondeterministic: a review calls every bot several times with \
                    the same view and needs the same choice"
                } else {
                    continue;
                };
                return Err(ReviewError::NotReplayable(format!("`{name}` {problem}")));
            }
            games += PlannedDeals::of(league, line_up.len()).games();
            jobs.push(job);
        }
        if jobs.is_empty() {
            return Err(ReviewError::Entrants(format!(
                "`{}` is in no line-up of the league",
                league.entrants[self.reviewed].name
            )));
        }
        let mut blocks = vec![Vec::new(); prepared.schedule.line_ups.len()];
        for job in &jobs {
            blocks[job.line_up as usize].push(job.block);
        }
        let clusters = DealSharing::of(league).clusters(&blocks);
        let mut clusters: Vec<_> = clusters.into_iter().map(Vec::into_iter).collect();
        let block = |job: JobId| BlockToReview {
            job,
            cluster: clusters[job.line_up as usize].next().unwrap_or(0),
        };
        Ok((0..)
            .zip(jobs.into_iter().map(block))
            .filter(|(index, _)| self.part.contains(*index))
            .map(|(_, block)| block)
            .collect())
    }
}
