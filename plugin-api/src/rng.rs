//! A small fast generator for bots.

use hattari_games::chance;
use rand::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::convert::Infallible;

/// A small, fast, seeded generator (xoshiro256++ by Blackman and Vigna, initialised with
/// SplitMix64). The generator is not suitable for cryptography. A seed gives the same numbers on
/// every machine and in every release.
///
/// The type also implements [`rand::Rng`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Creates a generator. The streams of different seeds are unrelated.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns an unbiased number below `bound`.
    ///
    /// # Panics
    /// Panics if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        chance::below(&mut self.0, bound)
    }

    /// Returns an unbiased index below `len`.
    ///
    /// # Panics
    /// Panics if `len` is 0 or above `u32::MAX`.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        chance::index(&mut self.0, len)
    }

    /// Returns one of `items`, or `None` if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.index(items.len())])
    }

    /// Returns `true` with probability `hits / of`.
    ///
    /// # Panics
    /// Panics if `of` is 0.
    pub fn odds(&mut self, hits: u32, of: u32) -> bool {
        self.below(of) < hits
    }

    /// Returns a number in [0, 1), one of 2^53 evenly spaced numbers.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        // 53 bits fit the significand of an `f64` exactly.
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles `items` uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        chance::shuffle(items, &mut self.0);
    }
}

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(dst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// xoshiro256++ seeded by SplitMix64(42). A change of these numbers changes the play of every
    /// bot that draws.
    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::new(42);
        assert_eq!(
            [rng.bits(), rng.bits()],
            [0xd076_4d4f_4476_689f, 0x519e_4174_576f_3791]
        );
        assert_ne!(Rng::new(1).bits(), Rng::new(2).bits());
    }

    #[test]
    fn draws_stay_in_range_and_reach_every_value() {
        let mut rng = Rng::new(1);
        let mut seen = [0u32; 5];
        for _ in 0..10_000 {
            seen[rng.index(5)] += 1;
            assert!((0.0..1.0).contains(&rng.unit()));
        }
        assert!(seen.iter().all(|&n| (1800..2200).contains(&n)), "{seen:?}");
        assert!(rng.pick::<u8>(&[]).is_none());
        assert!(!rng.odds(0, 3) && rng.odds(3, 3));
        let mut items = [0, 1, 2, 3, 4];
        rng.shuffle(&mut items);
        items.sort_unstable();
        assert_eq!(items, [0, 1, 2, 3, 4]);
    }
}
