//! Dependence between consecutive games.

use crate::summary::ROUNDING_NOISE;
use crate::{Sums, Untestable};

/// Sums for the lag-1 correlation of consecutive games, updated game by game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LagSums {
    /// Number of games, sum of scores and sum of squared scores.
    pub games: Sums,
    /// Number of pairs of consecutive games: the number of games minus the number of stretches. A
    /// stretch is a sequence of games without gaps.
    pub neighbours: u64,
    /// Sum over these pairs of the product of both scores.
    pub sum_of_products: i128,
}

impl LagSums {
    /// Adds the sums of other stretches.
    pub fn merge(&mut self, other: &LagSums) {
        self.games.merge(&other.games);
        self.neighbours += other.neighbours;
        self.sum_of_products += other.sum_of_products;
    }
}

/// Returns the lag-1 correlation of games within stretches, from sums. Scores are centred at the
/// mean of their stratum (line-up): Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)².
///
/// The sums do not contain the first and last game of each stretch separately. The result assumes
/// that their scores are average. The error is of the order of one over the length of a stretch,
/// times the mean divided by the standard deviation. The error is smallest if the mean score is
/// near zero.
///
/// # Errors
/// Returns an error if there are no consecutive games, or if the scores have no variance.
pub fn lag1_from_sums(strata: &[LagSums]) -> Result<f64, Untestable> {
    let (mut products, mut squares, mut games, mut neighbours) = (0.0, 0.0, 0, 0);
    for stratum in strata.iter().filter(|stratum| 0 < stratum.games.n) {
        let mean = stratum.games.sum as f64 / stratum.games.n as f64;
        products += stratum.sum_of_products as f64 - stratum.neighbours as f64 * mean * mean;
        squares += stratum.games.sum_of_squares as f64 - stratum.games.sum as f64 * mean;
        games += stratum.games.n;
        neighbours += stratum.neighbours;
    }
    if neighbours == 0 {
        return Err(Untestable::TooFewBlocks {
            blocks: usize::try_from(games).unwrap_or(usize::MAX),
            needed: 2,
        });
    }
    let most: f64 = strata
        .iter()
        .map(|stratum| stratum.games.sum_of_squares as f64)
        .sum();
    if squares <= ROUNDING_NOISE * most {
        Err(Untestable::ZeroVariance)
    } else {
        Ok(products / squares)
    }
}

/// Returns the number of independent games with the same information as `n` games with this lag-1
/// correlation: n (1 − r) / (1 + r). Assumes that the correlation decreases geometrically with
/// distance. The result is larger than `n` if the correlation is negative.
///
/// # Errors
/// Returns an error if the correlation is not strictly between −1 and 1.
pub fn effective_n(n: usize, lag1: f64) -> Result<f64, Untestable> {
    Untestable::require(
        lag1.abs() < 1.0,
        &format!("a lag-1 correlation must be strictly between -1 and 1 (got {lag1})"),
    )?;
    Ok(n as f64 * (1.0 - lag1) / (1.0 + lag1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes the correlation directly from its definition.
    fn exact(stretches: &[&[f64]]) -> f64 {
        let all = stretches.concat();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let pairs = stretches.iter().flat_map(|xs| xs.windows(2));
        let products: f64 = pairs.map(|two| (two[0] - mean) * (two[1] - mean)).sum();
        products / all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
    }

    #[test]
    fn stored_sums_give_the_lag_one_correlation_of_the_scores() {
        let scores: Vec<i64> = (0..990_i64).map(|k| (k / 3 * 7) % 11 + k % 2).collect();
        let mut sums = LagSums {
            neighbours: 0,
            ..LagSums::default()
        };
        for stretch in scores.chunks(90) {
            stretch.iter().for_each(|&score| sums.games.push(score));
            sums.neighbours += stretch.len() as u64 - 1;
            sums.sum_of_products += stretch
                .windows(2)
                .map(|two| i128::from(two[0] * two[1]))
                .sum::<i128>();
        }
        let list: Vec<f64> = scores.iter().map(|&score| score as f64).collect();
        let stretches: Vec<&[f64]> = list.chunks(90).collect();
        let (exact, summed) = (exact(&stretches), lag1_from_sums(&[sums]).unwrap());
        assert!(
            (exact - summed).abs() < 0.02 && 0.3 < exact,
            "{exact} {summed}"
        );
        // Each line-up is centred at its own mean, so a different level has no effect.
        let mut raised = LagSums {
            neighbours: sums.neighbours,
            ..LagSums::default()
        };
        for stretch in scores.chunks(90) {
            stretch
                .iter()
                .for_each(|&score| raised.games.push(score + 3));
            raised.sum_of_products += stretch
                .windows(2)
                .map(|two| i128::from((two[0] + 3) * (two[1] + 3)))
                .sum::<i128>();
        }
        assert!((lag1_from_sums(&[sums, raised]).unwrap() - exact).abs() < 0.1);
        assert_eq!(
            lag1_from_sums(&[]),
            Err(Untestable::TooFewBlocks {
                blocks: 0,
                needed: 2
            })
        );
    }

    #[test]
    fn the_effective_sample_size_is_undefined_for_a_correlation_of_one() {
        assert!((effective_n(300, 0.5).expect("valid") - 100.0).abs() < 1e-12);
        assert!(effective_n(10, 1.0).is_err());
    }

    #[test]
    fn lag_one_pairs_do_not_cross_block_boundaries() {
        // The signs alternate within each block. A pair across the block boundary would have equal
        // signs.
        let mut sums = LagSums {
            neighbours: 2,
            sum_of_products: -2,
            ..LagSums::default()
        };
        for score in [1, -1, -1, 1] {
            sums.games.push(score);
        }
        assert!((exact(&[&[1.0, -1.0], &[-1.0, 1.0]]) + 0.5).abs() < 1e-15);
        assert!((lag1_from_sums(&[sums]).expect("testable") + 0.5).abs() < 1e-15);
    }
}
