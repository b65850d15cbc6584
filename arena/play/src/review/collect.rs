//! Collects the results of reviewed blocks in the order of play, in bounded memory.

use super::per_bot::PerBot;
use super::plan::BlockToReview;
use super::summary::{
    BlockSummary, DifferenceParts, FeatureNumbers, Fork, ForkExamples, ForkSum, ReviewFault, to_u32,
};
use hattari_agents::record::JobId;
use hattari_agents::table::FeatureValues;
use hattari_plugin::games::features::FeatureValue;
use hattari_stats::clustered::{Block, Stratum, clustered_mean};

/// Maximum number of batches of a review.
pub(super) const BATCHES_MAX: usize = 1024;
/// Number of batches that is large enough for standard errors.
const BATCHES_ENOUGH: usize = 64;
/// Maximum number of sums of forks over all batches. If there are more, batches are merged until
/// fewer than twice [`BATCHES_ENOUGH`] are left, and then numbers in the features of positions are
/// rounded.
pub(super) const FORK_SUMS_MAX: usize = 1 << 18;

/// A review of one bot by another.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The blocks in the order of play, in batches.
    pub batches: Vec<ReviewBatch>,
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
}

/// Numbers of unforced decisions in positions with the same features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionCount {
    /// Index of the features of the position.
    pub position: u32,
    /// Number of decisions in the games of each bot, in the batches with an even index.
    pub in_even_batches: PerBot<u32>,
    /// Number of decisions in the games of each bot, in the batches with an odd index.
    pub in_odd_batches: PerBot<u32>,
}

/// A batch: blocks of a review that count as one observation. Blocks with the same cards are in one
/// batch. All sums are over the seats of the reviewed bot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
    fn merge(&mut self, other: ReviewBatch) {
        self.jobs.extend(other.jobs);
        self.games += other.games;
        self.sums.difference += other.sums.difference;
        self.sums.decisions += other.sums.decisions;
        self.sums.carried += other.sums.carried;
        self.sums.memory += other.sums.memory;
        self.forks.reserve_exact(other.forks.len());
        self.forks.extend(other.forks);
        self.merge_equal_forks();
    }

    /// Sorts the forks by features, and adds up those with the same features.
    fn merge_equal_forks(&mut self) {
        self.forks
            .sort_unstable_by_key(|sum| (sum.position, sum.choices));
        self.forks.dedup_by(|next, sum| {
            let is_same = (next.position, next.choices) == (sum.position, sum.choices);
            if is_same {
                sum.counts = sum.counts.saturating_add(next.counts);
                sum.values += next.values;
            }
            is_same
        });
        self.forks.shrink_to_fit();
    }
}

/// For each index of a position's features, the number of unforced decisions in the games of each
/// bot.
#[derive(Clone, Default)]
struct PositionCounts(Vec<PerBot<u32>>);

impl PositionCounts {
    fn add(&mut self, position: u32, counts: PerBot<u32>) {
        let index = position as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, PerBot::default());
        }
        self.0[index] = self.0[index].saturating_add(counts);
    }

    fn get(&self, position: usize) -> PerBot<u32> {
        self.0.get(position).copied().unwrap_or_default()
    }
}

/// Counts of decisions in all batches and in those with an odd index, for any final number of
/// clusters per batch. The size depends on the number of positions and only on the logarithm of the
/// number of blocks.
#[derive(Default)]
struct DecisionCounts {
    all: PositionCounts,
    /// For each bit, the counts of the clusters with a number in which this bit is set. A batch of
    /// 2 to the power b clusters has an odd index if bit b is set.
    by_bit: Vec<PositionCounts>,
}

impl DecisionCounts {
    /// Adds the decisions of a block. Batches have at least `batch` clusters, a power of two.
    fn add(&mut self, cluster: usize, batch: usize, decisions: &[(u32, PerBot<u32>)]) {
        let bits = (cluster.checked_ilog2().map_or(0, |bit| bit + 1)) as usize;
        if self.by_bit.len() < bits {
            self.by_bit.resize(bits, PositionCounts::default());
        }
        let is_needed = |bit: &usize| batch <= 1_usize << bit && (cluster >> bit) & 1 == 1;
        for &(position, counts) in decisions {
            self.all.add(position, counts);
        }
        for bit in (0..bits).filter(is_needed) {
            for &(position, counts) in decisions {
                self.by_bit[bit].add(position, counts);
            }
        }
    }

    /// Replaces the indices of positions.
    fn renumber(&mut self, numbers: &[u32]) {
        for counts in self.by_bit.iter_mut().chain([&mut self.all]) {
            let known = std::mem::take(counts);
            for (&number, known) in numbers.iter().zip(known.0) {
                counts.add(number, known);
            }
        }
    }

    /// Removes the counts that batches of `batch` clusters, a power of two, no longer need.
    fn forget(&mut self, batch: usize) {
        let bits = self.by_bit.iter_mut().enumerate();
        for (_, counts) in bits.filter(|(bit, _)| (1_usize << bit) < batch) {
            *counts = PositionCounts::default();
        }
    }

    /// Returns the counts for batches of `batch` clusters, a power of two.
    fn finish(&self, batch: usize) -> Vec<DecisionCount> {
        let odd = self.by_bit.get(batch.ilog2() as usize);
        let count = |position: usize| {
            let all = self.all.get(position);
            let odd = odd.map_or(PerBot::default(), |counts| counts.get(position));
            DecisionCount {
                position: to_u32(position),
                in_even_batches: PerBot {
                    reviewed: all.reviewed - odd.reviewed,
                    other: all.other - odd.other,
                },
                in_odd_batches: odd,
            }
        };
        let counts = (0..self.all.0.len()).filter(|&position| {
            // Other indices are those of choices, or of positions before rounding.
            self.all.get(position) != PerBot::default()
        });
        counts.map(count).collect()
    }
}

/// A collector of reviewed blocks.
pub(super) struct Collector {
    review: Review,
    numbers: FeatureNumbers,
    games: u64,
    /// Number of clusters per batch, a power of two.
    batch: usize,
    decisions: DecisionCounts,
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
    let values = values.iter();
    values.map(|&(name, value)| (name, round(value))).collect()
}

impl Collector {
    pub(super) fn new() -> Collector {
        Collector {
            review: Review::default(),
            numbers: FeatureNumbers::default(),
            games: 0,
            batch: 1,
            decisions: DecisionCounts::default(),
            rounding: 0,
        }
    }

    /// Returns the number of games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    /// Adds the next block in the order of play.
    pub(super) fn add(&mut self, block: BlockToReview, summary: BlockSummary) {
        let features = &mut self.review.features;
        let mut number = |values: &FeatureValues| self.numbers.number(features, values);
        let numbers: Vec<u32> = summary.features.iter().map(&mut number).collect();
        let positions = match self.rounding {
            0 => numbers.clone(),
            rounding => {
                let features = summary.features.iter();
                features
                    .map(|values| number(&rounded(values, rounding)))
                    .collect()
            }
        };
        let number = |index: u32| numbers[index as usize];
        self.add_examples(&summary.examples, block.job, number);
        self.add_faults(summary.faults, block.job);
        let sum = |sum: &ForkSum| ForkSum {
            position: positions[sum.position as usize],
            choices: sum.choices.map(number),
            ..*sum
        };
        let counts = summary.decisions.iter();
        let decisions: Vec<(u32, PerBot<u32>)> = counts
            .map(|&(position, count)| (positions[position as usize], count))
            .collect();
        let batch = ReviewBatch {
            jobs: vec![block.job],
            games: summary.games * summary.copies,
            sums: summary.sums,
            forks: summary.forks.iter().map(sum).collect(),
        };
        while BATCHES_MAX <= block.cluster / self.batch {
            self.merge_pairs();
        }
        // Clusters are numbered in the order of play, so there are no gaps.
        let index = block.cluster / self.batch;
        if index == self.review.batches.len() {
            self.review.batches.push(ReviewBatch::default());
        }
        self.review.batches[index].merge(batch);
        self.decisions.add(block.cluster, self.batch, &decisions);
        self.limit_fork_sums();
        self.games += summary.games;
        let digest = summary.digest.to_le_bytes();
        self.review.digest = xxhash_rust::xxh3::xxh3_64_with_seed(&digest, self.review.digest);
    }

    /// Adds the example forks of a block. `number` replaces the indices of features.
    fn add_examples(
        &mut self,
        examples: &ForkExamples,
        job: JobId,
        number: impl Fn(u32) -> u32 + Copy,
    ) {
        let ForkExamples {
            gains,
            losses,
            sample,
        } = examples;
        for fork in gains.iter().chain(losses).chain(sample) {
            self.review.examples.add(Fork {
                job,
                position: number(fork.position),
                choices: fork.choices.map(number),
                ..*fork
            });
        }
    }

    /// Adds the faults of a block.
    fn add_faults(&mut self, faults: Vec<ReviewFault>, job: JobId) {
        for fault in faults {
            let is_same = |known: &&mut ReviewFault| {
                (known.entrant, known.kind) == (fault.entrant, fault.kind)
            };
            match self.review.faults.iter_mut().find(is_same) {
                Some(known) => known.count += fault.count,
                None => self.review.faults.push(ReviewFault { job, ..fault }),
            }
        }
    }

    /// Reduces the number of sums of forks to at most [`FORK_SUMS_MAX`], if possible.
    fn limit_fork_sums(&mut self) {
        let sums = |review: &Review| review.fork_sums().count();
        while FORK_SUMS_MAX < sums(&self.review) {
            if 2 * BATCHES_ENOUGH <= self.review.batches.len() {
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
        let features = &mut self.review.features;
        let known = 0..features.len();
        let round = |index: usize| {
            let values = rounded(&features[index], self.rounding);
            self.numbers.number(features, &values)
        };
        let numbers: Vec<u32> = known.map(round).collect();
        for batch in &mut self.review.batches {
            for sum in &mut batch.forks {
                sum.position = numbers[sum.position as usize];
            }
            batch.merge_equal_forks();
        }
        self.decisions.renumber(&numbers);
    }

    /// Merges neighbouring batches in pairs.
    fn merge_pairs(&mut self) {
        self.batch *= 2;
        self.decisions.forget(self.batch);
        let mut batches = std::mem::take(&mut self.review.batches).into_iter();
        while let Some(mut batch) = batches.next() {
            if let Some(next) = batches.next() {
                batch.merge(next);
            }
            self.review.batches.push(batch);
        }
    }

    /// Returns `true` if the 95 % interval of the difference due to decisions extends at most
    /// `half_width` to each side.
    pub(super) fn is_precise(&self, half_width: Option<f64>) -> bool {
        // With few blocks, intervals may be narrow by chance.
        const BLOCKS_MIN: usize = 10;
        let Some(half_width) = half_width.filter(|_| BLOCKS_MIN <= self.review.batches.len())
        else {
            return false;
        };
        let interval = self
            .review
            .mean(|block| block.sums.decisions as f64)
            .and_then(|mean| mean.interval(0.95));
        interval.is_ok_and(|interval| (interval.high - interval.low) / 2.0 <= half_width)
    }

    pub(super) fn finish(self) -> Review {
        Review {
            decisions: self.decisions.finish(self.batch),
            ..self.review
        }
    }
}

impl Review {
    /// Returns the number of reviewed games. A game counts once for each seat of the reviewed bot.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.batches.iter().map(|block| block.games).sum()
    }

    /// Iterates over all blocks, in the order of the batches.
    pub fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.batches.iter().flat_map(|block| &block.jobs).copied()
    }

    /// Iterates over the sums of forks of all batches.
    pub fn fork_sums(&self) -> impl Iterator<Item = &ForkSum> {
        self.batches.iter().flat_map(|block| &block.forks)
    }

    /// Returns the mean per game of a quantity. `sum` returns the sum of the quantity over a batch.
    ///
    /// # Errors
    /// Returns an error if there are too few blocks, or if they do not vary.
    pub fn mean(
        &self,
        sum: impl Fn(&ReviewBatch) -> f64,
    ) -> Result<hattari_stats::clustered::ClusteredMean, hattari_stats::Untestable> {
        mean_of(self.batches.iter(), sum)
    }
}

/// Returns the mean per game of a quantity in the given batches. `sum` returns the sum of the
/// quantity over a batch.
///
/// # Errors
/// Returns an error if there are too few batches, or if they do not vary.
pub fn mean_of<'b>(
    blocks: impl Iterator<Item = &'b ReviewBatch>,
    sum: impl Fn(&ReviewBatch) -> f64,
) -> Result<hattari_stats::clustered::ClusteredMean, hattari_stats::Untestable> {
    let blocks: Vec<Block> = blocks
        .enumerate()
        .map(|(cluster, block)| Block {
            cluster,
            n: block.games as f64,
            sum: sum(block),
        })
        .collect();
    let scale = blocks
        .iter()
        .map(|block| (block.sum / block.n.max(1.0)).abs())
        .fold(0.0, f64::max);
    clustered_mean(&[Stratum::alone(blocks)], scale)
}
