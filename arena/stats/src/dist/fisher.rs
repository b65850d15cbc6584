//! The F distribution for any positive degrees of freedom.

use super::special::incomplete_beta_fraction;
use libm::{exp, lgamma, log};

/// Returns P(F > f) for positive, finite degrees of freedom and a finite `f` of at least 0. The
/// result is never 0: values below the smallest normal `f64` are replaced by that number.
pub(crate) fn sf(f: f64, df1: f64, df2: f64) -> f64 {
    // The regularised incomplete beta function I_x(a, b) (DLMF 8.17).
    let (a, b) = (df2 / 2.0, df1 / 2.0);
    let x = df2 / (df2 + df1 * f);
    let y = df1 * f / (df2 + df1 * f);
    if y <= 0.0 {
        return 1.0;
    }
    let ln_beta = lgamma(a) + lgamma(b) - lgamma(a + b);
    let front = exp(a * log(x) + b * log(y) - ln_beta);
    let upper = if x < (a + 1.0) / (a + b + 2.0) {
        front * incomplete_beta_fraction(a, b, x) / a
    } else {
        1.0 - front * incomplete_beta_fraction(b, a, y) / b
    };
    upper.clamp(f64::MIN_POSITIVE, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::student;

    /// With two numerator degrees of freedom the distribution has a closed form.
    #[test]
    fn the_f_tail_with_two_numerator_degrees_matches_the_closed_form() {
        for df in [1.0, 7.5, 40.0, 900.0] {
            for f in [0.0, 0.3, 1.0, 4.1, 30.0] {
                let exact = libm::pow(1.0 + 2.0 * f / df, -df / 2.0);
                let ours = sf(f, 2.0, df);
                assert!(
                    (ours / exact - 1.0).abs() < 1e-10,
                    "{f} {df}: {ours} {exact}"
                );
            }
        }
    }

    /// The expected numbers are those of `scipy.stats.f.sf` of SciPy.
    #[test]
    fn f_tails_match_scipy() {
        let cases = [
            (2.7, 3.0, 17.5, 0.07729097651368788),
            (0.2, 4.0, 6.0, 0.9294069754911938),
            (80.0, 5.0, 40.0, 9.560539420771497e-20),
        ];
        for (f, df1, df2, expected) in cases {
            let ours = sf(f, df1, df2);
            assert!((ours / expected - 1.0).abs() < 1e-10, "{f}: {ours}");
        }
    }

    #[test]
    fn the_f_tail_with_one_numerator_degree_matches_squared_student_t() {
        for (t, df) in [(0.1, 3.0), (1.7, 8.2), (5.0, 60.0)] {
            let two_sided = student::two_sided_p(t, df).unwrap();
            assert!(
                (sf(t * t, 1.0, df) / two_sided - 1.0).abs() < 1e-10,
                "{t} {df}"
            );
        }
    }
}
