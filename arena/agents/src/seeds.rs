//! Where chance comes from: every seed is a one-way function of its coordinates.
//!
//! A node of the tree of seeds is a ChaCha key; a child's key is the first 32 bytes of the stream
//! that the child's coordinate names. From its own seed nobody can climb to a parent or step to a
//! sibling, so a bot that is told its seed learns nothing of the cards. Threads, shards and re-runs
//! reach the same leaf by the same coordinates.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha12Rng;

/// What a seed is for: the coordinate that keeps streams apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The cards and all other chance of deals.
    Deals = 1,
    /// The bots' own randomness.
    Bots = 2,
    /// What the schedule draws (samples of line-ups).
    Schedule = 3,
    /// Bootstrap and permutation in reports.
    Report = 4,
    /// Measures taken while a league is played.
    Measure = 5,
    /// What line-ups play: each has a node of its own below.
    LineUps = 6,
    /// Deals that all line-ups share.
    SharedDeals = 7,
    /// What could have come in a deal, drawn to tell what came apart from luck.
    Luck = 8,
    /// The bots' own randomness where a review plays single deals.
    Review = 9,
}

/// Where the chance of one line-up comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance {
    /// The node of its deals, which other line-ups may have too.
    pub deals: Seeds,
    /// The node of its bots' own randomness.
    pub bots: Seeds,
}

impl Chance {
    /// The chance of a table without a league.
    #[must_use]
    pub fn alone(seed: u64) -> Chance {
        Seeds::league(seed).line_up([])
    }
}

/// A node of the tree of seeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seeds {
    key: [u8; 32],
}

impl Seeds {
    /// The root of a league.
    #[must_use]
    pub fn league(seed: u64) -> Seeds {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..15].copy_from_slice(b"hattari");
        Seeds { key }.child(0)
    }

    /// The child at `coordinate`.
    #[must_use]
    pub(crate) fn child(&self, coordinate: u64) -> Seeds {
        let mut key = [0; 32];
        self.stream(coordinate).fill_bytes(&mut key);
        Seeds { key }
    }

    /// The child for `purpose`.
    #[must_use]
    pub fn purpose(&self, purpose: Purpose) -> Seeds {
        self.child(purpose as u64)
    }

    /// The chance of those of these names at their places, with deals of their own. Nothing else
    /// counts: not who else takes part in a league, nor in which order.
    #[must_use]
    pub fn line_up<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Chance {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        for name in names {
            hasher.update(&(name.len() as u64).to_le_bytes());
            hasher.update(name.as_bytes());
        }
        let hash = hasher.digest128().to_le_bytes();
        let half =
            |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("a half has eight bytes"));
        let node = self
            .purpose(Purpose::LineUps)
            .child(half(&hash[..8]))
            .child(half(&hash[8..]));
        Chance {
            deals: node.clone(),
            bots: node,
        }
    }

    /// The same with the deals that all line-ups share.
    #[must_use]
    pub fn line_up_of_shared_deals<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Chance {
        Chance {
            deals: self.purpose(Purpose::SharedDeals),
            ..self.line_up(names)
        }
    }

    /// The node of a block below a line-up's.
    #[must_use]
    pub fn block(&self, block: u32) -> Seeds {
        self.child(u64::from(block))
    }

    /// The random stream that `coordinate` names; a leaf.
    #[must_use]
    pub fn stream(&self, coordinate: u64) -> ChaCha12Rng {
        let mut rng = ChaCha12Rng::from_seed(self.key);
        rng.set_stream(coordinate);
        rng
    }

    /// One number at `coordinate`; a leaf.
    #[must_use]
    pub fn number(&self, coordinate: u64) -> u64 {
        self.stream(coordinate).next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records of all leagues hang on these numbers: they may never change.
    #[test]
    fn seeds_are_fixed_for_all_time() {
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
    fn coordinates_keep_streams_apart() {
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
