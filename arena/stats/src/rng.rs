//! The random number generator for permutation tests. Not suitable for dealing cards, because its
//! state can be computed from its output.

/// The xoshiro256++ generator (Blackman and Vigna, "Scrambled linear pseudorandom number
/// generators"), seeded by SplitMix64. The same seed gives the same numbers on every machine and in
/// every release.
#[derive(Debug, Clone)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        let mut next = || {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = counter;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        Self {
            state: [next(), next(), next(), next()],
        }
    }

    /// Returns 64 uniformly distributed bits.
    pub fn next_u64(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let result = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let t2 = s2 ^ s0;
        let t3 = s3 ^ s1;
        self.state = [s0 ^ t3, s1 ^ t2, t2 ^ (s1 << 17), t3.rotate_left(45)];
        result
    }

    /// Returns a uniformly distributed multiple of 2⁻⁵³ in `[0, 1)`.
    pub fn uniform(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.next_u64() >> 11) as f64 * STEP
    }

    /// Returns a uniformly distributed index below `n`, without bias.
    ///
    /// # Panics
    /// Panics if `n` is zero.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "`n` must be greater than zero");
        let n = n as u64;
        // Values from the largest multiple of n on are rejected, because they would favour small
        // remainders.
        let excess = (u64::MAX % n + 1) % n;
        loop {
            let bits = self.next_u64();
            if bits <= u64::MAX - excess {
                return usize::try_from(bits % n).unwrap_or(usize::MAX);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 5];
        for _ in 0..50_000 {
            counts[rng.below(5)] += 1;
        }
        // Five standard deviations of a binomial(50000, 1/5) distribution are 447.
        assert!(
            counts.iter().all(|&c| c.abs_diff(10_000) < 450),
            "{counts:?}"
        );
    }

    #[test]
    fn the_random_stream_matches_the_reference_for_its_seed() {
        // Computed with an independent Python implementation of the two published algorithms.
        let mut rng = Rng::new(0);
        let first: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(first, EXPECTED);
    }

    const EXPECTED: [u64; 3] = [
        0x5317_5d61_490b_23df,
        0x61da_6f3d_c380_d507,
        0x5c0f_df91_ec9a_7bfc,
    ];
}
