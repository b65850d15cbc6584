//! Checks beside the block t-test against SciPy, statsmodels and numpy.

use crate::common::{close, golden, number, numbers, reference};
use hattari_stats::dependence::{cluster_robust_mean, effective_n, hac_mean, lag1_correlation};
use hattari_stats::rank_test::{PMethod, sign_flip_test, wilcoxon};
use hattari_stats::ratio::score_ratio;

fn game_differences() -> Vec<f64> {
    let data = &golden()["data"];
    numbers(&data["a"])
        .iter()
        .zip(numbers(&data["b"]))
        .map(|(a, b)| a - b)
        .collect()
}

#[test]
fn cluster_robust_error_is_statsmodels_cr1() {
    let blocks: Vec<(u64, f64)> = game_differences()
        .chunks(8)
        .map(|block| (block.len() as u64, block.iter().sum()))
        .collect();
    let robust = cluster_robust_mean(&blocks).expect("testable");
    let expected = &golden()["cluster_robust_CR1"];
    close(robust.mean, number(&expected["mean"]), 1e-13);
    close(robust.se, number(&expected["se"]), 1e-12);
    assert_eq!((robust.influence.len(), robust.df), (12, 11.0));
}

#[test]
fn hac_error_is_statsmodels_bartlett_four() {
    let hac = hac_mean(&game_differences(), 4).expect("testable");
    close(hac.se, number(&golden()["hac_bartlett4"]["se"]), 1e-12);
}

#[test]
fn wilcoxon_is_scipy_s() {
    let many = wilcoxon(&game_differences()).expect("testable");
    close(many.p, number(&golden()["wilcoxon"]["p"]), 1e-11);
    assert_eq!(many.method, PMethod::Normal);
    let r = reference();
    let small: Vec<f64> = numbers(&r["small"]["a"])
        .iter()
        .zip(numbers(&r["small"]["b"]))
        .map(|(a, b)| a - b)
        .collect();
    let few = wilcoxon(&small).expect("testable");
    close(few.p, number(&r["wilcoxon_exact_p"]), 1e-12);
    assert_eq!(few.method, PMethod::Exact);
    let tied = wilcoxon(&numbers(&r["wilcoxon_ties"]["x"])).expect("testable");
    close(tied.p, number(&r["wilcoxon_ties"]["p"]), 1e-11);
}

#[test]
fn counted_sign_flips_are_scipy_s_permutation_test() {
    let r = reference();
    let small: Vec<f64> = numbers(&r["small"]["a"])
        .iter()
        .zip(numbers(&r["small"]["b"]))
        .map(|(a, b)| a - b)
        .collect();
    let flips = sign_flip_test(&small, 1, 1).expect("testable");
    close(flips.p, number(&r["sign_flip_exact_p"]), 1e-12);
    assert_eq!(flips.method, PMethod::Exact);
}

#[test]
fn lag_one_correlation_is_statsmodels_acf() {
    let walk = &reference()["walk"];
    let r = lag1_correlation(&[&numbers(&walk["x"])]).expect("testable");
    close(r, number(&walk["lag1"]), 1e-12);
    close(
        effective_n(300, r).expect("valid"),
        300.0 * (1.0 - r) / (1.0 + r),
        1e-15,
    );
}

#[test]
fn score_ratio_has_the_delta_method_s_error() {
    let ratio = &reference()["ratio"];
    let (a, b) = (numbers(&ratio["a"]), numbers(&ratio["b"]));
    let clusters: Vec<usize> = (0..a.len()).collect();
    let ours = score_ratio(&a, &b, &clusters, 0.95).expect("testable");
    let expected = numbers(&ratio["share_and_se"]);
    close(ours.ratio, expected[0], 1e-13);
    close(ours.se, expected[1], 1e-11);
}
