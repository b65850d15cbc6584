//! How much games depend on their neighbours.

use crate::Untestable;
use crate::summary::ROUNDING_NOISE;
use crate::t_test::Sums;

/// What a lag-1 correlation needs, added up while games come in: sums instead of a list of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LagSums {
    /// The games.
    pub games: Sums,
    /// Pairs of neighbours within a stretch: games less stretches.
    pub neighbours: u64,
    /// Sum over these pairs of the product of both scores.
    pub sum_of_products: i128,
}

impl LagSums {
    /// Adds what another part of the same games came to.
    pub fn merge(&mut self, other: &LagSums) {
        self.games.merge(&other.games);
        self.neighbours += other.neighbours;
        self.sum_of_products += other.sum_of_products;
    }
}

/// Correlation of a game with the next one in its stretch, from sums, each stratum (line-up) about
/// its own mean: Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)². The first and last games of stretches are
/// taken to score as the rest do on average, so it is off by an order of one over the length of a
/// stretch (times the mean over the deviation: scores about zero fare best).
///
/// # Errors
/// No two neighbours, or no variance.
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

/// How many independent games n games of this lag-1 correlation are worth, if the dependence fades
/// geometrically: n (1 − r) / (1 + r). More than n for a negative correlation.
///
/// # Errors
/// A correlation outside (−1, 1).
pub fn effective_n(n: usize, lag1: f64) -> Result<f64, Untestable> {
    if -1.0 < lag1 && lag1 < 1.0 {
        Ok(n as f64 * (1.0 - lag1) / (1.0 + lag1))
    } else {
        Err(Untestable::bad(format!(
            "a lag-1 correlation lies strictly between -1 and 1, not at {lag1}"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The correlation by its definition.
    fn exact(stretches: &[&[f64]]) -> f64 {
        let all = stretches.concat();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let pairs = stretches.iter().flat_map(|xs| xs.windows(2));
        let products: f64 = pairs.map(|two| (two[0] - mean) * (two[1] - mean)).sum();
        products / all.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
    }

    #[test]
    fn sums_give_the_correlation_of_the_list() {
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
        // Two line-ups at different levels are each about their own mean.
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
    fn a_correlation_of_one_leaves_no_game() {
        assert!((effective_n(300, 0.5).expect("valid") - 100.0).abs() < 1e-12);
        assert!(effective_n(10, 1.0).is_err());
    }

    #[test]
    fn pairs_do_not_cross_blocks() {
        // Within each block the signs alternate; across the border they would agree.
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
