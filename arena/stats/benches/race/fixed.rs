//! The baseline for races: every arm plays the same number of blocks, fixed in advance, and one
//! test is made at the end.

use crate::field::{Field, Normal};
use hattari_stats::dist::normal;

/// Number of simulated draws of the mean scores.
const DRAWS: usize = 2000;

/// Returns the smallest number of blocks per arm with which a single test finds the best arm in 90
/// % of the draws.
///
/// The test is Holm's procedure for every arm against the leader, with the same shares of the error
/// as a race. The calculation assumes that strengths and deviations are known when the number is
/// chosen. It is therefore a lower bound for tests of this kind.
pub(crate) fn blocks(field: Field, error: f64) -> f64 {
    let means = field.strengths.of(field.arms);
    let mut normal = Normal::new(17);
    let draws: Vec<Vec<f64>> = (0..DRAWS)
        .map(|_| (0..field.arms).map(|_| normal.draw()).collect())
        .collect();
    // The arms not yet eliminated share the error. Each of them can lose to any other arm.
    let others = field.arms - 1;
    let critical: Vec<f64> = (0..others)
        .map(|beaten| error / ((field.arms - beaten) * others) as f64)
        .map(|level| normal::isf(level).expect("a level"))
        .collect();
    let finds = |blocks: f64, draw: &[f64]| {
        let se = ((1.0 - field.correlation) / blocks).sqrt();
        let lead = means[0] + se * draw[0];
        let behind = means
            .iter()
            .zip(draw)
            .skip(1)
            .map(|(mean, z)| lead - mean - se * z);
        let mut z: Vec<f64> = behind.map(|lead| lead / (2f64.sqrt() * se)).collect();
        z.sort_by(|a, b| b.total_cmp(a));
        z.iter().zip(&critical).all(|(z, critical)| critical <= z)
    };
    let is_enough =
        |blocks: f64| 9 * DRAWS <= 10 * draws.iter().filter(|draw| finds(blocks, draw)).count();
    let mut high = 10.0;
    while !is_enough(high) {
        high *= 2.0;
    }
    let mut low = 0.5 * high;
    while 1.0 < high - low {
        let middle = 0.5 * (low + high);
        *(if is_enough(middle) {
            &mut high
        } else {
            &mut low
        }) = middle;
    }
    high.ceil() * field.arms as f64
}
