//! A test that independent estimates have the same expected value.

use crate::dist::fisher;
use crate::summary::square;
use serde::Serialize;

/// An estimate that is independent of the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndependentEstimate {
    /// Estimated value. All estimates must have the same unit.
    pub value: f64,
    /// Standard error of `value`.
    pub se: f64,
    /// Degrees of freedom of the standard error.
    pub df: f64,
}

/// The result of [`same_value`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SameValueTest {
    /// F statistic of the test.
    pub f: f64,
    /// Degrees of freedom of the numerator: the number of estimates minus 1.
    pub df1: f64,
    /// Degrees of freedom of the denominator.
    pub df2: f64,
    /// p value of the hypothesis that all expected values are equal.
    pub p: f64,
}

/// Tests the hypothesis that all estimates have the same expected value, whatever their errors are
/// (Welch, "On the comparison of several mean values: an alternative approach", Biometrika 38,
/// 1951). It is Wald's test with a correction for estimated errors. For two estimates it is Welch's
/// t-test. Returns `None` for fewer than two estimates and if an error is zero or not finite.
pub fn same_value(estimates: &[IndependentEstimate]) -> Option<SameValueTest> {
    if estimates.len() < 2
        || !estimates
            .iter()
            .all(|one| one.se.is_normal() && 0.0 < one.df)
    {
        return None;
    }
    let weight = |one: &IndependentEstimate| 1.0 / (one.se * one.se);
    let total: f64 = estimates.iter().map(weight).sum();
    let mean = estimates
        .iter()
        .map(|one| weight(one) * one.value)
        .sum::<f64>()
        / total;
    let between = estimates
        .iter()
        .map(|one| weight(one) * square(one.value - mean));
    let correction = estimates
        .iter()
        .map(|one| square(1.0 - weight(one) / total) / one.df);
    let (between, correction) = (between.sum::<f64>(), correction.sum::<f64>());
    let k = estimates.len() as f64;
    let df1 = k - 1.0;
    let df2 = (k * k - 1.0) / (3.0 * correction);
    let f = between / df1 / (1.0 + 2.0 * (k - 2.0) / (k * k - 1.0) * correction);
    Some(SameValueTest {
        f,
        df1,
        df2,
        p: fisher::sf(f, df1, df2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::student;

    fn estimates<const N: usize>(of: [(f64, f64, f64); N]) -> [IndependentEstimate; N] {
        of.map(|(value, se, df)| IndependentEstimate { value, se, df })
    }

    /// The expected numbers are those of `anova_generic(…, use_var="unequal")` of statsmodels 0.14.
    #[test]
    fn the_heterogeneity_test_of_three_estimates_matches_statsmodels() {
        let three = estimates([(0.4, 0.2, 19.0), (-0.1, 0.35, 11.0), (0.9, 0.15, 39.0)]);
        let test = same_value(&three).unwrap();
        let close = |ours: f64, expected: f64| (ours / expected - 1.0).abs() < 1e-10;
        assert!(close(test.f, 4.345373139755538), "{test:?}");
        assert!(
            close(test.df2, 26.23209278427444) && test.df1 == 2.0,
            "{test:?}"
        );
        assert!(close(test.p, 0.02344133342642612), "{test:?}");
    }

    #[test]
    fn the_heterogeneity_test_of_two_estimates_equals_welch_t_test() {
        let two = estimates([(1.0, 0.3, 9.0), (0.1, 0.5, 14.0)]);
        let test = same_value(&two).unwrap();
        let (first, second) = (0.3 * 0.3, 0.5 * 0.5);
        let variance: f64 = first + second;
        let df = variance * variance / (first * first / 9.0 + second * second / 14.0);
        let t = 0.9 / variance.sqrt();
        assert!(
            (test.f - t * t).abs() < 1e-12 && (test.df2 - df).abs() < 1e-9,
            "{test:?}"
        );
        let p = student::two_sided_p(t, df).unwrap();
        assert!((test.p / p - 1.0).abs() < 1e-10, "{test:?}");
    }

    #[test]
    fn heterogeneity_is_untestable_with_few_or_exact_estimates() {
        assert_eq!(same_value(&estimates([(1.0, 0.3, 9.0)])), None);
        let exact = estimates([(1.0, 0.3, 9.0), (1.0, 0.0, 9.0)]);
        assert_eq!(same_value(&exact), None);
    }
}
