//! Tests, power, corrections and tables, compared with SciPy and statsmodels.

use crate::common::{all_close, close, golden, number, numbers, reference};
use hattari_stats::clustered::{Block, ClusteredMean, Stratum, clustered_mean};
use hattari_stats::{Correction, TTest, one_sample_t, paired_t, power, required_blocks};
use serde_json::Value;

fn games() -> (Vec<f64>, Vec<f64>, Vec<usize>) {
    let data = &golden()["data"];
    let clusters = data["cluster"].as_array().unwrap();
    let clusters = clusters
        .iter()
        .map(|c| usize::try_from(c.as_u64().unwrap()).unwrap())
        .collect();
    (numbers(&data["a"]), numbers(&data["b"]), clusters)
}

/// Checks t, df, p and, if the reference contains it, the 95 % interval.
fn check(test: &TTest, expected: &Value) {
    close(test.t, number(&expected["t"]), 1e-12);
    close(test.df, number(&expected["df"]), 1e-12);
    close(test.p, number(&expected["p"]), 1e-11);
    if let Some(ci) = expected.get("ci95") {
        all_close(
            &[test.interval.low, test.interval.high],
            &numbers(ci),
            1e-12,
        );
    }
}

/// Checks t, df and p of a comparison of two samples without common blocks.
fn check_welch(a: &[f64], b: &[f64], expected: &Value) {
    let side = |weight: f64, first: usize, xs: &[f64]| Stratum {
        weight,
        blocks: (first..)
            .zip(xs)
            .map(|(cluster, &x)| Block::one(cluster, x))
            .collect(),
    };
    let found: ClusteredMean =
        clustered_mean(&[side(1.0, 0, a), side(-1.0, a.len(), b)], 4.0).unwrap();
    close(found.mean / found.se, number(&expected["t"]), 1e-12);
    close(found.df, number(&expected["df"]), 1e-12);
    close(found.p().unwrap(), number(&expected["p"]), 1e-11);
}

#[test]
fn paired_and_welch_tests_match_scipy() {
    let (a, b, _) = games();
    check(&paired_t(&a, &b, 0.95).unwrap(), &golden()["paired_t"]);
    check_welch(&a, &b, &golden()["welch_t"]);
}

#[test]
fn the_test_on_session_means_matches_scipy() {
    let (a, b, clusters) = games();
    let means = |xs: &[f64]| {
        let mut sums = vec![(0.0, 0.0); 12];
        for (x, &c) in xs.iter().zip(&clusters) {
            sums[c].0 += x;
            sums[c].1 += 1.0;
        }
        sums.into_iter()
            .map(|(sum, n)| sum / n)
            .collect::<Vec<f64>>()
    };
    check(
        &paired_t(&means(&a), &means(&b), 0.95).unwrap(),
        &golden()["session_mean_t"],
    );
}

#[test]
fn t_tests_of_small_samples_match_scipy() {
    let r = reference();
    let [a, b, other] = ["a", "b", "other"].map(|key| numbers(&r["small"][key]));
    check(&paired_t(&a, &b, 0.95).unwrap(), &r["paired_t"]);
    check_welch(&a, &other, &r["welch_t"]);
    let one = one_sample_t(&a, 0.99).unwrap();
    close(one.t, number(&r["one_sample_t"]["t"]), 1e-12);
    close(one.p, number(&r["one_sample_t"]["p"]), 1e-11);
    all_close(
        &[one.interval.low, one.interval.high],
        &numbers(&r["one_sample_t"]["ci99"]),
        1e-12,
    );
    // By definition, d_z is t divided by the root of n.
    close(one.effect_size, one.t / (a.len() as f64).sqrt(), 1e-13);
}

#[test]
fn adjusted_p_values_match_statsmodels() {
    let multi = &golden()["multi"];
    let p = numbers(&multi["p"]);
    for (correction, key) in [(Correction::Holm, "holm"), (Correction::None, "p")] {
        all_close(&correction.adjust(&p), &numbers(&multi[key]), 1e-14);
        let reversed: Vec<f64> = p.iter().rev().copied().collect();
        let expected: Vec<f64> = numbers(&multi[key]).into_iter().rev().collect();
        all_close(&correction.adjust(&reversed), &expected, 1e-14);
    }
}

#[test]
fn required_blocks_match_statsmodels() {
    // The solver of statsmodels stops at a power of 0.79999999995, so its n has an error of
    // 1.3e-10.
    let expected = number(&golden()["power_n_paired_d0.1_80"]);
    for effect in [0.1, -0.1] {
        let blocks = required_blocks(effect, 0.05, 0.8).unwrap();
        close(blocks, expected, 2e-10);
    }
    close(
        power(expected, 0.1, 0.05).unwrap(),
        0.799_999_999_949_686_4,
        1e-12,
    );
}

#[test]
fn power_matches_the_mpmath_integral() {
    let r = reference();
    for row in r["power"].as_array().unwrap() {
        close(
            power(number(&row["n"]), number(&row["d"]), 0.05).unwrap(),
            number(&row["power"]),
            1e-11,
        );
    }
    for row in r["power_n"].as_array().unwrap() {
        let n = required_blocks(number(&row["d"]), 0.05, number(&row["power"])).unwrap();
        close(n, number(&row["n"]), 1e-8);
    }
}

#[test]
fn required_blocks_reach_their_power_over_the_whole_range() {
    let mut effect = 1e-5;
    while effect < 1e4 {
        let n = required_blocks(effect, 0.05, 0.8).unwrap();
        assert!(n.is_finite() && 2.0 <= n, "{effect}: {n}");
        let reached = power(n, effect, 0.05).unwrap();
        // Two blocks are the minimum and can have more power than requested.
        assert!(
            (reached - 0.8).abs() < 1e-8 || (n == 2.0 && 0.8 < reached),
            "{effect}: n {n} has power {reached}"
        );
        effect *= 1.7;
    }
    // A very small effect: ((z₀.₉₇₅ + z₀.₈)/d)², reduced by a relative 5e-6 because of rejections
    // in the wrong direction.
    let far = required_blocks(1e-9, 0.05, 0.8).unwrap();
    close(far, 7.848_879_734_349_09e18, 5e-6);
    assert!(required_blocks(5e-324, 0.05, 0.8).is_ok_and(|n| n.is_finite() && 1e300 < n));
    assert!(required_blocks(0.0, 0.05, 0.8).is_err());
    assert!(required_blocks(0.1, 0.05, 0.05).is_err());
    assert!(required_blocks(f64::NAN, 0.05, 0.8).is_err());
}
