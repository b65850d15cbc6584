//! Random numbers from random bits. The same bits give the same numbers on every machine.

use rand::Rng;

/// Returns a random number in `[0, 1)`.
pub(crate) fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a random number below `bound`, which must be small: the bias is below 2^-60.
pub(crate) fn below(rng: &mut impl Rng, bound: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "less than the bound")]
    let number = ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize;
    number
}

/// Returns a random number with standard normal distribution (Box and Muller). Logarithm and cosine
/// come from `libm`, because those of operating systems differ.
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - unit(rng))).sqrt();
    radius * libm::cos(std::f64::consts::TAU * unit(rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn normal_random_numbers_have_the_expected_moments_and_tails() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let count = 200_000;
        let numbers: Vec<f64> = (0..count).map(|_| normal(&mut rng)).collect();
        let mean = |power: i32| {
            let powers = numbers.iter().map(|&x| libm::pow(x, power.into()));
            powers.sum::<f64>() / f64::from(count)
        };
        // Five standard errors of each.
        assert!(
            mean(1).abs() < 0.0112
                && (mean(2) - 1.0).abs() < 0.0159
                && (mean(4) - 3.0).abs() < 0.11
        );
        let tail = numbers.iter().filter(|x| 1.96 < x.abs()).count();
        assert!((9_500..10_500).contains(&tail), "{tail}");
    }

    #[test]
    fn random_numbers_below_a_bound_are_uniform() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut counts = [0; 3];
        for _ in 0..30_000 {
            counts[below(&mut rng, 3)] += 1;
        }
        assert!(
            counts.iter().all(|count| (9_590..10_410).contains(count)),
            "{counts:?}"
        );
        assert!(
            (0..10_000)
                .map(|_| unit(&mut rng))
                .all(|x| (0.0..1.0).contains(&x))
        );
    }
}
