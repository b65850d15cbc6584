//! Random seeds. Every seed is derived from the league's seed by a one-way function.
//!
//! Seeds form a tree. A node is a ChaCha key. Each node has numbered random streams. The number of
//! a child is called its coordinate; the child's key is the first 32 bytes of the stream with that
//! number. The keys of parents and siblings cannot be computed from a node, so a bot's seed reveals
//! nothing about the cards. The coordinates on the way from the root determine a seed, so all
//! threads, machines and re-runs derive the same seeds.

use hattari_plugin::games::Seating;
use hattari_plugin::games::chance::shuffle;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

/// The purpose of a seed: a coordinate that separates independent random streams.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// Cards and all other chance events of deals.
    Deals = 1,
    /// Random numbers of the bots.
    Bots = 2,
    /// Random choices of the schedule (samples of line-ups).
    Schedule = 3,
    /// Bootstrap and permutation tests in reports.
    Report = 4,
    /// Measurements that a study makes while a league is played.
    Measure = 5,
    /// Line-ups. Each line-up has its own child node.
    LineUps = 6,
    /// Deals that all line-ups share.
    SharedDeals = 7,
    /// Alternative chance events, drawn to measure luck.
    Luck = 8,
    /// Random numbers of the bots in single deals that a review plays.
    Review = 9,
    /// The order of the players in a block.
    Seats = 10,
}

/// The seeds of one line-up.
#[derive(Clone, Debug)]
pub struct LineUpSeeds {
    /// Node of the deals. Several line-ups may share it.
    pub deals: Seeds,
    /// Node of the bots' random numbers.
    pub bots: Seeds,
    /// `true` if the order of the seats is drawn for every block ([`Seating::Ordered`]).
    pub draws_seats: bool,
    /// `true` if the numbers of the players are drawn for every block ([`Seating::Drawn`]).
    pub draws_numbers: bool,
}

impl LineUpSeeds {
    /// Returns the seeds of a table outside of leagues, derived from `seed`.
    pub fn new(seed: u64) -> LineUpSeeds {
        Seeds::league(seed).line_up([])
    }

    /// Returns the entrants of a block in the order of their numbers as players.
    pub fn order(&self, block: u32, players: usize, seating: Seating) -> Vec<usize> {
        let is_drawn = match seating {
            Seating::Ordered => self.draws_seats,
            Seating::Drawn => self.draws_numbers,
            Seating::Fixed => false,
        };
        let mut order: Vec<usize> = (0..players).collect();
        if is_drawn {
            let seats = self.deals.block(block).purpose(Purpose::Seats);
            shuffle(&mut order, &mut seats.stream(0));
        }
        order
    }
}

/// A node of the tree of seeds.
#[derive(Clone, Debug)]
pub struct Seeds {
    key: [u8; 32],
}

impl Seeds {
    /// Returns the root node of a league.
    pub fn league(seed: u64) -> Seeds {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..15].copy_from_slice(b"hattari");
        Seeds { key }.child(0)
    }

    /// Returns the child node at `coordinate`.
    pub fn child(&self, coordinate: u64) -> Seeds {
        let mut key = [0; 32];
        self.stream(coordinate).fill_bytes(&mut key);
        Seeds { key }
    }

    /// Returns the child node for `purpose`.
    pub fn purpose(&self, purpose: Purpose) -> Seeds {
        self.child(purpose as u64)
    }

    /// Returns the seeds of a line-up that has its own deals. The seeds depend on the names and the
    /// order of its entrants, but not on other entrants of the league.
    pub fn line_up<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> LineUpSeeds {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        for name in names {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
        }
        let [low, high]: [u64; 2] = bytemuck::cast(hasher.digest128().to_le_bytes());
        let node = self
            .purpose(Purpose::LineUps)
            .child(u64::from_le(low))
            .child(u64::from_le(high));
        LineUpSeeds {
            deals: node.clone(),
            bots: node,
            draws_seats: false,
            draws_numbers: false,
        }
    }

    /// Returns the seeds of a line-up that shares its deals with all other line-ups.
    pub fn line_up_of_shared_deals<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> LineUpSeeds {
        LineUpSeeds {
            deals: self.purpose(Purpose::SharedDeals),
            ..self.line_up(names)
        }
    }

    /// Returns the node of a block, a child of the line-up's node.
    pub fn block(&self, block: u32) -> Seeds {
        self.child(u64::from(block))
    }

    /// Returns the random stream at `coordinate`, which is a leaf of the tree.
    pub fn stream(&self, coordinate: u64) -> ChaCha12Rng {
        let mut rng = ChaCha12Rng::from_seed(self.key);
        rng.set_stream(coordinate);
        rng
    }

    /// Returns the first random number at `coordinate`, which is a leaf of the tree.
    pub fn number(&self, coordinate: u64) -> u64 {
        self.stream(coordinate).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_players_is_drawn_for_every_block() {
        let all = LineUpSeeds {
            draws_seats: true,
            draws_numbers: true,
            ..LineUpSeeds::new(5)
        };
        let orders = |seeds: &LineUpSeeds, seating| {
            let orders = (0..60).map(|block| seeds.order(block, 3, seating));
            orders.collect::<std::collections::HashSet<_>>().len()
        };
        for (seating, number) in [
            (Seating::Ordered, 6),
            (Seating::Drawn, 6),
            (Seating::Fixed, 1),
        ] {
            assert_eq!(orders(&all, seating), number);
            assert_eq!(orders(&LineUpSeeds::new(5), seating), 1);
        }
    }

    /// The records of all leagues depend on these numbers, so they must never change.
    #[test]
    fn derived_seeds_match_the_published_constants() {
        let league = Seeds::league(2007);
        let own = league.line_up(["base", "all-k"]);
        let shared = league.line_up_of_shared_deals(["base", "all-k"]);
        let number = |node: &Seeds, purpose| node.block(5).purpose(purpose).number(7);
        let numbers = [
            number(&own.deals, Purpose::Deals),
            number(&own.bots, Purpose::Bots),
            number(&shared.deals, Purpose::Deals),
            number(&shared.bots, Purpose::Bots),
        ];
        let expected = [
            11_880_487_667_661_297_316,
            4_541_785_734_116_127_234,
            9_069_901_733_627_639_681,
            4_541_785_734_116_127_234,
        ];
        assert_eq!(numbers, expected);
    }

    #[test]
    fn different_coordinates_give_different_streams() {
        let root = Seeds::league(1);
        let leaves = [
            root.number(0),
            root.number(1),
            root.child(0).number(0),
            root.line_up(["a", "b"]).deals.number(0),
            root.line_up(["b", "a"]).deals.number(0),
            root.line_up(["ab"]).deals.number(0),
            root.line_up(["a", "b"]).deals.block(1).number(0),
            root.line_up_of_shared_deals(["a", "b"]).deals.number(0),
            root.purpose(Purpose::Deals).number(0),
            root.purpose(Purpose::Bots).number(0),
            Seeds::league(2).number(0),
        ];
        for (i, a) in leaves.iter().enumerate() {
            assert!(leaves[i + 1..].iter().all(|b| a != b));
        }
    }
}
