//! Student's t-test, from scores or from stored sums.

use crate::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use crate::summary::{largest, no_variance, sign_flip_floor};
use crate::{Interval, Untestable};
use serde::Serialize;

/// The type of a t-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Student's t on differences of block means, with both bots at the same table.
    PairedBlocks,
    /// [`Method::PairedBlocks`] in each line-up, averaged over line-ups and tested with the
    /// combined errors (stratified by line-up).
    StratifiedBlocks,
    /// Welch's t on block means of bots that did not share blocks.
    WelchBlocks,
    /// Student's t on one number for each group of blocks with the same cards: the mean over
    /// line-ups.
    ClusteredBlocks,
    /// Student's t on differences of single deals, treated as independent (the single-deal test).
    PairedDeals,
}

/// The result of a t-test. All numbers are finite and `se` is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TTest {
    /// The type of the test.
    pub kind: Method,
    /// Number of observations in the first sample: pairs in a paired test, clusters in a clustered
    /// test.
    pub n_a: usize,
    /// Number of observations in the second sample: equal to `n_a` in a paired or clustered test.
    pub n_b: usize,
    /// Mean of the differences, or difference of the means. Positive if the first is ahead.
    pub mean_difference: f64,
    /// Standard error of `mean_difference`.
    pub se: f64,
    /// The statistic, `mean_difference / se`.
    pub t: f64,
    /// Degrees of freedom: n − 1, or those of Welch and Satterthwaite.
    pub df: f64,
    /// Two-sided p value. Never 0: values below 2.2e-308 are replaced by that number.
    pub p: f64,
    /// Confidence interval of the mean difference.
    pub interval: Interval,
    /// Cohen's d_z: the mean difference divided by the standard deviation of the differences. For
    /// Welch's test it is divided by the root of the mean of the two variances.
    pub effect_size: f64,
    /// Skewness of `mean_difference`: its estimated third central moment divided by `se` cubed. 0
    /// for a test from sums.
    pub skewness: f64,
}

impl TTest {
    /// Returns the test with the two sides exchanged.
    pub fn mirrored(&self) -> Self {
        Self {
            n_a: self.n_b,
            n_b: self.n_a,
            mean_difference: -self.mean_difference,
            t: -self.t,
            interval: self.interval.negated(),
            effect_size: -self.effect_size,
            skewness: -self.skewness,
            ..*self
        }
    }

    /// Creates the test of the hypothesis that a mean is zero. `n_a` and `n_b` are the numbers of
    /// observations in the two samples. The effect size is the mean divided by `sd`.
    pub(crate) fn of_mean(
        kind: Method,
        (n_a, n_b): (usize, usize),
        found: &ClusteredMean,
        sd: f64,
        confidence: f64,
    ) -> Result<Self, Untestable> {
        let cube = |(_, influence): &(usize, f64)| {
            let share = influence / found.se;
            share * share * share
        };
        Ok(Self {
            kind,
            n_a,
            n_b,
            mean_difference: found.mean,
            se: found.se,
            t: found.mean / found.se,
            df: found.df,
            p: found.p()?,
            interval: found.interval(confidence)?,
            effect_size: found.mean / sd,
            skewness: found.influence.iter().map(cube).sum(),
        })
    }
}

/// Tests whether the mean of differences is zero.
///
/// # Errors
/// Returns an error if there are fewer than two numbers, if a number is not finite, or if the
/// confidence level is outside (0, 1). If all numbers are equal, returns
/// [`Untestable::ZeroVariance`] for zeros, else [`Untestable::ConstantDifference`].
pub fn one_sample_t(xs: &[f64], confidence: f64) -> Result<TTest, Untestable> {
    of_numbers(xs, largest(xs), confidence)
}

/// Tests whether two bots that shared blocks differ: `a[i]` and `b[i]` are the scores in one block.
///
/// # Errors
/// Returns an error if the slices have different lengths, and the errors of [`one_sample_t`].
pub fn paired_t(a: &[f64], b: &[f64], confidence: f64) -> Result<TTest, Untestable> {
    if a.len() != b.len() {
        return Err(Untestable::LengthMismatch);
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    of_numbers(&differences, largest(a.iter().chain(b)), confidence)
}

/// Tests whether the mean of `xs` is zero. `xs` contains differences of numbers with absolute
/// values up to `scale`.
fn of_numbers(xs: &[f64], scale: f64, confidence: f64) -> Result<TTest, Untestable> {
    let blocks = xs.iter().enumerate().map(|(at, &x)| Block::one(at, x));
    let found = clustered_mean(&[Stratum::alone(blocks.collect())], scale)?;
    let n = xs.len();
    let sd = found.se * (n as f64).sqrt();
    TTest::of_mean(Method::PairedBlocks, (n, n), &found, sd, confidence)
}

/// Sums over the games or blocks of one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sums {
    /// Number of scores.
    pub n: u64,
    /// Sum of the scores.
    pub sum: i64,
    /// Sum of the squared scores.
    pub sum_of_squares: i128,
}

/// Sums over the games that two bots played together. They are sufficient for the paired test over
/// single games, and small enough to be stored for every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairSums {
    /// Sums of the first bot.
    pub a: Sums,
    /// Sums of the second bot, over the same games.
    pub b: Sums,
    /// Sum of the products of both scores in each game.
    pub sum_of_products: i128,
}

impl Sums {
    /// Adds the sums of other games.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// Returns count, mean and standard deviation. The centred sum of squares is computed in
    /// integers, so that there is no cancellation. Only totals that do not fit into 128 bits are
    /// computed in doubles.
    fn moments(&self) -> Result<(usize, f64, f64), Untestable> {
        let n = usize::try_from(self.n).unwrap_or(usize::MAX);
        Untestable::require_blocks(n, 2)?;
        let (count, sum) = (i128::from(self.n), i128::from(self.sum));
        let exact = match (count.checked_mul(self.sum_of_squares), sum.checked_mul(sum)) {
            (Some(all), Some(square)) => all.checked_sub(square),
            _ => None,
        };
        let centred = match exact {
            Some(centred) => centred as f64,
            None => {
                self.n as f64 * self.sum_of_squares as f64 - (self.sum as f64) * (self.sum as f64)
            }
        };
        Untestable::require(
            0.0 <= centred,
            "a sum of squares is too small for the sum of the scores",
        )?;
        let n_f64 = self.n as f64;
        Ok((
            n,
            self.sum as f64 / n_f64,
            (centred / (n_f64 * (n_f64 - 1.0))).sqrt(),
        ))
    }
}

impl PairSums {
    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &Self) {
        self.a.merge(&other.a);
        self.b.merge(&other.b);
        self.sum_of_products += other.sum_of_products;
    }

    /// Returns the sums of the differences a − b.
    fn difference(&self) -> Result<Sums, Untestable> {
        if self.a.n != self.b.n {
            return Err(Untestable::LengthMismatch);
        }
        Ok(Sums {
            n: self.a.n,
            sum: self.a.sum - self.b.sum,
            sum_of_squares: self.a.sum_of_squares + self.b.sum_of_squares
                - 2 * self.sum_of_products,
        })
    }
}

/// Performs the test of [`paired_t`] over single deals, from their sums.
///
/// If ranks or stacks persist, deals of one block depend on each other, and the p value is too
/// small. This is the test of the play-style paper (Satō and Itō). Reports show it next to the block
/// test, labelled as the single-deal test.
///
/// # Errors
/// Returns the same errors as [`paired_t`].
pub fn paired_t_from_sums(sums: &PairSums, confidence: f64) -> Result<TTest, Untestable> {
    let (n, mean, sd) = sums.difference()?.moments()?;
    // Integers have no rounding errors, so any variance is real.
    if sd == 0.0 {
        return Err(no_variance(mean, 0.0, sign_flip_floor(n)));
    }
    let found = ClusteredMean::with_known_error(mean, sd / (n as f64).sqrt(), (n - 1) as f64);
    TTest::of_mean(Method::PairedDeals, (n, n), &found, sd, confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Sums {
        /// Adds one score.
        pub(crate) fn push(&mut self, score: i64) {
            self.n += 1;
            self.sum += score;
            self.sum_of_squares += i128::from(score) * i128::from(score);
        }
    }

    impl PairSums {
        /// Adds the scores of one game.
        fn push(&mut self, a: i64, b: i64) {
            self.a.push(a);
            self.b.push(b);
            self.sum_of_products += i128::from(a) * i128::from(b);
        }
    }

    #[test]
    fn t_tests_from_stored_sums_equal_t_tests_of_the_scores() {
        let a: Vec<i64> = (0..200).map(|k| 1 + (k * k + 3) % 5).collect();
        let b: Vec<i64> = (0..200).map(|k| 1 + (k * 7 + k / 3) % 5).collect();
        let mut halves = [PairSums::default(), PairSums::default()];
        for (k, (&x, &y)) in a.iter().zip(&b).enumerate() {
            halves[usize::from(k < 90)].push(x, y);
        }
        let [mut sums, second] = halves;
        sums.merge(&second);
        let scores = |xs: &[i64]| xs.iter().map(|&x| x as f64).collect::<Vec<f64>>();
        let (a, b) = (scores(&a), scores(&b));
        let ours = paired_t_from_sums(&sums, 0.9).expect("testable");
        let direct = paired_t(&a, &b, 0.9).expect("testable");
        assert!(
            (ours.t - direct.t).abs() < 1e-12 && (ours.df - direct.df).abs() < 1e-9,
            "{ours:?} {direct:?}"
        );
        assert!(
            (ours.p - direct.p).abs() < 1e-12
                && (ours.interval.low - direct.interval.low).abs() < 1e-12
        );
    }

    #[test]
    fn sums_of_large_scores_do_not_lose_precision() {
        // Scores near 10¹² that differ by 0 or 1. Their squares are near 10²⁴, and a double cannot
        // represent the differences.
        let mut sums = PairSums::default();
        for k in 0..100i64 {
            sums.push(1_000_000_000_000 + k % 2, 1_000_000_000_000);
        }
        let test = paired_t_from_sums(&sums, 0.95).expect("testable");
        assert!((test.mean_difference - 0.5).abs() < 1e-15);
        assert!(
            (test.se - (25.0f64 / 99.0).sqrt() / 10.0).abs() < 1e-15,
            "{}",
            test.se
        );
    }

    #[test]
    fn untestable_samples_return_the_reason() {
        let flat = [1.0, 1.0, 1.0];
        assert_eq!(paired_t(&flat, &flat, 0.95), Err(Untestable::ZeroVariance));
        assert_eq!(
            paired_t(&[2.0, 3.0, 4.0], &[1.0, 2.0, 3.0], 0.95),
            Err(Untestable::ConstantDifference {
                difference: 1.0,
                permutation_p: 0.25
            })
        );
        assert_eq!(
            paired_t(&flat, &flat[..2], 0.95),
            Err(Untestable::LengthMismatch)
        );
        assert_eq!(
            paired_t(&[1.0], &[2.0], 0.95),
            Err(Untestable::TooFewBlocks {
                blocks: 1,
                needed: 2
            })
        );
        assert!(matches!(
            paired_t(&flat, &[1.0, 2.0, 4.0], 1.0),
            Err(Untestable::BadParameter { .. })
        ));
        assert_eq!(
            paired_t_from_sums(&PairSums::default(), 0.95),
            Err(Untestable::TooFewBlocks {
                blocks: 0,
                needed: 2
            })
        );
    }

    #[test]
    fn rounding_errors_are_treated_as_zero_variance() {
        let a: Vec<f64> = (0..50).map(|k| 0.1 * f64::from(k)).collect();
        let b: Vec<f64> = (0..50).map(|k| (f64::from(k) - 1.0) * 0.1).collect();
        let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        assert!(
            differences.windows(2).any(|w| w[0] != w[1]),
            "the numbers contain rounding errors"
        );
        assert!(
            matches!(paired_t(&a, &b, 0.95), Err(Untestable::ConstantDifference { difference, .. })
            if (difference - 0.1).abs() < 1e-12)
        );
    }

    #[test]
    fn numbers_that_are_not_finite_are_untestable_and_extreme_scales_do_not_overflow() {
        let test = |xs: &[f64]| one_sample_t(xs, 0.95);
        assert_eq!(test(&[1.0, f64::NAN]), Err(Untestable::NotFinite));
        // Squares of these numbers would underflow or overflow.
        for size in [1e-200, 1e200, f64::MAX, 1e-300] {
            let spread = test(&[size, -size, 0.0]).expect("they differ");
            assert!(
                (spread.se / size * 3.0f64.sqrt() - 1.0).abs() < 1e-15
                    && spread.mean_difference == 0.0,
                "{spread:?}"
            );
        }
    }
}
