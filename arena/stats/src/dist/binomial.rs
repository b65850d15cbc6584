//! The binomial distribution.

use crate::Untestable;

/// Returns P(X ≥ k) for n trials with success probability p. Each term is computed from its
/// logarithm, so that far tails are accurate.
///
/// # Errors
/// Returns an error if `p` is not from 0 to 1.
pub fn at_least(k: u64, n: u64, p: f64) -> Result<f64, Untestable> {
    Untestable::require(
        (0.0..=1.0).contains(&p),
        "a probability must be between 0 and 1",
    )?;
    if k == 0 || (p == 1.0 && k <= n) {
        return Ok(1.0);
    }
    if n < k || p == 0.0 {
        return Ok(0.0);
    }
    // ln of the probability of exactly i successes, for i from 0 to n.
    let (odds, n_real) = (libm::log(p) - libm::log1p(-p), n as f64);
    let mut ln_term = n_real * libm::log1p(-p);
    let mut sum = 0.0;
    for i in 0..=n {
        if k <= i {
            sum += libm::exp(ln_term);
        }
        let i = i as f64;
        ln_term += libm::log((n_real - i) / (i + 1.0)) + odds;
    }
    Ok(sum.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binomial_tails_match_known_values() {
        let is = |k, n, p, wanted: f64| {
            let found = at_least(k, n, p).unwrap();
            assert!(
                (found - wanted).abs() <= 1e-12 * wanted.max(1e-300),
                "{k} of {n} at {p}: {found}, not {wanted}"
            );
        };
        is(0, 10, 0.3, 1.0);
        is(3, 3, 0.2, 0.008);
        is(2, 3, 0.5, 0.5);
        is(1, 4, 0.25, 1.0 - 0.75 * 0.75 * 0.75 * 0.75);
        is(20, 20, 0.1, 1e-20);
        is(5, 4, 0.9, 0.0);
        is(4, 4, 1.0, 1.0);
        is(1, 9, 0.0, 0.0);
        // "At least k successes" and "at least n − k + 1 failures" are complementary events.
        for k in 1..=200 {
            let (here, there) = (
                at_least(k, 200, 0.37).unwrap(),
                at_least(201 - k, 200, 0.63).unwrap(),
            );
            assert!(
                (here + there - 1.0).abs() < 1e-11,
                "{k}: {here} and {there}"
            );
        }
        assert!(at_least(1, 2, f64::NAN).is_err() && at_least(1, 2, 1.1).is_err());
    }
}
