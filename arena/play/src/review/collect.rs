//! Collects the results of reviewed blocks in the order of play, in bounded memory.

use super::plan::{BOTH, BlockToReview, PerBot};
use super::summary::{
    BlockSummary, DifferenceParts, FeatureNumbers, Fork, ForkExamples, ForkKind, ForkSum,
    ReviewFault, add_fault,
};
use hattari_agents::record::JobId;
use hattari_agents::table::FeatureValues;
use hattari_plugin::games::features::FeatureValue;
use hattari_stats::Untestable;
use hattari_stats::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use hattari_stats::compare::BLOCKS_MIN;
use std::collections::{BTreeMap, HashMap};
use std::mem;

/// The half of the blocks from which the tree of classes grows.
pub const TRAINING: usize = 0;
/// The half of the blocks from which results are reported.
pub const REPORTED: usize = 1;

/// Maximum number of batches of a review.
pub(super) const BATCHES_MAX: usize = 1024;
/// Number of batches that is large enough for standard errors.
const BATCHES_ENOUGH: usize = 64;
/// Maximum number of sums of forks over all batches. If there are more, batches are merged until
/// fewer than twice [`BATCHES_ENOUGH`] are left, and then numbers in the features of positions are
/// rounded.
pub(super) const FORK_SUMS_MAX: usize = 1 << 18;

/// A review of one bot by another.
#[derive(Debug, Default)]
pub struct Review {
    /// The blocks of each half in the order of play, in batches. Each half contains every second
    /// block of each line-up, because the opponents of the bots depend on the line-up. With shared
    /// deals, it contains every second group of blocks with the same cards.
    pub halves: [Vec<ReviewBatch>; 2],
    /// Features of positions and choices. Forks and decisions refer to them by index.
    pub features: Vec<FeatureValues>,
    /// For each set of features of a position, the numbers of unforced decisions.
    pub decisions: Vec<DecisionCount>,
    /// Example forks.
    pub examples: ForkExamples,
    /// The first fault of each bot and kind, with the number of occurrences in all games.
    pub faults: Vec<ReviewFault>,
    /// Digest of all forks and scores; it does not depend on the number of threads.
    pub digest: u64,
    /// Number of blocks that were played now, because they were not stored.
    pub played: u64,
}

/// Numbers of unforced decisions in positions with the same features.
#[derive(Clone, Copy, Debug)]
pub struct DecisionCount {
    /// Index of the features of the position.
    pub position: u32,
    /// Number of decisions in the games of each bot, in each half of the blocks.
    pub by_half: [PerBot<u32>; 2],
}

/// A batch: blocks of a review that count as one observation. Blocks with the same cards are in one
/// batch. All sums are over the seats of the reviewed bot.
#[derive(Debug, Default, PartialEq)]
pub struct ReviewBatch {
    /// The blocks.
    pub jobs: Vec<JobId>,
    /// Number of games that count, times the number of seats of the reviewed bot.
    pub games: u64,
    /// The parts of the difference.
    pub sums: DifferenceParts,
    /// The forks of both orders, ordered by features.
    pub forks: Vec<ForkSum>,
}

impl ReviewBatch {
    /// Adds another batch.
    fn merge(&mut self, mut other: ReviewBatch) {
        self.jobs.extend(other.jobs);
        self.games += other.games;
        let sums = self.sums.parts_mut().into_iter();
        for (sum, more) in sums.zip(other.sums.parts_mut()) {
            *sum += *more;
        }
        self.forks.reserve_exact(other.forks.len());
        self.forks.extend(other.forks);
        self.merge_equal_forks();
    }

    /// Sorts the forks by features, and adds up those with the same features.
    fn merge_equal_forks(&mut self) {
        self.forks.sort_unstable_by_key(|sum| sum.kind);
        self.forks.dedup_by(|next, sum| {
            let is_same = next.kind == sum.kind;
            if is_same {
                add_counts(&mut sum.counts, next.counts);
                BOTH.iter()
                    .for_each(|&bot| sum.values[bot] += next.values[bot]);
            }
            is_same
        });
        self.forks.shrink_to_fit();
    }
}

/// For each index of a position's features, the number of unforced decisions in the games of each
/// bot.
type PositionCounts = BTreeMap<u32, PerBot<u32>>;

/// Adds counts; sums above `u32::MAX` become `u32::MAX`.
fn add_counts(counts: &mut PerBot<u32>, more: PerBot<u32>) {
    for bot in BOTH {
        counts[bot] = counts[bot].saturating_add(more[bot]);
    }
}

/// A collector of reviewed blocks.
#[derive(Default)]
pub(super) struct Collector {
    review: Review,
    numbers: FeatureNumbers,
    games: u64,
    /// The half of each cluster, and its number among the clusters of this half in the order of
    /// play.
    clusters: HashMap<usize, (usize, usize)>,
    /// Number of clusters of each half.
    sizes: [usize; 2],
    /// For each line-up, the half of the next cluster that begins with one of its blocks.
    next_half: HashMap<u32, usize>,
    /// Number of clusters per batch, a power of two.
    batch: usize,
    /// Numbers of decisions in each half.
    decisions: [PositionCounts; 2],
    /// Exponent of rounding: numbers in the features of positions are rounded down to multiples of
    /// 2 to this power.
    rounding: u32,
}

/// Returns features with numbers rounded down to multiples of 2 to the power `rounding`.
fn rounded(values: &FeatureValues, rounding: u32) -> FeatureValues {
    let mask = u8::MAX.checked_shl(rounding).unwrap_or(0);
    let round = |value| match value {
        FeatureValue::Count(number) => FeatureValue::Count(number & mask),
        word => word,
    };
    values
        .iter()
        .map(|&(name, value)| (name, round(value)))
        .collect()
}

impl Collector {
    pub(super) fn new() -> Collector {
        Collector {
            batch: 1,
            ..Collector::default()
        }
    }

    /// Returns the number of games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next block in the order of play. `is_played` is `false` if it was stored.
    pub(super) fn add(&mut self, block: BlockToReview, summary: BlockSummary, is_played: bool) {
        let features = summary.features.iter();
        let mut number = |values: &FeatureValues| self.numbers.number(values);
        let numbers: Vec<u32> = features.clone().map(&mut number).collect();
        let positions: Vec<u32> = features
            .map(|values| rounded(values, self.rounding))
            .map(|values| number(&values))
            .collect();
        let kind = |ForkKind { position, choices }, positions: &[u32]| ForkKind {
            position: positions[position as usize],
            choices: choices.map(|index| numbers[index as usize]),
        };
        let ForkExamples {
            gains,
            losses,
            sample,
        } = &summary.examples;
        for fork in gains.iter().chain(losses).chain(sample) {
            self.review.examples.add(Fork {
                kind: kind(fork.kind, &numbers),
                ..*fork
            });
        }
        for fault in summary.faults {
            add_fault(&mut self.review.faults, fault);
        }
        let batch = ReviewBatch {
            jobs: vec![block.job],
            games: summary.games * summary.copies,
            sums: summary.sums,
            forks: summary
                .forks
                .iter()
                .map(|sum| ForkSum {
                    kind: kind(sum.kind, &positions),
                    ..*sum
                })
                .collect(),
        };
        let (half, number) = self.half_of(&block);
        while BATCHES_MAX / 2 <= number / self.batch {
            self.merge_pairs();
        }
        let index = number / self.batch;
        let batches = &mut self.review.halves[half];
        if index == batches.len() {
            batches.push(ReviewBatch::default());
        }
        batches[index].merge(batch);
        for (position, count) in summary.decisions {
            let known = self.decisions[half].entry(positions[position as usize]);
            add_counts(known.or_default(), count);
        }
        self.limit_fork_sums();
        self.games += summary.games;
        self.review.played += u64::from(is_played);
        let digest = summary.digest.to_le_bytes();
        self.review.digest = xxhash_rust::xxh3::xxh3_64_with_seed(&digest, self.review.digest);
    }

    /// Returns the half of a block's cluster, and the number of the cluster in this half.
    fn half_of(&mut self, block: &BlockToReview) -> (usize, usize) {
        let line_ups = self.next_half.len();
        *self.clusters.entry(block.cluster).or_insert_with(|| {
            let next = self.next_half.entry(block.job.line_up);
            let next = next.or_insert(line_ups % 2);
            let half = mem::replace(next, 1 - *next);
            self.sizes[half] += 1;
            (half, self.sizes[half] - 1)
        })
    }

    /// Reduces the number of sums of forks to at most [`FORK_SUMS_MAX`], if possible.
    fn limit_fork_sums(&mut self) {
        while FORK_SUMS_MAX < self.review.fork_sums().count() {
            if 2 * BATCHES_ENOUGH <= self.review.batches().count() {
                self.merge_pairs();
            } else if self.rounding < u8::BITS {
                self.round_features();
            } else {
                // Only features that are words still distinguish positions. Such features have few
                // combinations.
                break;
            }
        }
    }

    /// Doubles the step to which numbers in the features of positions are rounded.
    fn round_features(&mut self) {
        self.rounding += 1;
        let known = 0..self.numbers.features.len();
        let round = |index: usize| {
            let values = rounded(&self.numbers.features[index], self.rounding);
            self.numbers.number(&values)
        };
        let numbers: Vec<u32> = known.map(round).collect();
        for batch in self.review.halves.iter_mut().flatten() {
            for sum in &mut batch.forks {
                sum.kind.position = numbers[sum.kind.position as usize];
            }
            batch.merge_equal_forks();
        }
        for counts in &mut self.decisions {
            for (position, count) in mem::take(counts) {
                let known = counts.entry(numbers[position as usize]);
                add_counts(known.or_default(), count);
            }
        }
    }

    /// Merges neighbouring batches of each half in pairs.
    fn merge_pairs(&mut self) {
        self.batch *= 2;
        for half in &mut self.review.halves {
            let mut batches = mem::take(half).into_iter();
            while let Some(mut batch) = batches.next() {
                if let Some(next) = batches.next() {
                    batch.merge(next);
                }
                half.push(batch);
            }
        }
    }

    /// Returns `true` if the 95 % interval of the difference due to decisions extends at most
    /// `half_width` to each side.
    pub(super) fn is_precise(&self, half_width: Option<f64>) -> bool {
        // With few blocks, intervals may be narrow by chance.
        let reported = self.review.halves[REPORTED].len();
        let Some(half_width) = half_width.filter(|_| BLOCKS_MIN <= reported) else {
            return false;
        };
        let batches = self.review.batches();
        let mean = mean_of(batches.map(|batch| (batch.games, batch.sums.decisions as f64)));
        let interval = mean.and_then(|mean| mean.interval(0.95));
        interval.is_ok_and(|interval| (interval.high - interval.low) / 2.0 <= half_width)
    }

    pub(super) fn finish(self) -> Review {
        let mut decisions: BTreeMap<u32, [PerBot<u32>; 2]> = BTreeMap::new();
        for (half, counts) in self.decisions.into_iter().enumerate() {
            for (position, count) in counts {
                decisions.entry(position).or_default()[half] = count;
            }
        }
        let decisions = decisions.into_iter();
        Review {
            features: self.numbers.features,
            decisions: decisions
                .map(|(position, by_half)| DecisionCount { position, by_half })
                .collect(),
            ..self.review
        }
    }
}

impl Review {
    /// Iterates over the batches of both halves.
    pub fn batches(&self) -> impl Iterator<Item = &ReviewBatch> + Clone {
        self.halves.iter().flatten()
    }

    /// Returns the number of reviewed games. A game counts once for each seat of the reviewed bot.
    pub fn games(&self) -> u64 {
        self.batches().map(|block| block.games).sum()
    }

    /// Iterates over all blocks, in the order of the batches.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.batches().flat_map(|block| &block.jobs).copied()
    }

    /// Iterates over the sums of forks of all batches.
    pub fn fork_sums(&self) -> impl Iterator<Item = &ForkSum> {
        self.batches().flat_map(|block| &block.forks)
    }
}

/// Returns the mean per game of a quantity. `sums` contains the number of games of each batch, and
/// the sum of the quantity over these games.
///
/// # Errors
/// Returns an error if there are too few batches, or if they do not vary.
pub fn mean_of(sums: impl Iterator<Item = (u64, f64)>) -> Result<ClusteredMean, Untestable> {
    let block = |(cluster, (games, sum)): (usize, (u64, f64))| Block {
        cluster,
        n: games as f64,
        sum,
    };
    let blocks: Vec<Block> = sums.enumerate().map(block).collect();
    let scale = blocks
        .iter()
        .map(|block| block.sum / block.n.max(1.0))
        .map(f64::abs)
        .fold(0.0, f64::max);
    clustered_mean(&[Stratum::alone(blocks)], scale)
}
