//! Student's and Welch's t-tests, from scores or from stored sums of them.

use crate::Untestable;
use crate::clustered::ClusteredMean;
use crate::dist::student;
use crate::summary::{
    Interval, ROUNDING_NOISE, Summary, check_confidence, from_sd, mean, square, summarise,
    summarise_scaled,
};
use serde::{Deserialize, Serialize};

/// Which t-test gave a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TestKind {
    /// One sample against zero.
    OneSample,
    /// Differences within pairs (both bots in the same block) against zero.
    Paired,
    /// Differences within pairs, the mean over line-ups against zero.
    Stratified,
    /// Two independent samples of unequal variances.
    Welch,
    /// Blocks that share their deals count as one: the mean over line-ups in each cluster of such
    /// blocks, against zero.
    Clustered,
}

/// A t-test that could be made. All numbers are finite and `se` is positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TTest {
    /// Which test.
    pub kind: TestKind,
    /// Observations of the first sample; in a paired test the number of pairs, in a clustered one
    /// that of clusters.
    pub n_a: usize,
    /// Observations of the second sample, the same number in a paired or clustered test, 0 with
    /// one sample.
    pub n_b: usize,
    /// Mean of the differences, or difference of the means: positive when the first is ahead.
    pub mean_difference: f64,
    /// Its standard error.
    pub se: f64,
    /// The statistic, `mean_difference / se`.
    pub t: f64,
    /// Degrees of freedom: n − 1, or Welch and Satterthwaite's.
    pub df: f64,
    /// Two-sided p. Never 0: below 2.2e-308 that number is given.
    pub p: f64,
    /// Confidence interval of the mean difference at the level asked for.
    pub interval: Interval,
    /// Cohen's d_z, the mean difference over the standard deviation of the differences; for
    /// Welch's test over the root of the mean of the two variances.
    pub effect_size: f64,
}

impl TTest {
    /// The same test seen from the other side.
    pub fn mirrored(&self) -> Self {
        Self {
            n_a: self.n_b,
            n_b: self.n_a,
            mean_difference: -self.mean_difference,
            t: -self.t,
            interval: self.interval.negated(),
            effect_size: -self.effect_size,
            ..*self
        }
    }

    /// The test that a clustered mean is zero; its effect is told in `sd`.
    pub(crate) fn of_clustered(
        kind: TestKind,
        (n_a, n_b): (usize, usize),
        found: &ClusteredMean,
        sd: f64,
        confidence: f64,
    ) -> Result<Self, Untestable> {
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
        })
    }
}

/// Tests whether the mean of `xs` is zero.
///
/// # Errors
/// As [`summarise`], or a confidence level outside (0, 1).
pub fn one_sample_t(xs: &[f64], confidence: f64) -> Result<TTest, Untestable> {
    from_summary(TestKind::OneSample, &summarise(xs)?, confidence)
}

/// Tests whether two bots that shared blocks differ: `a[i]` and `b[i]` belong to one block.
///
/// # Errors
/// Slices of different length, fewer than two blocks, a score that is not finite, differences that
/// are all equal ([`Untestable::ZeroVariance`] at zero, [`Untestable::ConstantDifference`]
/// elsewhere), a bad confidence level.
pub fn paired_t(a: &[f64], b: &[f64], confidence: f64) -> Result<TTest, Untestable> {
    if a.len() != b.len() {
        return Err(Untestable::LengthMismatch);
    }
    let scale = a
        .iter()
        .chain(b)
        .fold(0.0f64, |largest, x| largest.max(x.abs()));
    let differences: Vec<f64> = a.iter().zip(b).map(|(x, y)| x - y).collect();
    from_summary(
        TestKind::Paired,
        &summarise_scaled(&differences, scale)?,
        confidence,
    )
}

/// Tests whether two bots that did not share blocks differ (Welch, "The generalization of
/// 'Student's' problem when several different population variances are involved").
///
/// # Errors
/// Fewer than two numbers in a sample, a number that is not finite, no variance in either sample, a
/// bad confidence level. One sample may be constant.
pub fn welch_t(a: &[f64], b: &[f64], confidence: f64) -> Result<TTest, Untestable> {
    let spread = |xs: &[f64]| match summarise(xs) {
        Ok(summary) => Ok((xs.len(), summary.mean, summary.sd)),
        Err(Untestable::ZeroVariance | Untestable::ConstantDifference { .. }) => {
            Ok((xs.len(), mean(xs), 0.0))
        }
        Err(other) => Err(other),
    };
    welch_from_parts(spread(a)?, spread(b)?, confidence)
}

/// Sums over the games (or blocks) of one bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sums {
    /// Number of scores.
    pub n: u64,
    /// Sum of the scores.
    pub sum: i64,
    /// Sum of the squared scores.
    pub sum_of_squares: i128,
}

/// Sums over the games that two bots played together: enough for the paired test over single games,
/// and small enough to store for every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PairSums {
    /// Sums of the first bot.
    pub a: Sums,
    /// Sums of the second bot, over as many games.
    pub b: Sums,
    /// Sum of the products of their scores in the same game.
    pub sum_of_products: i128,
}

impl Sums {
    /// Adds one score.
    pub fn push(&mut self, score: i64) {
        self.n += 1;
        self.sum += score;
        self.sum_of_squares += i128::from(score) * i128::from(score);
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.sum_of_squares += other.sum_of_squares;
    }

    /// Count, mean and standard deviation. The centred sum of squares is taken in integers, so
    /// nothing cancels; only totals that do not fit 128 bits fall back to doubles.
    fn moments(&self) -> Result<(usize, f64, f64), Untestable> {
        let n = usize::try_from(self.n)
            .map_err(|_| Untestable::bad("more scores than this machine can count"))?;
        if n < 2 {
            return Err(Untestable::TooFewBlocks {
                blocks: n,
                needed: 2,
            });
        }
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
        if centred < 0.0 {
            return Err(Untestable::bad(
                "a sum of squares is smaller than its sum allows",
            ));
        }
        let n_f64 = self.n as f64;
        Ok((
            n,
            self.sum as f64 / n_f64,
            (centred / (n_f64 * (n_f64 - 1.0))).sqrt(),
        ))
    }
}

impl PairSums {
    /// Adds one game.
    pub fn push(&mut self, a: i64, b: i64) {
        self.a.push(a);
        self.b.push(b);
        self.sum_of_products += i128::from(a) * i128::from(b);
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &Self) {
        self.a.merge(&other.a);
        self.b.merge(&other.b);
        self.sum_of_products += other.sum_of_products;
    }

    /// The sums of the differences a − b.
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

/// [`paired_t`] over single games, from their sums.
///
/// Games of one block are dependent where ranks or stacks persist, so over such games the p is too
/// small. It is what the play-style paper (Satō and Itō) tested, and is reported beside the block
/// test, labelled as per game.
///
/// # Errors
/// As [`paired_t`].
pub fn paired_t_from_sums(sums: &PairSums, confidence: f64) -> Result<TTest, Untestable> {
    let (n, mean, sd) = sums.difference()?.moments()?;
    // Integers carry no rounding: any variance at all is real.
    from_summary(
        TestKind::Paired,
        &from_sd(n, mean, sd, f64::MIN_POSITIVE)?,
        confidence,
    )
}

/// [`welch_t`] from the sums of two independent samples.
///
/// # Errors
/// As [`welch_t`].
pub fn welch_t_from_sums(a: &Sums, b: &Sums, confidence: f64) -> Result<TTest, Untestable> {
    welch_from_parts(a.moments()?, b.moments()?, confidence)
}

fn from_summary(kind: TestKind, summary: &Summary, confidence: f64) -> Result<TTest, Untestable> {
    let df = (summary.n - 1) as f64;
    let t = summary.mean / summary.se;
    Ok(TTest {
        kind,
        n_a: summary.n,
        n_b: if kind == TestKind::Paired {
            summary.n
        } else {
            0
        },
        mean_difference: summary.mean,
        se: summary.se,
        t,
        df,
        p: student::two_sided_p(t, df)?,
        interval: summary.interval(confidence)?,
        effect_size: summary.mean / summary.sd,
    })
}

fn welch_from_parts(
    (n_a, mean_a, sd_a): (usize, f64, f64),
    (n_b, mean_b, sd_b): (usize, f64, f64),
    confidence: f64,
) -> Result<TTest, Untestable> {
    check_confidence(confidence)?;
    let difference = mean_a - mean_b;
    let (se_a, se_b) = (sd_a / (n_a as f64).sqrt(), sd_b / (n_b as f64).sqrt());
    let se = libm::hypot(se_a, se_b);
    let scale = mean_a.abs().max(mean_b.abs());
    if se <= ROUNDING_NOISE * scale || se == 0.0 {
        return Err(if difference.abs() <= ROUNDING_NOISE * scale {
            Untestable::ZeroVariance
        } else {
            Untestable::ConstantDifference {
                difference,
                permutation_p: separation_p(n_a, n_b),
            }
        });
    }
    // Shares of the squared error, which cannot overflow as its own square could.
    let (weight_a, weight_b) = (square(se_a / se), square(se_b / se));
    let df =
        1.0 / (weight_a * weight_a / (n_a - 1) as f64 + weight_b * weight_b / (n_b - 1) as f64);
    let t = difference / se;
    let critical = student::isf(0.5 * (1.0 - confidence), df)?;
    Ok(TTest {
        kind: TestKind::Welch,
        n_a,
        n_b,
        mean_difference: difference,
        se,
        t,
        df,
        p: student::two_sided_p(t, df)?,
        interval: Interval::around(difference, critical * se),
        effect_size: difference / (libm::hypot(sd_a, sd_b) * std::f64::consts::FRAC_1_SQRT_2),
    })
}

/// The two-sided p of a permutation test of two constant samples: only the labelling at hand, and
/// its mirror image when the sizes are equal, separates them as far.
pub(crate) fn separation_p(n_a: usize, n_b: usize) -> f64 {
    let extreme = if n_a == n_b { 2.0 } else { 1.0 };
    let small = n_a.min(n_b);
    let ln_labellings: f64 = (1..=small)
        .map(|k| libm::log((n_a + n_b - small + k) as f64 / k as f64))
        .sum();
    (extreme * libm::exp(-ln_labellings)).clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_sums_give_the_tests_of_the_scores() {
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
        for (ours, direct) in [
            (paired_t_from_sums(&sums, 0.9), paired_t(&a, &b, 0.9)),
            (
                welch_t_from_sums(&sums.a, &sums.b, 0.9),
                welch_t(&a, &b, 0.9),
            ),
        ] {
            let (ours, direct) = (ours.expect("testable"), direct.expect("testable"));
            assert!(
                (ours.t - direct.t).abs() < 1e-12 && (ours.df - direct.df).abs() < 1e-9,
                "{ours:?} {direct:?}"
            );
            assert!(
                (ours.p - direct.p).abs() < 1e-12
                    && (ours.interval.low - direct.interval.low).abs() < 1e-12
            );
        }
    }

    #[test]
    fn sums_far_from_zero_do_not_cancel() {
        // Scores of a trillion that differ by 0 or 1: squares of 1e24, whose differences a double
        // cannot hold.
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
    fn what_cannot_be_tested_says_why() {
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
        assert_eq!(welch_t(&flat, &flat, 0.95), Err(Untestable::ZeroVariance));
        // Of the 10 labellings of 2 + 3 numbers one separates them; of 6 labellings of 2 + 2, two
        // do.
        let permutation_p = |a: &[f64], b: &[f64]| match welch_t(a, b, 0.95) {
            Err(Untestable::ConstantDifference { permutation_p, .. }) => permutation_p,
            other => panic!("{other:?}"),
        };
        assert!((permutation_p(&[2.0; 2], &[1.0; 3]) - 0.1).abs() < 1e-15);
        assert!((permutation_p(&[2.0; 2], &[1.0; 2]) - 1.0 / 3.0).abs() < 1e-15);
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
    fn one_constant_sample_is_no_obstacle_to_welch() {
        let test = welch_t(&[1.0, 2.0, 4.0], &[1.0, 1.0], 0.95).expect("testable");
        assert!((test.df - 2.0).abs() < 1e-12);
    }
}
