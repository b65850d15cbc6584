//! The deals of a league's blocks: how many of them count, and which blocks share cards.

use super::League;
use hattari_agents::record::Record;
use hattari_agents::table;
use hattari_plugin::games::LUCK_PARTS;
use serde::Serialize;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub enum DealSharing {
    /// Every block of every line-up has its own cards.
    #[default]
    Own,
    /// Blocks with the same number have the same cards in all line-ups.
    ByNumber,
    /// The league gives the deals. Every line-up plays them in order and starts again after the
    /// last one.
    InTurn {
        /// Number of given deals.
        #[serde(rename = "given")]
        given_deals: u64,
        /// Number of deals per block.
        #[serde(rename = "each")]
        block_deals: u64,
        /// True if all line-ups share the remaining randomness in blocks with the same number;
        /// false if every block has its own.
        is_same: bool,
    },
}

impl DealSharing {
    /// Returns the rule that a league's settings determine.
    pub fn of(league: &League) -> DealSharing {
        match table::game(&league.game, &league.options).map_or(0, |game| game.given_deals() as u64)
        {
            0 if league.same_deals => DealSharing::ByNumber,
            0 => DealSharing::Own,
            given_deals => DealSharing::InTurn {
                given_deals,
                block_deals: league.deals.into(),
                is_same: league.same_deals,
            },
        }
    }

    /// Returns the number of blocks of a line-up before a deal repeats. `None` if deals never
    /// repeat, or if every block has the same given deals. A league with the same given deals in
    /// every block compares bots on these deals only, and the bots are the only source of
    /// randomness.
    #[must_use]
    pub fn blocks_without_repeat(self) -> Option<u64> {
        match self {
            DealSharing::InTurn {
                given_deals,
                block_deals,
                ..
            } if given_deals > block_deals => Some(given_deals / block_deals.max(1)),
            _ => None,
        }
    }

    /// Returns `true` if every block has the same given deals.
    #[must_use]
    pub fn repeats_every_block(self) -> bool {
        matches!(
            self,
            DealSharing::InTurn { given_deals, block_deals, .. } if given_deals <= block_deals
        )
    }

    /// Returns the number of the cluster of every block. `blocks[l]` contains the block numbers of
    /// line-up l; the result has the same shape.
    #[must_use]
    pub fn clusters(self, blocks: &[Vec<u32>]) -> Vec<Vec<usize>> {
        let overlaps = match self {
            DealSharing::InTurn {
                given_deals,
                block_deals,
                ..
            } if given_deals > block_deals => {
                let count = blocks
                    .iter()
                    .flatten()
                    .max()
                    .map_or(0, |&block| u64::from(block) + 1);
                Some(overlap_clusters(given_deals, block_deals, count))
            }
            _ => None,
        };
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

/// Returns the clusters of the first `blocks` blocks, at most up to the next block that starts with
/// the first given deal. Blocks that share a deal, directly or through others, are one cluster.
fn overlap_clusters(given_deals: u64, block_deals: u64, blocks: u64) -> Vec<usize> {
    let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let different = (1..=given_deals)
        .find(|turns| (turns * block_deals).is_multiple_of(given_deals))
        .unwrap_or(given_deals)
        .min(blocks);
    let mut clusters: Vec<usize> = (0..number(different)).collect();
    if different * block_deals <= given_deals {
        return clusters;
    }
    let root = |clusters: &[usize], mut block: usize| {
        while clusters[block] != block {
            block = clusters[block];
        }
        block
    };
    let mut first: Vec<Option<usize>> = vec![None; number(given_deals)];
    for block in 0..clusters.len() {
        for deal in 0..block_deals {
            let given_deal = number((block as u64 * block_deals + deal) % given_deals);
            let other = *first[given_deal].get_or_insert(block);
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
                given_deals,
                block_deals,
                is_same: false,
            };
            let blocks = (0..).take(clusters.len()).collect();
            assert_eq!(sharing.clusters(&[blocks]), [clusters]);
            assert_eq!(sharing.blocks_without_repeat(), without_repeat);
        }
        // If line-ups also share the remaining randomness, their blocks are one observation.
        let blocks = [vec![0, 1], vec![0, 1]];
        let shared = |is_same| DealSharing::InTurn {
            given_deals: 2,
            block_deals: 2,
            is_same,
        };
        assert_eq!(shared(false).clusters(&blocks), [[0, 1], [2, 3]]);
        assert_eq!(shared(true).clusters(&blocks), [[0, 1], [0, 1]]);
    }
}
