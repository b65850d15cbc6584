//! Tests of block differences that assume no normal scores: Wilcoxon's signed ranks and sign flips.
//! Checks beside the block t-test.

use crate::dist::normal;
use crate::summary::ROUNDING_NOISE;
use crate::{Rng, Untestable};
use serde::{Deserialize, Serialize};

/// How a p came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PMethod {
    /// All arrangements counted.
    Exact,
    /// The normal approximation.
    Normal,
    /// Arrangements drawn by a seeded generator.
    MonteCarlo,
}

/// A two-sided p that needs no normal scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RankTest {
    /// Differences other than zero that went in.
    pub n: usize,
    /// Two-sided p, never 0.
    pub p: f64,
    /// How it came about.
    pub method: PMethod,
}

/// From so many differences on, and with ties, Wilcoxon's p comes from the normal approximation.
const WILCOXON_EXACT_MAX: usize = 50;

/// Up to so many differences all sign flips are counted.
const FLIPS_EXACT_MAX: usize = 18;

/// Wilcoxon's signed-rank test that differences are symmetric about zero. Zero differences are left
/// out; ties share the mean of their ranks, with the variance corrected. Exact up to 50 differences
/// without ties or zeros.
///
/// # Errors
/// A difference that is not finite; [`Untestable::ZeroVariance`] when all are zero; no differences.
pub fn wilcoxon(differences: &[f64]) -> Result<RankTest, Untestable> {
    let all = checked(differences)?;
    let mut nonzero: Vec<f64> = all.iter().copied().filter(|&d| d != 0.0).collect();
    nonzero.sort_by(|x, y| x.abs().total_cmp(&y.abs()));
    let n = nonzero.len();
    let mut rank_sum = 0.0;
    let mut tie_term = 0.0;
    let mut below = 0usize;
    for tied in nonzero.chunk_by(|x, y| x.abs() == y.abs()) {
        let t = tied.len() as f64;
        let rank = below as f64 + 0.5 * (t + 1.0);
        rank_sum += rank * tied.iter().filter(|&&d| 0.0 < d).count() as f64;
        tie_term += t * (t * t - 1.0);
        below += tied.len();
    }
    let size = n as f64;
    let expected = 0.25 * size * (size + 1.0);
    if n <= WILCOXON_EXACT_MAX && tie_term == 0.0 && n == all.len() {
        return Ok(RankTest {
            n,
            p: exact_rank_sum_p(n, rank_sum.min(2.0 * expected - rank_sum)),
            method: PMethod::Exact,
        });
    }
    let variance = (size * (size + 1.0) * (2.0 * size + 1.0) - 0.5 * tie_term) / 24.0;
    let z = (rank_sum - expected).abs() / variance.sqrt();
    Ok(RankTest {
        n,
        p: (2.0 * normal::sf(z)).clamp(f64::MIN_POSITIVE, 1.0),
        method: PMethod::Normal,
    })
}

/// 2 P(rank sum ≤ `smaller`) when each of the ranks 1 … n counts with a fair coin.
fn exact_rank_sum_p(n: usize, smaller: f64) -> f64 {
    let most = n * (n + 1) / 2;
    let mut chance = vec![0.0; most + 1];
    chance[0] = 1.0;
    for rank in 1..=n {
        for sum in (0..=rank * (rank + 1) / 2).rev() {
            chance[sum] = 0.5 * (chance[sum] + if rank <= sum { chance[sum - rank] } else { 0.0 });
        }
    }
    let below: f64 = chance
        .iter()
        .enumerate()
        .take_while(|(sum, _)| *sum as f64 <= smaller)
        .map(|(_, p)| p)
        .sum();
    (2.0 * below).clamp(f64::MIN_POSITIVE, 1.0)
}

/// The permutation test of a mean of zero: if differences are symmetric, each sign is a fair coin.
/// p is the part of all sign patterns whose mean is at least as far from zero; counted up to 18
/// differences, beyond that estimated from `samples` random patterns as (1 + hits) / (1 + samples),
/// which keeps the level exactly.
///
/// # Errors
/// A difference that is not finite; [`Untestable::ZeroVariance`] when all are zero; no differences;
/// no samples.
pub fn sign_flip_test(
    differences: &[f64],
    samples: u32,
    seed: u64,
) -> Result<RankTest, Untestable> {
    sign_flip_test_up_to(FLIPS_EXACT_MAX, differences, samples, seed)
}

/// As [`sign_flip_test`], counted up to `exact_max` differences, 18 at most: counting n takes 2^(n
/// − 1) patterns.
///
/// # Errors
/// Returns the errors of [`sign_flip_test`].
pub fn sign_flip_test_up_to(
    exact_max: usize,
    differences: &[f64],
    samples: u32,
    seed: u64,
) -> Result<RankTest, Untestable> {
    let all = checked(differences)?;
    if samples == 0 {
        return Err(Untestable::bad(
            "a sign-flip test needs at least one sample",
        ));
    }
    // Scaled, so that sums of huge differences stay finite.
    let scale = all.iter().fold(0.0f64, |largest, d| largest.max(d.abs()));
    let d: Vec<f64> = all
        .iter()
        .filter(|&&d| d != 0.0)
        .map(|d| d / scale)
        .collect();
    let n = d.len();
    // Patterns that differ by rounding from the observed one count as equal to it.
    let observed = d.iter().sum::<f64>().abs() - ROUNDING_NOISE * n as f64;
    if n <= exact_max.min(FLIPS_EXACT_MAX) {
        // The mirror image of a pattern is as far, so the first sign may stay.
        let patterns = 1u32 << (n - 1);
        let sum = |flips: u32| -> f64 {
            d.iter()
                .enumerate()
                .map(|(i, x)| if (flips << 1) & (1 << i) == 0 { *x } else { -x })
                .sum()
        };
        let hits = (0..patterns)
            .filter(|&flips| observed <= sum(flips).abs())
            .count();
        return Ok(RankTest {
            n,
            p: hits as f64 / f64::from(patterns),
            method: PMethod::Exact,
        });
    }
    let mut rng = Rng::new(seed);
    let mut hits = 0u32;
    for _ in 0..samples {
        let sum: f64 = d
            .chunks(64)
            .map(|chunk| {
                let mut bits = rng.next_u64();
                chunk.iter().fold(0.0, |sum, x| {
                    let signed = if bits & 1 == 0 { *x } else { -x };
                    bits >>= 1;
                    sum + signed
                })
            })
            .sum();
        hits += u32::from(observed <= sum.abs());
    }
    Ok(RankTest {
        n,
        p: f64::from(hits + 1) / (f64::from(samples) + 1.0),
        method: PMethod::MonteCarlo,
    })
}

fn checked(differences: &[f64]) -> Result<&[f64], Untestable> {
    if differences.iter().any(|d| !d.is_finite()) {
        Err(Untestable::NotFinite)
    } else if differences.is_empty() {
        Err(Untestable::MissingScores)
    } else if differences.iter().all(|&d| d == 0.0) {
        Err(Untestable::ZeroVariance)
    } else {
        Ok(differences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_differences_have_the_smallest_p_there_is() {
        let exact = sign_flip_test(&[0.5; 12], 10, 1).expect("testable");
        assert_eq!((exact.p, exact.method), (2.0 / 4096.0, PMethod::Exact));
        let drawn = sign_flip_test(&[0.5; 100], 999, 1).expect("testable");
        assert_eq!((drawn.p, drawn.method), (1e-3, PMethod::MonteCarlo));
        let one = sign_flip_test(&[3.0], 9, 1).expect("testable");
        assert_eq!(one.p, 1.0);
    }

    #[test]
    fn monte_carlo_agrees_with_counting() {
        let d: Vec<f64> = (0..18).map(|k| f64::from((k * 7) % 11) - 3.6).collect();
        let counted = sign_flip_test(&d, 1, 1).expect("testable");
        // A nineteenth difference too small to matter makes it draw.
        let more: Vec<f64> = d.iter().copied().chain([1e-6]).collect();
        let drawn = sign_flip_test(&more, 20_000, 5).expect("testable");
        assert_eq!(
            (counted.method, drawn.method),
            (PMethod::Exact, PMethod::MonteCarlo)
        );
        let error = (counted.p * (1.0 - counted.p) / 20_000.0).sqrt();
        assert!(
            (counted.p - drawn.p).abs() < 4.0 * error + 1e-3,
            "{} {}",
            counted.p,
            drawn.p
        );
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(wilcoxon(&[0.0, 0.0]), Err(Untestable::ZeroVariance));
        assert_eq!(wilcoxon(&[]), Err(Untestable::MissingScores));
        assert_eq!(
            sign_flip_test(&[f64::NAN], 9, 1),
            Err(Untestable::NotFinite)
        );
        assert!(sign_flip_test(&[f64::MAX; 30], 99, 1).is_ok_and(|test| test.p == 0.01));
    }
}
