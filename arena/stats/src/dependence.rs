//! How much games depend on their neighbours, and standard errors that allow for it. Checks beside
//! the block t-test.

use crate::Untestable;
use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::summary::{ROUNDING_NOISE, mean};
use crate::t_test::Sums;
use serde::{Deserialize, Serialize};

/// Correlation of a number with the next one, Σ (xₜ − x̄)(xₜ₊₁ − x̄) / Σ (xₜ − x̄)², over pairs of
/// neighbours within each stretch; the mean is that of all. Between the last game of one block and
/// the first of the next there is no pair.
///
/// # Errors
/// No two neighbours, a number that is not finite, or no variance.
pub fn lag1_correlation(stretches: &[&[f64]]) -> Result<f64, Untestable> {
    let all: Vec<f64> = stretches.iter().flat_map(|xs| xs.iter().copied()).collect();
    if all.iter().any(|x| !x.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    if stretches.iter().all(|xs| xs.len() < 2) {
        return Err(Untestable::TooFewBlocks {
            blocks: all.len(),
            needed: 2,
        });
    }
    let mean = mean(&all);
    let squares: f64 = all.iter().map(|x| (x - mean) * (x - mean)).sum();
    let products: f64 = stretches
        .iter()
        .flat_map(|xs| xs.windows(2))
        .map(|pair| (pair[0] - mean) * (pair[1] - mean))
        .sum();
    let scale = all.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    if (squares / all.len() as f64).sqrt() <= ROUNDING_NOISE * scale {
        return Err(Untestable::ZeroVariance);
    }
    Ok(products / squares)
}

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

/// [`lag1_correlation`] from sums, each stratum (line-up) about its own mean. The first and last
/// games of stretches are taken to score as the rest do on average, so the two differ by an order
/// of one over the length of a stretch (times the mean over the deviation: scores about zero fare
/// best).
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

/// A mean with a standard error that holds under dependence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RobustMean {
    /// The mean over all observations.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Degrees of freedom of its interval: one less than there are observations.
    pub df: f64,
}

/// The mean of all games with the cluster-robust standard error (CR1) over blocks of any size: each
/// block's total deviation counts as one. `blocks` holds the number of games and their sum, e.g. of
/// score differences.
///
/// With blocks of equal size this is the block t-test; with unequal ones games count the same, not
/// blocks.
///
/// # Errors
/// Fewer than two blocks with games, a sum that is not finite, or no variance between blocks.
pub fn cluster_robust_mean(blocks: &[(u64, f64)]) -> Result<ClusteredMean, Untestable> {
    let filled = || blocks.iter().filter(|(n, _)| 0 < *n).enumerate();
    let scale = filled().fold(0.0f64, |largest, (_, (n, sum))| {
        largest.max((sum / *n as f64).abs())
    });
    let blocks = filled()
        .map(|(cluster, &(n, sum))| Block {
            cluster,
            n: n as f64,
            sum,
        })
        .collect();
    match clustered_mean(
        &[Stratum {
            weight: 1.0,
            blocks,
        }],
        scale,
    ) {
        Err(Untestable::ConstantDifference { .. }) => Err(Untestable::ZeroVariance),
        found => found,
    }
}

/// How many times larger the variance of the mean is than it would be for as many independent
/// games: the square of the cluster-robust error over that of the single games. 1 means no
/// dependence; n divided by it is the effective n.
///
/// # Errors
/// No variance among single games.
pub fn design_effect(robust: &ClusteredMean, games: &Sums) -> Result<f64, Untestable> {
    let n = games.n as f64;
    let centred = games.sum_of_squares as f64 - games.sum as f64 * (games.sum as f64 / n);
    if games.n < 2 {
        return Err(Untestable::TooFewBlocks {
            blocks: usize::from(games.n == 1),
            needed: 2,
        });
    }
    let naive = centred / (n - 1.0) / n;
    if naive <= 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    Ok(robust.se * robust.se / naive)
}

/// The mean of a series with the standard error of Newey and West ("A simple, positive
/// semi-definite, heteroskedasticity and autocorrelation consistent covariance matrix"):
/// autocovariances up to `lags` with Bartlett's weights 1 − k / (lags + 1), and the small-sample
/// factor n / (n − 1).
///
/// # Errors
/// Fewer than two numbers, as many lags as numbers or more, a number that is not finite, or no
/// variance.
pub fn hac_mean(xs: &[f64], lags: usize) -> Result<RobustMean, Untestable> {
    let n = xs.len();
    if xs.iter().any(|x| !x.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    if n < 2 {
        return Err(Untestable::TooFewBlocks {
            blocks: n,
            needed: 2,
        });
    }
    if n <= lags {
        return Err(Untestable::bad(format!(
            "{lags} lags need more than {n} observations"
        )));
    }
    let mean = mean(xs);
    let covariance = |k: usize| -> f64 {
        xs.iter()
            .zip(&xs[k..])
            .map(|(x, y)| (x - mean) * (y - mean))
            .sum()
    };
    let weight = |k: usize| 1.0 - k as f64 / (lags + 1) as f64;
    let total = covariance(0) + 2.0 * (1..=lags).map(|k| weight(k) * covariance(k)).sum::<f64>();
    let scale = xs.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
    // Never negative but by rounding, in which case nothing varies.
    let se = (total.max(0.0) / (n as f64 * (n - 1) as f64)).sqrt();
    if se <= ROUNDING_NOISE * scale || se == 0.0 {
        return Err(Untestable::ZeroVariance);
    }
    Ok(RobustMean {
        mean,
        se,
        df: (n - 1) as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_blocks_make_the_robust_mean_the_block_t_test() {
        let blocks = [(5, 2.0), (5, -1.0), (5, 4.0), (5, 0.5)];
        let robust = cluster_robust_mean(&blocks).expect("testable");
        let means: Vec<f64> = blocks.iter().map(|(n, sum)| sum / *n as f64).collect();
        let t = crate::one_sample_t(&means, 0.95).expect("testable");
        assert!(
            (robust.se - t.se).abs() < 1e-15 && (robust.p().expect("valid") - t.p).abs() < 1e-13
        );
        assert!((robust.interval(0.95).expect("valid").low - t.interval.low).abs() < 1e-13);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(
            lag1_correlation(&[&[1.0], &[2.0]]),
            Err(Untestable::TooFewBlocks {
                blocks: 2,
                needed: 2
            })
        );
        assert_eq!(
            lag1_correlation(&[&[1.0, 1.0], &[1.0]]),
            Err(Untestable::ZeroVariance)
        );
        assert_eq!(
            cluster_robust_mean(&[(3, 1.0), (0, 0.0)]),
            Err(Untestable::TooFewBlocks {
                blocks: 1,
                needed: 2
            })
        );
        assert_eq!(
            cluster_robust_mean(&[(3, 3.0), (2, 2.0)]),
            Err(Untestable::ZeroVariance)
        );
        assert_eq!(hac_mean(&[2.0; 9], 3), Err(Untestable::ZeroVariance));
        assert!(matches!(
            hac_mean(&[1.0, 2.0], 2),
            Err(Untestable::BadParameter { .. })
        ));
        assert!(effective_n(10, 1.0).is_err());
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
        let (exact, summed) = (
            lag1_correlation(&stretches).unwrap(),
            lag1_from_sums(&[sums]).unwrap(),
        );
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
    fn pairs_do_not_cross_blocks() {
        // Within each block the signs alternate; across the border they would agree.
        let r = lag1_correlation(&[&[1.0, -1.0], &[-1.0, 1.0]]).expect("testable");
        assert!((r + 0.5).abs() < 1e-15);
    }

    #[test]
    fn design_effect_of_identical_games_in_a_block_is_their_number() {
        // Every game of a block has the block's score: k games are worth one.
        let scores = [3i64, -1, 4, 0, 2, -5, 1, 1, 0, 6, -3, 2];
        let k = 4_u64;
        let mut games = Sums::default();
        scores
            .iter()
            .for_each(|&s| (0..k).for_each(|_| games.push(s)));
        let blocks: Vec<(u64, f64)> = scores.iter().map(|&s| (k, k as f64 * s as f64)).collect();
        let effect = design_effect(&cluster_robust_mean(&blocks).expect("testable"), &games)
            .expect("testable");
        // Up to the two small-sample factors, 12/11 and 48/47.
        assert!(
            (effect - k as f64 * (12.0 / 11.0) * (47.0 / 48.0)).abs() < 1e-12,
            "{effect}"
        );
    }
}
