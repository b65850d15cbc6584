//! The score ratio and means of unequal blocks, compared with statsmodels and numpy.

use crate::common::{close, golden, number, numbers, reference};
use hattari_stats::clustered::{Block, Stratum, clustered_mean};
use hattari_stats::ratio::score_ratio;

#[test]
fn the_block_standard_error_matches_statsmodels_cr1() {
    let data = &golden()["data"];
    let (a, b) = (numbers(&data["a"]), numbers(&data["b"]));
    let differences: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
    let block = |(cluster, games): (usize, &[f64])| Block {
        cluster,
        n: games.len() as f64,
        sum: games.iter().sum(),
    };
    let blocks = differences.chunks(8).enumerate().map(block).collect();
    let robust = clustered_mean(&[Stratum::alone(blocks)], 4.0).unwrap();
    let expected = &golden()["cluster_robust_CR1"];
    close(robust.mean, number(&expected["mean"]), 1e-13);
    close(robust.se, number(&expected["se"]), 1e-12);
    assert_eq!((robust.influence.len(), robust.df), (12, 11.0));
}

#[test]
fn the_score_ratio_standard_error_matches_the_delta_method() {
    let ratio = &reference()["ratio"];
    let (a, b) = (numbers(&ratio["a"]), numbers(&ratio["b"]));
    let clusters: Vec<usize> = (0..a.len()).collect();
    let ours = score_ratio(&a, &b, &clusters, 0.95).unwrap();
    let expected = numbers(&ratio["share_and_se"]);
    close(ours.ratio, expected[0], 1e-13);
    close(ours.se, expected[1], 1e-11);
}
