//! The deals of a league's blocks: how many of them count, and which blocks share cards.

use super::League;
use hattari_agents::record::Record;
use hattari_agents::table;
use hattari_plugin::games::LUCK_PARTS;
use std::collections::HashSet;

/// The planned deals of a block. If the rules end a block early, unplayed deals count as zero, and
/// the score is the mean over the planned deals. With a mean over the played deals, losing a stack
/// in the first deal would cost as much as losing a stack in every deal.
#[derive(Clone, Copy, Debug)]
pub struct PlannedDeals {
    /// Number of deals per rotation.
    pub deals: u32,
    /// Number of rotations that count.
    pub rotations: u32,
}

impl PlannedDeals {
    /// Returns the planned deals of a league with `players` players at a table.
    pub fn of(league: &League, players: usize) -> PlannedDeals {
        let counted = || {
            let game = table::game(&league.game, &league.options).ok();
            game.and_then(|game| u32::try_from(game.counted_rotations(players)).ok())
                .unwrap_or(1)
        };
        PlannedDeals {
            deals: league.deals,
            rotations: if league.duplicate { counted() } else { 1 },
        }
    }

    /// Returns the number of games that count.
    #[must_use]
    pub(crate) fn games(self) -> u64 {
        u64::from(self.deals) * u64::from(self.rotations)
    }

    /// Returns the scores of a block.
    #[must_use]
    pub(crate) fn scores(self, record: &Record) -> BlockScores<'_> {
        self.scores_of(record.deals, &record.sum, &record.luck)
    }

    /// Returns the scores of a block with `deals` deals. `sums` contains one total per place;
    /// `luck` has a row per kind of chance, with one value per place.
    pub(crate) fn scores_of<'r>(
        self,
        deals: u32,
        sums: &'r [i64],
        luck: &'r [i64],
    ) -> BlockScores<'r> {
        BlockScores {
            sums,
            luck,
            deals: u64::from(deals).max(self.games()) as f64,
        }
    }
}

/// Scores and luck of a block per deal: means over the planned deals.
#[derive(Clone, Copy)]
pub(crate) struct BlockScores<'r> {
    sums: &'r [i64],
    luck: &'r [i64],
    deals: f64,
}

impl BlockScores<'_> {
    /// Returns the score of an entrant per deal, as a mean over its copies at the given places.
    pub(crate) fn mean(&self, places: &[usize]) -> f64 {
        self.mean_per_deal(self.sums, places, 1)
    }

    /// Returns the luck of an entrant per deal, one mean over the given places for each kind of
    /// chance.
    pub(crate) fn luck(&self, places: &[usize]) -> impl Iterator<Item = f64> {
        self.luck
            .chunks(self.sums.len())
            .map(move |row| self.mean_per_deal(row, places, LUCK_PARTS))
    }

    /// Returns the mean of a row per deal and place, in points. The unit of the row is `1 / parts`
    /// point.
    fn mean_per_deal(&self, row: &[i64], places: &[usize], parts: i64) -> f64 {
        let total: i64 = places.iter().map(|&place| row[place]).sum();
        total as f64 / (parts as f64 * self.deals * places.len() as f64)
    }
}

/// Returns the places of each distinct entrant. Entrants are ordered by their first place.
pub(crate) fn places_of(entrants: &[usize]) -> Vec<Vec<usize>> {
    let mut places: Vec<Vec<usize>> = Vec::new();
    for (place, entrant) in entrants.iter().enumerate() {
        match places
            .iter_mut()
            .find(|known| entrants[known[0]] == *entrant)
        {
            Some(known) => known.push(place),
            None => places.push(vec![place]),
        }
    }
    places
}

/// The rule by which blocks share cards. Blocks with the same cards form a *cluster*. A cluster
/// counts as one observation, even if its blocks belong to several line-ups.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DealSharing {
    /// Every block of every line-up has its own cards.
    #[default]
    Own,
    /// Blocks with the same number have the same cards in all line-ups.
    ByNumber,
    /// The league gives the deals. Every line-up plays them in order and starts again after the
    /// last one.
    InTurn {
        /// For each given deal, the index of the first one with the same cards. A list that
        /// consists of the same part several times is given once.
        deals: Vec<usize>,
        /// Number of deals per block.
        block_deals: usize,
        /// True if all line-ups share the remaining randomness in blocks with the same number;
        /// false if every block has its own.
        is_same: bool,
    },
}

impl DealSharing {
    /// Returns the rule that a league's settings determine.
    pub fn of(league: &League) -> DealSharing {
        let game = table::game(&league.game, &league.options);
        let mut deals = game.map_or(Vec::new(), |game| game.given_deals());
        if deals.is_empty() {
            return if league.same_deals {
                DealSharing::ByNumber
            } else {
                DealSharing::Own
            };
        }
        let repeats = |&part: &usize| {
            deals.len().is_multiple_of(part) && deals[part..] == deals[..deals.len() - part]
        };
        deals.truncate((1..deals.len()).find(repeats).unwrap_or(deals.len()));
        DealSharing::InTurn {
            deals,
            block_deals: league.deals as usize,
            is_same: league.same_deals,
        }
    }

    /// Returns the number of blocks of a line-up before a deal repeats. `None` if deals never
    /// repeat, or if every block has the same given deals. A league with the same given deals in
    /// every block compares bots on these deals only, and the bots are the only source of
    /// randomness.
    #[must_use]
    pub fn blocks_without_repeat(&self) -> Option<u64> {
        let (deals, block_deals) = self.varying_deals()?;
        let mut known = HashSet::new();
        (0_u64..)
            .zip(blocks_of(deals, block_deals))
            .find_map(|(number, block)| {
                let block: Vec<usize> = block.collect();
                let is_new = block.iter().all(|deal| !known.contains(deal));
                known.extend(block);
                (!is_new).then_some(number)
            })
    }

    /// Returns `true` if every block has the same given deals.
    #[must_use]
    pub fn repeats_every_block(&self) -> bool {
        matches!(self, DealSharing::InTurn { .. }) && self.varying_deals().is_none()
    }

    /// Returns the given deals and their number in each block, unless every block has all of them.
    fn varying_deals(&self) -> Option<(&[usize], usize)> {
        match self {
            DealSharing::InTurn {
                deals, block_deals, ..
            } if deals.len() > *block_deals => Some((deals, *block_deals)),
            _ => None,
        }
    }

    /// Returns the number of the cluster of every block. `blocks[l]` contains the block numbers of
    /// line-up l; the result has the same shape.
    #[must_use]
    pub fn clusters(&self, blocks: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let overlaps = self.varying_deals().map(|(deals, block_deals)| {
            let last = blocks.iter().flatten().max();
            overlap_clusters(
                deals,
                block_deals,
                last.map_or(0, |&block| block as usize + 1),
            )
        });
        let is_by_number = matches!(
            self,
            DealSharing::ByNumber | DealSharing::InTurn { is_same: true, .. }
        );
        let mut own = 0;
        let mut cluster = |&block: &u32| match &overlaps {
            Some(clusters) => clusters[block as usize % clusters.len()],
            None if is_by_number => block as usize,
            None => {
                own += 1;
                own - 1
            }
        };
        blocks
            .iter()
            .map(|numbers| numbers.iter().map(&mut cluster).collect())
            .collect()
    }
}

/// Returns the given deals of each block; the blocks do not end.
fn blocks_of(
    deals: &[usize],
    block_deals: usize,
) -> impl Iterator<Item = impl Iterator<Item = usize>> {
    (0..).map(move |block| {
        let first = block * block_deals;
        (first..first + block_deals).map(|place| deals[place % deals.len()])
    })
}

/// Returns the clusters of the first `blocks` blocks, at most up to the next block that starts with
/// the first given deal. Blocks that share a deal, directly or through others, are one cluster.
fn overlap_clusters(deals: &[usize], block_deals: usize, blocks: usize) -> Vec<usize> {
    let different = (1..=deals.len())
        .find(|turns| (turns * block_deals).is_multiple_of(deals.len()))
        .unwrap_or(deals.len())
        .min(blocks);
    let mut clusters: Vec<usize> = (0..different).collect();
    let root = |clusters: &[usize], mut block: usize| {
        while clusters[block] != block {
            block = clusters[block];
        }
        block
    };
    let mut first: Vec<Option<usize>> = vec![None; deals.len()];
    for (block, block_deals) in (0..different).zip(blocks_of(deals, block_deals)) {
        for deal in block_deals {
            let other = *first[deal].get_or_insert(block);
            let (a, b) = (root(&clusters, block), root(&clusters, other));
            clusters[a.max(b)] = a.min(b);
        }
    }
    for block in 0..clusters.len() {
        clusters[block] = root(&clusters, block);
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ups_with_the_same_deals_share_clusters_by_block_number() {
        let blocks = [vec![0, 1, 2], vec![0, 2, 5]];
        assert_eq!(DealSharing::Own.clusters(&blocks), [[0, 1, 2], [3, 4, 5]]);
        assert_eq!(
            DealSharing::ByNumber.clusters(&blocks),
            [[0, 1, 2], [0, 2, 5]]
        );
    }

    #[test]
    fn blocks_that_share_fixed_deals_belong_to_the_same_cluster() {
        for (given_deals, block_deals, clusters, without_repeat) in [
            // Six deals, two per block: every third block has the same deals.
            (6, 2, &[0, 1, 2, 0, 1, 2, 0][..], Some(3)),
            (6, 2, &[0, 1], Some(3)),
            // Seven deals, three per block: the third block (deals 6, 0, 1) overlaps the first, the
            // fourth (2, 3, 4) the first two.
            (7, 3, &[0, 1], Some(2)),
            (7, 3, &[0, 1, 0], Some(2)),
            (7, 3, &[0; 4], Some(2)),
            (7, 3, &[0; 9], Some(2)),
            // Every block has the same deals: only the bots are random.
            (2, 2, &[0, 1, 2, 3], None),
        ] {
            let sharing = DealSharing::InTurn {
                deals: (0..given_deals).collect(),
                block_deals,
                is_same: false,
            };
            let blocks = (0..).take(clusters.len()).collect();
            assert_eq!(sharing.clusters(&[blocks]), [clusters]);
            assert_eq!(sharing.blocks_without_repeat(), without_repeat);
        }
        // The second and the fourth deal have the cards of the first and the third.
        let sharing = DealSharing::InTurn {
            deals: vec![0, 0, 2, 2],
            block_deals: 1,
            is_same: false,
        };
        let clusters = sharing.clusters(&[(0..6).collect()]);
        assert_eq!(clusters, [[0, 0, 2, 2, 0, 0]]);
        assert_eq!(sharing.blocks_without_repeat(), Some(1));
        // If line-ups also share the remaining randomness, their blocks are one observation.
        let blocks = [vec![0, 1], vec![0, 1]];
        let shared = |is_same| DealSharing::InTurn {
            deals: vec![0, 1],
            block_deals: 2,
            is_same,
        };
        assert_eq!(shared(false).clusters(&blocks), [[0, 1], [2, 3]]);
        assert_eq!(shared(true).clusters(&blocks), [[0, 1], [0, 1]]);
    }
}
