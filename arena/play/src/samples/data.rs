//! The data of samples: blocks, bots and pairs of every line-up.

use hattari_agents::record::{DecisionTime, FaultKind, KillCounts};
use hattari_stats::dependence::LagSums;
use hattari_stats::{Method, PairSums, TTest, Untestable, paired_t, paired_t_from_sums};
use serde::Serialize;

/// All data from which the statistics of a league are computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Samples {
    /// Names of the entrants; all other fields identify an entrant by its index in this list.
    pub names: Vec<String>,
    /// One entry per line-up of the schedule, in order; line-ups without a finished block are
    /// empty.
    pub line_ups: Vec<LineUpSample>,
    /// Thinking time of each entrant, over all line-ups.
    pub thinking: Vec<DecisionTime>,
    /// Number of external kills of each entrant's processes, over all line-ups; empty for a file of
    /// scores.
    pub kills: Vec<KillCounts>,
}

/// The blocks of one line-up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineUpSample {
    /// The entrant at each place at the table; an entrant with several places is repeated.
    pub entrants: Vec<usize>,
    /// The finished blocks, ordered by number.
    pub blocks: Vec<BlockInfo>,
    /// One entry per distinct entrant, ordered by first place.
    pub bots: Vec<BotSample>,
    /// One entry per pair of distinct entrants, `a` before `b` in [`LineUpSample::bots`]. Empty if
    /// the scores of the table cannot be compared.
    #[serde(skip)]
    pub pairs: Vec<PairSample>,
    /// Number of deals by which the total score of a block was divided, if the block has fewer
    /// deals; 0 for a file of scores.
    #[serde(skip)]
    pub planned_deals: u64,
    /// `true` if equal bots have equal chances at the table
    /// ([`League::equal_chances`](crate::league::League::equal_chances)). Otherwise `pairs` is
    /// empty.
    #[serde(skip)]
    pub has_equal_chances: bool,
}

impl LineUpSample {
    /// Returns the number of deals by which the total score of a block was divided
    /// ([`BotSample::means`]): the planned deals if the rules ended the block early.
    pub fn divisor(&self, block: &BlockInfo) -> u64 {
        block.deals.max(self.planned_deals)
    }
}

/// One finished block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockInfo {
    /// Number of the block, or its label in a file of scores.
    pub label: BlockLabel,
    /// Number of deals played (rows, in a file of scores).
    pub deals: u64,
    /// Cluster of the block. Blocks of a cluster have the same cards, also across line-ups, and
    /// count as one observation.
    pub cluster: usize,
}

/// The label of a block. Most labels are numbers, because a league may have millions of blocks.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockLabel {
    /// The number of a block of a league.
    Number(u32),
    /// The label of a block in a file of scores.
    Text(Box<str>),
}

impl BlockLabel {
    /// Returns the number; `None` if the label is not a number.
    pub fn number(&self) -> Option<u32> {
        match self {
            BlockLabel::Number(number) => Some(*number),
            BlockLabel::Text(text) => text.parse().ok(),
        }
    }
}

impl std::fmt::Display for BlockLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BlockLabel::Number(number) => number.fmt(f),
            BlockLabel::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for BlockLabel {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The results of one entrant in one line-up.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BotSample {
    /// Index of the entrant.
    pub entrant: usize,
    /// Number of the entrant's seats at the table.
    pub copies: u32,
    /// Mean payoff per planned deal in each block of [`LineUpSample::blocks`]; `None` if a file of
    /// scores has no value.
    pub means: Vec<Option<f64>>,
    /// Luck per deal in each block, by kind of chance; contains only kinds that were measured in
    /// every block.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<Vec<f64>>,
    /// Number of deals at the entrant's table, in all blocks.
    pub deals: u64,
    /// Number of deals with each rank, best first, summed over copies; empty for a file of scores.
    #[serde(rename = "places")]
    pub ranks: Vec<u64>,
    /// Number of faults of all kinds.
    pub faults: u64,
    /// True for each block that a copy forfeited; empty if no block was forfeited.
    pub forfeited: Vec<bool>,
    /// Number of blocks, without forfeited ones, in which a copy could not be started.
    #[serde(skip)]
    pub unstarted: u64,
    /// Descriptions of faults: the first `FAULTS_SHOWN`, and the first fault of every kind.
    pub fault_notes: Vec<FaultNote>,
    /// Sums that measure the dependence of neighbouring deals, without forfeited blocks; empty for
    /// a file of scores.
    #[serde(skip)]
    pub lag: LagSums,
}

/// Number of first faults per entrant and line-up that are described, even if several are of the
/// same kind.
pub(crate) const FAULTS_SHOWN: usize = 20;

/// A fault and its location, for the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultNote {
    /// Number of the block.
    pub block: u32,
    /// Deal in the block, from 0.
    pub deal: u32,
    /// Decision in the deal, from 0.
    pub decision: u32,
    /// Kind of the fault.
    pub kind: FaultKind,
    /// Description of the fault.
    pub message: String,
}

impl Samples {
    /// Returns one number per round (one block of every line-up): the mean score over the line-ups.
    /// `scores` returns the scores of a line-up by round, or `None` to leave the line-up out. The
    /// result is as long as the shortest list of scores.
    pub fn round_means(&self, scores: impl Fn(&LineUpSample) -> Option<Vec<f64>>) -> Vec<f64> {
        let scores: Vec<Vec<f64>> = self
            .line_ups
            .iter()
            .filter(|line_up| !line_up.blocks.is_empty())
            .filter_map(scores)
            .collect();
        let rounds = scores.iter().map(Vec::len).min().unwrap_or(0);
        let mean = |round: usize| {
            let sum = scores.iter().fold(0.0, |sum, scores| sum + scores[round]);
            sum / scores.len() as f64
        };
        (0..rounds).map(mean).collect()
    }

    /// Returns the mean score of a bot in each round.
    pub fn bot_round_means(&self, bot: usize) -> Vec<f64> {
        self.round_means(|line_up| {
            Some(
                line_up
                    .bot(bot)?
                    .means
                    .iter()
                    .map_while(|mean| *mean)
                    .collect(),
            )
        })
    }
}

/// Two entrants in one line-up, compared by deal.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSample {
    /// Index of the first entrant.
    pub a: usize,
    /// Index of the second entrant.
    pub b: usize,
    /// The scores of both entrants in the deals that both played.
    pub deals: PairDeals,
    /// For each block, the number of deals in which the first and the second entrant scored more.
    /// Ties count half for each; with several copies, every pair of copies is counted.
    pub ahead: Vec<[f64; 2]>,
}

/// The scores of two entrants in the same deals.
#[derive(Clone, Debug, PartialEq)]
pub enum PairDeals {
    /// Sums of integers, which are exact for any number of deals.
    Sums {
        /// The sums of scores times `scale`.
        sums: PairSums,
        /// The factor of the scores: the product of the numbers of copies of both entrants, which
        /// makes means over copies integers.
        scale: f64,
    },
    /// The scores themselves, one per deal or per row of a file of scores.
    Scores {
        /// Scores of the first entrant.
        a: Vec<f64>,
        /// Scores of the second entrant.
        b: Vec<f64>,
    },
}

impl PairDeals {
    /// Performs the paired t-test over single deals as if they were independent, as the play-style
    /// paper (Satō and Itō) does.
    ///
    /// # Errors
    /// Returns the reason if the test is impossible.
    pub fn test(&self, confidence: f64) -> Result<TTest, Untestable> {
        match self {
            PairDeals::Scores { a, b } => Ok(TTest {
                kind: Method::PairedDeals,
                ..paired_t(a, b, confidence)?
            }),
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
    /// Returns the sample of `entrant` in this line-up; `None` if the entrant is not in it.
    pub fn bot(&self, entrant: usize) -> Option<&BotSample> {
        self.bots.iter().find(|bot| bot.entrant == entrant)
    }

    /// Returns the cluster of each block.
    pub fn clusters(&self) -> Vec<usize> {
        self.blocks.iter().map(|block| block.cluster).collect()
    }

    /// Returns the number of deals in all blocks.
    pub fn deals(&self) -> u64 {
        self.blocks.iter().map(|block| block.deals).sum()
    }
}
