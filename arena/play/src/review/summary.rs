//! The result of a reviewed block: sums over forks, and a bounded number of example forks.

use super::plan::{BOTH, OTHER, PerBot, REVIEWED};
use hattari_agents::record::JobId;
use hattari_agents::table::{ComparedDecision, FeatureValues};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

/// A fault in the games of a review.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewFault {
    /// Index of the entrant.
    pub entrant: usize,
    /// The block in which the fault first occurred.
    pub job: JobId,
    /// The game in which the fault first occurred.
    pub game: usize,
    /// Kind of the fault.
    pub kind: &'static str,
    /// Message of the first fault.
    pub message: String,
    /// Number of occurrences in all games played.
    pub count: u64,
}

/// Adds a fault to a list, which has one item for each bot and kind.
pub(super) fn add_fault(faults: &mut Vec<ReviewFault>, fault: ReviewFault) {
    match faults
        .iter_mut()
        .find(|known| (known.entrant, known.kind) == (fault.entrant, fault.kind))
    {
        Some(known) => known.count += fault.count,
        None => faults.push(fault),
    }
}

/// Maximum number of example forks with the largest gains, and of those with the largest losses.
pub const EXTREME_FORKS_MAX: usize = 50;
/// Maximum number of forks in the random sample, from which typical forks are chosen.
const SAMPLE_MAX: usize = 512;

/// The difference between two bots in the same seats and on the same deals (the other bot minus the
/// reviewed bot). The field `difference` is exactly the sum of the other three fields.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DifferenceParts {
    /// The difference in the games of the league, where each bot plays its own block.
    pub difference: i64,
    /// The difference in single games from the start states of the reviewed bot's block.
    pub decisions: i64,
    /// Gain of the other bot from the start states that its own games produced.
    pub carried: i64,
    /// Effect of the bots' memory. Single games do not have this effect, because all bots are
    /// restarted.
    pub memory: i64,
}

impl DifferenceParts {
    /// Returns the parts in the order in which they are stored.
    pub(super) fn parts_mut(&mut self) -> [&mut i64; 4] {
        [
            &mut self.difference,
            &mut self.decisions,
            &mut self.carried,
            &mut self.memory,
        ]
    }
}

/// The features of a fork, as indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForkKind {
    /// Index of the position's features.
    pub position: u32,
    /// Indices of the features of each bot's choice.
    pub choices: PerBot<u32>,
}

/// Sums over all forks of a block or batch with the same features.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForkSum {
    /// The features.
    pub kind: ForkKind,
    /// For each bot, the number of forks before which it plays. The other bot plays after them.
    pub counts: PerBot<u32>,
    /// For each bot, the gain in points from the other bot's choices in these forks.
    pub values: PerBot<i64>,
}

/// A decision in which the reviewed bot and the other bot choose differently.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fork {
    /// The block.
    pub job: JobId,
    /// Number of the game in the block.
    pub game: u32,
    /// Number of the unforced decision in the game.
    pub decision: u32,
    /// Gain from the other bot's choice, in points.
    pub value: i64,
    /// The features.
    pub kind: ForkKind,
}

/// A bounded number of example forks, from games in which the reviewed bot plays until the fork.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForkExamples {
    /// Forks with the largest gains from the other bot's choice.
    pub gains: Vec<Fork>,
    /// Forks with the largest losses from the other bot's choice.
    pub losses: Vec<Fork>,
    /// A pseudo-random sample of all forks.
    pub sample: Vec<Fork>,
}

impl ForkExamples {
    /// Adds a fork.
    pub(super) fn add(&mut self, fork: Fork) {
        let place = |fork: &Fork| (fork.job.block, fork.job.line_up, fork.game, fork.decision);
        let number = |fork: &Fork| {
            let place = [fork.job.block, fork.game, fork.decision].map(u32::to_le_bytes);
            xxh3_64(place.as_flattened())
        };
        let gain = |fork: &Fork| (-fork.value, place(fork));
        let loss = |fork: &Fork| (fork.value, place(fork));
        insert(&mut self.gains, fork, EXTREME_FORKS_MAX, gain);
        insert(&mut self.losses, fork, EXTREME_FORKS_MAX, loss);
        insert(&mut self.sample, fork, SAMPLE_MAX, |fork| {
            (number(fork), place(fork))
        });
    }
}

/// Inserts a fork into a list that is ordered by `key`, unless the list contains a fork with the
/// same key. Keeps the first `max` forks.
fn insert<K: Ord>(list: &mut Vec<Fork>, fork: Fork, max: usize, key: impl Fn(&Fork) -> K) {
    let own = key(&fork);
    if list.len() == max && list.last().is_some_and(|last| key(last) <= own) {
        return;
    }
    let Err(index) = list.binary_search_by(|other| key(other).cmp(&own)) else {
        return;
    };
    list.insert(index, fork);
    list.truncate(max);
}

/// The result of a reviewed block. All sums are over the seats of the reviewed bot.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BlockSummary {
    /// Number of games that count.
    pub games: u64,
    /// Number of seats of the reviewed bot.
    pub copies: u64,
    /// The parts of the difference.
    pub sums: DifferenceParts,
    /// Features of positions and choices. Forks and decisions refer to them by index.
    pub features: Vec<FeatureValues>,
    /// The forks of both orders, ordered by features.
    pub forks: Vec<ForkSum>,
    /// For each index of a position's features, the number of unforced decisions in the games of
    /// each bot.
    pub decisions: Vec<(u32, PerBot<u32>)>,
    /// Example forks.
    pub examples: ForkExamples,
    /// The first fault of each bot and kind, with the number of occurrences.
    pub faults: Vec<ReviewFault>,
    /// Digest of all forks and scores.
    pub digest: u64,
}

/// A fast hash function for features. Every decision of a review is hashed.
#[derive(Default)]
struct FeatureHasher(u64);

impl Hasher for FeatureHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word))
                .wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        // The high bits depend on all bits of the input.
        self.0.rotate_left(26)
    }
}

/// Known sets of features with their indices.
#[derive(Default)]
pub(super) struct FeatureNumbers {
    pub features: Vec<FeatureValues>,
    numbers: HashMap<FeatureValues, u32, BuildHasherDefault<FeatureHasher>>,
}

impl FeatureNumbers {
    /// Returns the index of `values` in `features`. Adds `values` to `features` if they are new.
    pub(super) fn number(&mut self, values: &FeatureValues) -> u32 {
        if let Some(&known) = self.numbers.get(values) {
            return known;
        }
        let number = to_u32(self.features.len());
        self.features.push(values.clone());
        self.numbers.insert(values.clone(), number);
        number
    }
}

/// Converts a count to `u32`. Counts above `u32::MAX`, which no game reaches, become `u32::MAX`.
pub(super) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A builder that adds up the forks and decisions of a block while the block is played.
#[derive(Default)]
pub(super) struct SummaryBuilder {
    job: JobId,
    examples: ForkExamples,
    numbers: FeatureNumbers,
    forks: BTreeMap<ForkKind, ForkSum>,
    decisions: BTreeMap<u32, PerBot<u32>>,
    hasher: Xxh3,
}

impl SummaryBuilder {
    pub(super) fn new(job: JobId) -> SummaryBuilder {
        SummaryBuilder {
            job,
            ..SummaryBuilder::default()
        }
    }

    /// Adds a fork before which the bot `first` plays. `game` is the number of the game in the
    /// block, and `decision` is the number of the unforced decision in the game.
    pub(super) fn fork(
        &mut self,
        first: usize,
        game: usize,
        decision: usize,
        value: i64,
        decided: &ComparedDecision,
    ) {
        let (game, decision) = (to_u32(game), to_u32(decision));
        for number in [
            i64::from(first == OTHER),
            i64::from(game) << 32 | i64::from(decision),
            value,
        ] {
            self.hasher.update(&number.to_le_bytes());
        }
        let kind = ForkKind {
            position: self.numbers.number(&decided.position),
            choices: BOTH.map(|bot| self.numbers.number(&decided.choices[bot])),
        };
        let sum = self.forks.entry(kind).or_insert(ForkSum {
            kind,
            ..ForkSum::default()
        });
        sum.counts[first] += 1;
        sum.values[first] += value;
        if first == REVIEWED {
            self.examples.add(Fork {
                job: self.job,
                game,
                decision,
                value,
                kind,
            });
        }
    }

    /// Adds an unforced decision in a game of `bot`.
    pub(super) fn decision(&mut self, bot: usize, decided: &ComparedDecision) {
        let position = self.numbers.number(&decided.position);
        self.decisions.entry(position).or_default()[bot] += 1;
    }

    /// Returns the result of the block. `games` is the number of games that count, and `copies` is
    /// the number of reviewed seats.
    pub(super) fn finish(
        self,
        games: u64,
        copies: u64,
        mut sums: DifferenceParts,
        faults: Vec<ReviewFault>,
    ) -> BlockSummary {
        let bytes = sums.parts_mut().map(|part| part.to_le_bytes());
        BlockSummary {
            games,
            copies,
            sums,
            features: self.numbers.features,
            forks: self.forks.into_values().collect(),
            decisions: self.decisions.into_iter().collect(),
            examples: self.examples,
            faults,
            digest: xxh3_64_with_seed(bytes.as_flattened(), self.hasher.digest()),
        }
    }
}
