//! Where chance comes from: every seed is a one-way function of its coordinates.
//!
//! A node of the tree of seeds is a ChaCha key; a child's key is the first 32 bytes of the stream that the child's
//! coordinate names. From its own seed nobody can climb to a parent or step to a sibling, so a bot that is told its seed
//! learns nothing of the cards. Threads, shards and re-runs reach the same leaf by the same coordinates.

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
    pub fn child(&self, coordinate: u64) -> Seeds {
        let mut key = [0; 32];
        self.stream(coordinate).fill_bytes(&mut key);
        Seeds { key }
    }

    /// The child for `purpose`.
    #[must_use]
    pub fn purpose(&self, purpose: Purpose) -> Seeds {
        self.child(purpose as u64)
    }

    /// The node of one block of one line-up.
    #[must_use]
    pub fn block(&self, line_up: u32, block: u32) -> Seeds {
        self.child(u64::from(line_up)).child(u64::from(block))
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
        let deals = Seeds::league(2007).block(3, 5).purpose(Purpose::Deals);
        assert_eq!(deals.number(7), 12_406_974_111_120_099_672);
    }

    #[test]
    fn coordinates_keep_streams_apart() {
        let root = Seeds::league(1);
        let leaves = [
            root.number(0),
            root.number(1),
            root.child(0).number(0),
            root.block(0, 1).number(0),
            root.block(1, 0).number(0),
            root.purpose(Purpose::Deals).number(0),
            root.purpose(Purpose::Bots).number(0),
            Seeds::league(2).number(0),
        ];
        for (i, a) in leaves.iter().enumerate() {
            assert!(leaves[i + 1..].iter().all(|b| a != b));
        }
    }
}
