//! Collects the results of reviewed blocks in the order of play.

use super::block::{BY, OF, PlayedBlock, ReviewFault};
use super::plan::ReviewUnit;
use hattari_agents::record::JobId;
use hattari_agents::table::FeatureValues;
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use serde::Serialize;
use std::collections::HashMap;

/// A review of one bot by another.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// The blocks in the order of play.
    pub blocks: Vec<ReviewedBlock>,
    /// Features; forks and decisions refer to them by index.
    pub marks: Vec<FeatureValues>,
    /// Faults in all games: the first of each bot and kind per block.
    pub faults: Vec<ReviewFault>,
    /// Digest of all forks and scores; it does not depend on the number of threads.
    pub digest: u64,
}

/// A block of a review. All sums are over the seats of the reviewed bot.
#[derive(Clone, Debug)]
pub struct ReviewedBlock {
    /// The block.
    pub job: JobId,
    /// Cluster of the block; blocks of a cluster have the same cards.
    pub cluster: usize,
    /// Number of games that count, times the number of seats of the reviewed bot.
    pub games: u64,
    /// The parts of the difference.
    pub sums: Identity,
    /// The forks of both orders.
    pub forks: Vec<Fork>,
    /// Numbers of unforced decisions by features of the position: in the games of the reviewed bot,
    /// and in those of the other bot.
    pub decisions: Vec<(u32, [u32; 2])>,
}

/// The difference between two bots in the same seats and on the same deals (`by` minus `of`). It is
/// exactly the sum of the other three fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The difference in the games of the league, where each bot plays its own block.
    pub difference: i64,
    /// The difference in single games from the start states of the reviewed bot's block.
    pub decisions: i64,
    /// Gain of the other bot from the start states that its own games produced.
    pub carried: i64,
    /// Effect of the bots' memory, which single games lack because all bots are started anew.
    pub memory: i64,
}

/// A decision on which the two bots differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fork {
    /// 0 if the reviewed bot plays before the fork and the other bot after it, 1 for the opposite
    /// order.
    pub order: u8,
    /// Number of the game in the block.
    pub game: u32,
    /// Number of the unforced decision in the game.
    pub decision: u32,
    /// Gain from the other bot's choice, in points.
    pub value: i64,
    /// Index of the position's features.
    pub position: u32,
    /// Indices of the features of the choices: of the other bot, and of the reviewed bot.
    pub choices: [u32; 2],
}

/// Collects reviewed blocks.
pub(super) struct Collector {
    review: Review,
    numbers: HashMap<FeatureValues, u32>,
    games: u64,
}

impl Collector {
    pub(super) fn new() -> Collector {
        Collector {
            review: Review::default(),
            numbers: HashMap::new(),
            games: 0,
        }
    }

    /// Returns the number of games so far.
    pub(super) fn games(&self) -> u64 {
        self.games
    }

    fn number(&mut self, marks: &FeatureValues) -> u32 {
        if let Some(&number) = self.numbers.get(marks) {
            return number;
        }
        let number = u32::try_from(self.review.marks.len()).expect("features are few");
        self.review.marks.push(marks.clone());
        self.numbers.insert(marks.clone(), number);
        number
    }

    pub(super) fn add(&mut self, unit: ReviewUnit, played: PlayedBlock) {
        let difference = played.in_block[BY] - played.in_block[OF];
        let decisions = played.anew[BY] - played.anew[OF];
        let carried = played.own_start - played.anew[BY];
        let mut block = ReviewedBlock {
            job: unit.job,
            cluster: unit.cluster,
            games: played.games * played.copies as u64,
            sums: Identity {
                difference,
                decisions,
                carried,
                memory: difference - decisions - carried,
            },
            forks: Vec::new(),
            decisions: Vec::new(),
        };
        self.games += played.games;
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        for fork in &played.forks {
            let decided = &played.decided[fork.order][fork.game][fork.decision];
            block.forks.push(Fork {
                order: u8::from(fork.order == 1),
                game: short(fork.game),
                decision: short(fork.decision),
                value: fork.value,
                position: self.number(&decided.position),
                choices: [BY, OF].map(|bot| self.number(&decided.choices[bot])),
            });
        }
        let mut counts: HashMap<u32, [u32; 2]> = HashMap::new();
        for (order, games) in played.decided.iter().enumerate() {
            for decided in games.iter().flatten() {
                counts.entry(self.number(&decided.position)).or_default()[order] += 1;
            }
        }
        block.decisions = counts.into_iter().collect();
        block.decisions.sort_unstable();
        self.review.faults.extend(played.faults);
        self.review.blocks.push(block);
    }

    /// Returns `true` if the 95 % interval of the difference is at most as wide as requested.
    pub(super) fn is_precise(&self, half_width: Option<f64>) -> bool {
        // With few blocks, intervals may be narrow by chance.
        const BLOCKS_MIN: usize = 10;
        let Some(half_width) = half_width.filter(|_| BLOCKS_MIN <= self.review.blocks.len()) else {
            return false;
        };
        let interval = self
            .review
            .mean(|block| block.sums.decisions as f64)
            .and_then(|mean| mean.interval(0.95));
        interval.is_ok_and(|interval| (interval.high - interval.low) / 2.0 <= half_width)
    }

    pub(super) fn finish(mut self) -> Review {
        let mut digest = 0;
        for block in &self.review.blocks {
            let sums = block.sums;
            let numbers = [sums.difference, sums.decisions, sums.carried, sums.memory];
            let forks = block.forks.iter().flat_map(|fork| {
                let place = i64::from(fork.game) << 32 | i64::from(fork.decision);
                [i64::from(fork.order), place, fork.value]
            });
            let bytes: Vec<u8> = numbers
                .into_iter()
                .chain(forks)
                .flat_map(i64::to_le_bytes)
                .collect();
            digest = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes, digest);
        }
        self.review.digest = digest;
        self.review
    }
}

impl Review {
    /// Returns the number of games that count, times the number of seats of the reviewed bot.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.blocks.iter().map(|block| block.games).sum()
    }

    /// Returns the mean per game of a sum over blocks.
    ///
    /// # Errors
    /// Returns an error if there are too few blocks, or if they do not vary.
    pub fn mean(
        &self,
        sum: impl Fn(&ReviewedBlock) -> f64,
    ) -> Result<hattari_stats::clustered::ClusteredMean, hattari_stats::Untestable> {
        mean_of(self.blocks.iter(), sum)
    }
}

/// Returns the mean per game of a sum over the given blocks.
///
/// # Errors
/// Returns an error if there are too few blocks, or if they do not vary.
pub fn mean_of<'b>(
    blocks: impl Iterator<Item = &'b ReviewedBlock>,
    sum: impl Fn(&ReviewedBlock) -> f64,
) -> Result<hattari_stats::clustered::ClusteredMean, hattari_stats::Untestable> {
    let blocks: Vec<Block> = blocks
        .map(|block| Block {
            cluster: block.cluster,
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
