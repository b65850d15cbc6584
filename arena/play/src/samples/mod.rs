//! Samples: what the statistics are computed from, one number per bot and block. No tests and no
//! intervals here.
//!
//! The unit is the **block**, the deals between two resets of whatever persists. Deals within a
//! block depend on each other (the winner of a deal of daihinmin starts the next one with better
//! cards), block means do not, unless the blocks were dealt the same cards
//! ([`Sharing`](crate::league::Sharing)). Beside the block means every pair keeps the moments of
//! its difference from deal to deal, for the per-deal test that papers print.
//!
//! An entrant that sits at a table several times has several seats and one sample: the mean over
//! its copies.

mod luck;
mod records;
mod scores;

pub use records::{Collector, Unfit, keep_first};
pub use scores::{ScoresError, read_scores};

use hattari_agents::record::{FaultKind, Kills, Timing};
use hattari_stats::dependence::LagSums;
use hattari_stats::{PairSums, TTest, Untestable, paired_t, paired_t_from_sums};
use serde::Serialize;

/// Everything that a league's statistics are computed from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Samples {
    /// Names of the entrants; all other lists name an entrant by its index here.
    pub names: Vec<String>,
    /// One entry per line-up of the schedule, in its order; those without a finished block are
    /// empty.
    pub line_ups: Vec<LineUpSample>,
    /// How long each entrant thought, over all line-ups.
    pub thinking: Vec<Thinking>,
    /// How often somebody else ended each entrant's process, over all line-ups; none in a file of
    /// scores.
    pub kills: Vec<Kills>,
}

/// The blocks of one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpSample {
    /// The entrants by place at the table, copies repeated.
    pub entrants: Vec<usize>,
    /// The finished blocks by number.
    pub blocks: Vec<BlockInfo>,
    /// One entry per distinct entrant, in the order of the first seat.
    pub bots: Vec<BotSample>,
    /// One entry per pair of distinct entrants, `a` before `b` in [`LineUpSample::bots`].
    #[serde(skip)]
    pub pairs: Vec<PairSample>,
}

/// One finished block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BlockInfo {
    /// Its number, or its label in a file of scores.
    pub label: Label,
    /// Deals played (rows, in a file of scores).
    pub deals: u64,
    /// Blocks with equal numbers, here or at other line-ups, were dealt the same cards: together
    /// they are one observation.
    pub cluster: usize,
}

/// The name of a block. Most have numbers, of which there may be millions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// The number of a block of a league.
    Number(u32),
    /// The label of a block in a file of scores.
    Text(Box<str>),
}

impl Label {
    /// Returns the number; `None` of a label that is none.
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        match self {
            Label::Number(number) => Some(*number),
            Label::Text(text) => text.parse().ok(),
        }
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Label::Number(number) => number.fmt(f),
            Label::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for Label {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A list that is empty in most of very many places, where it takes little memory.
#[derive(Clone, Debug)]
#[expect(clippy::box_collection, reason = "an empty list takes a word")]
pub struct Rare<T>(Option<Box<Vec<T>>>);

impl<T> Rare<T> {
    /// Returns the list to be changed; an empty one takes memory from now on.
    fn list(&mut self) -> &mut Vec<T> {
        self.0.get_or_insert_default()
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Rare<T> {
        Rare(None)
    }
}

impl<T: PartialEq> PartialEq for Rare<T> {
    fn eq(&self, other: &Rare<T>) -> bool {
        self[..] == other[..]
    }
}

impl<T> From<Vec<T>> for Rare<T> {
    fn from(list: Vec<T>) -> Rare<T> {
        Rare((!list.is_empty()).then(|| Box::new(list)))
    }
}

impl<T> std::ops::Deref for Rare<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<T> std::ops::DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }
}

impl<T: Serialize> Serialize for Rare<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

/// What one entrant did at one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSample {
    /// Index of the entrant.
    pub entrant: usize,
    /// Seats it has at the table.
    pub copies: u32,
    /// Mean payoff per deal in each block of [`LineUpSample::blocks`]; `None` where a file of
    /// scores has no cell.
    pub means: Vec<Option<f64>>,
    /// What chance was worth a deal in each block, by kind of chance; no kinds where that was not
    /// measured in every block.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub luck: Rare<Vec<f64>>,
    /// Deals at whose table it sat.
    pub deals: u64,
    /// How often it came in each place, first place first, its copies together; empty for a file
    /// of scores.
    pub places: Vec<u64>,
    /// Faults of all kinds.
    pub faults: u64,
    /// Whether it (any copy) forfeited the block; empty where it forfeited none.
    pub forfeited: Rare<bool>,
    /// The first faults in words: [`FAULTS_SHOWN`] at most, and the first of every kind.
    pub fault_notes: Rare<FaultNote>,
    /// Its payoffs and those of neighbouring deals, forfeited blocks left out; nothing for a file
    /// of scores.
    #[serde(skip)]
    pub lag: LagSums,
}

/// Faults of an entrant at a line-up that are kept in words whatever their kind.
pub const FAULTS_SHOWN: usize = 20;

/// A fault with its place, for the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultNote {
    /// Number of the block.
    pub block: u32,
    /// Deal of the block, from 0.
    pub deal: u32,
    /// Decision of the deal, from 0.
    pub decision: u32,
    /// What it was.
    pub kind: FaultKind,
    /// In words.
    pub message: String,
}

/// Times of decisions, summed. They differ from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Thinking {
    /// Decisions asked.
    pub decisions: u64,
    /// Decisions that were timed.
    pub timed: u64,
    /// Nanoseconds of the timed decisions together.
    pub nanos: u64,
    /// Nanoseconds of the slowest timed decision.
    pub worst_nanos: u64,
}

impl Samples {
    /// Faults of a bot, at all line-ups together.
    #[must_use]
    pub fn faults(&self, bot: usize) -> u64 {
        self.line_ups
            .iter()
            .filter_map(|line_up| line_up.bot(bot))
            .map(|here| here.faults)
            .sum()
    }

    /// One number a round, which is a block of every line-up: the mean over line-ups of what
    /// `score` gives for the block of that round, as long as all that have blocks have one;
    /// line-ups that it gives nothing for are left out.
    pub fn rounds(&self, score: impl Fn(&LineUpSample, usize) -> Option<Option<f64>>) -> Vec<f64> {
        let mut values = Vec::new();
        loop {
            let (mut sum, mut count, round) = (0.0, 0_u32, values.len());
            for line_up in self
                .line_ups
                .iter()
                .filter(|line_up| !line_up.blocks.is_empty())
            {
                match score(line_up, round) {
                    None => {}
                    Some(Some(value)) => {
                        sum += value;
                        count += 1;
                    }
                    Some(None) => return values,
                }
            }
            if count == 0 {
                return values;
            }
            values.push(sum / f64::from(count));
        }
    }

    /// What a bot scored, round by round.
    #[must_use]
    pub fn rounds_of(&self, bot: usize) -> Vec<f64> {
        self.rounds(|line_up, round| Some(line_up.bot(bot)?.means.get(round).copied().flatten()))
    }
}

impl Thinking {
    /// The times of each of `entrants` entrants, as a store keeps them.
    #[must_use]
    pub fn of(timing: &Timing, entrants: usize) -> Vec<Thinking> {
        let number = |list: &[u64], entrant: usize| list.get(entrant).copied().unwrap_or(0);
        let of = |entrant| Thinking {
            decisions: number(&timing.decisions, entrant),
            timed: number(&timing.timed, entrant),
            nanos: number(&timing.nanos, entrant),
            worst_nanos: number(&timing.worst_nanos, entrant),
        };
        (0..entrants).map(of).collect()
    }
}

/// Two entrants at one line-up, deal by deal.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSample {
    /// Index of the first entrant.
    pub a: usize,
    /// Index of the second entrant.
    pub b: usize,
    /// Their scores in the deals that both played.
    pub deals: PairDeals,
    /// In each block how often the first, and how often the second, scored more in the same deal;
    /// of equal scores each has half, of several copies every two count.
    pub ahead: Vec<[f64; 2]>,
}

/// Scores of two entrants in the same deals.
#[derive(Clone, Debug, PartialEq)]
pub enum PairDeals {
    /// Added up, in whole numbers so that nothing is lost however many deals there are.
    Sums {
        /// The sums of scores times `scale`.
        sums: PairSums,
        /// What the scores were multiplied with: the product of the copies of both, so that means
        /// over copies are whole.
        scale: f64,
    },
    /// One by one.
    Scores {
        /// Of the first.
        a: Vec<f64>,
        /// Of the second.
        b: Vec<f64>,
    },
}

impl PairDeals {
    /// The paired t-test over single deals, as if they were independent: the test of the play-style
    /// paper.
    ///
    /// # Errors
    /// Why it cannot be made.
    pub fn test(&self, confidence: f64) -> Result<TTest, Untestable> {
        match self {
            PairDeals::Scores { a, b } => paired_t(a, b, confidence),
            PairDeals::Sums { sums, scale } => {
                let mut test =
                    paired_t_from_sums(sums, confidence).map_err(|reason| match reason {
                        Untestable::ConstantDifference {
                            difference,
                            permutation_p,
                        } => Untestable::ConstantDifference {
                            difference: difference / scale,
                            permutation_p,
                        },
                        other => other,
                    })?;
                test.mean_difference /= scale;
                test.se /= scale;
                test.interval.low /= scale;
                test.interval.high /= scale;
                Ok(test)
            }
        }
    }
}

impl LineUpSample {
    /// What `entrant` did here.
    #[must_use]
    pub fn bot(&self, entrant: usize) -> Option<&BotSample> {
        self.bots.iter().find(|bot| bot.entrant == entrant)
    }

    /// The cluster of each block.
    #[must_use]
    pub fn clusters(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.cluster).collect()
    }

    /// Deals played, all blocks together.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.blocks.iter().map(|block| block.deals).sum()
    }
}
