//! Weighted means over line-ups, with standard errors for blocks that share deals.
//!
//! Blocks with the same deals are not independent, even if different line-ups played them. They
//! form one **cluster**, which counts as one observation. The estimate is a weighted sum of the
//! means of *strata* (line-ups). Its variance is computed from the influence of each cluster: the
//! sum of the effects of its blocks on the estimate. This is the linearised variance of a mean of
//! clusters (Cochran, "Sampling Techniques", chapters 5, 9A and 11).
//!
//! Special cases:
//!
//! - If every line-up played the same clusters, this is the one-sample t-test on the means of the
//!   clusters over line-ups.
//! - If no two blocks share deals, this is the stratified mean.
//! - With two strata of opposite weights and no common cluster, this is Welch's test.

use crate::dist::student;
use crate::summary::{
    ROUNDING_NOISE, check_confidence, join, no_variance, root, scaled_unit, sign_flip_floor, square,
};
use crate::{Interval, Untestable};

/// Minimum number of clusters of a stratum whose variance is estimated separately. The variance of
/// the whole can depend mostly on one stratum. With fewer clusters, equal bots would often seem to
/// differ, because the variance of that stratum is small by chance.
pub const CLUSTERS_MIN: usize = 5;
/// Minimum number of degrees of freedom of merged strata if one of them has a single cluster. With
/// fewer, a 95 % interval has more than 250 standard errors on each side.
const DF_MIN: f64 = 0.5;

/// The result of one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Cluster number: blocks with the same number share their deals.
    pub cluster: usize,
    /// Number of observations: 1 if all blocks have equal weight, else the number of deals.
    pub n: f64,
    /// Sum of the observations in the block.
    pub sum: f64,
}

impl Block {
    /// Returns a block that counts as one observation.
    pub fn one(cluster: usize, value: f64) -> Self {
        Self {
            cluster,
            n: 1.0,
            sum: value,
        }
    }
}

/// A stratum: the blocks of a line-up, with the weight of their mean in the estimate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stratum {
    /// Weight of the stratum's mean in the estimate.
    pub weight: f64,
    /// Blocks of the line-up.
    pub blocks: Vec<Block>,
}

impl Stratum {
    /// Returns a stratum of weight 1, so that the estimate is the mean of `blocks`.
    pub fn alone(blocks: Vec<Block>) -> Self {
        Self {
            weight: 1.0,
            blocks,
        }
    }

    /// Returns the number of observations.
    fn size(&self) -> f64 {
        self.blocks.iter().map(|block| block.n).sum()
    }

    /// Returns the mean of the observations. Sums are divided before they are added, so that the
    /// total does not overflow.
    pub(crate) fn mean(&self) -> f64 {
        let n = self.size();
        let blocks = self.blocks.iter();
        let rough: f64 = blocks.clone().map(|block| block.sum / n).sum();
        // The second pass corrects the rounding error of the first.
        rough
            + blocks
                .map(|block| (block.sum - block.n * rough) / n)
                .sum::<f64>()
    }

    fn clusters(&self) -> usize {
        let mut clusters: Vec<usize> = self.blocks.iter().map(|block| block.cluster).collect();
        clusters.sort_unstable();
        clusters.dedup();
        clusters.len()
    }
}

/// An estimate with its standard error. All numbers are finite and `se` is positive.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusteredMean {
    /// Weighted sum of the means of the strata.
    pub mean: f64,
    /// Standard error of `mean`.
    pub se: f64,
    /// Degrees of freedom of the t interval. If all clusters have the same weight, this is the
    /// number of clusters minus one.
    pub df: f64,
    /// Influence of each cluster on the estimate, sorted by cluster number. The sum of the squares
    /// is `se` squared.
    pub influence: Vec<(usize, f64)>,
    /// True if some cluster contains more than one block.
    pub is_shared: bool,
    /// True if every stratum has its own mean. False if some stratum has fewer than five clusters;
    /// then all strata with weights of the same sign are merged into one sample.
    pub is_stratified: bool,
}

impl ClusteredMean {
    /// Creates a mean with known standard error. The influences are left empty.
    pub(crate) fn with_known_error(mean: f64, se: f64, df: f64) -> Self {
        Self {
            mean,
            se,
            df,
            influence: Vec::new(),
            is_shared: false,
            is_stratified: false,
        }
    }

    /// Returns the t interval at this confidence level.
    ///
    /// # Errors
    /// Returns an error if `confidence` is not strictly between 0 and 1.
    pub fn interval(&self, confidence: f64) -> Result<Interval, Untestable> {
        check_confidence(confidence)?;
        Ok(Interval::around(
            self.mean,
            student::isf(0.5 * (1.0 - confidence), self.df)? * self.se,
        ))
    }

    /// Returns the two-sided p value of the hypothesis that the estimate is zero (t distribution).
    ///
    /// # Errors
    /// Returns an error if `mean / se` is not a number, or if `df` is not positive and finite.
    pub fn p(&self) -> Result<f64, Untestable> {
        student::two_sided_p(self.mean / self.se, self.df)
    }
}

/// Computes the weighted sum of the means of `strata`, with a standard error that is valid if
/// blocks share deals.
///
/// `scale` is the largest absolute value of the scores from which the observations were computed.
/// It determines which variation is only rounding error.
///
/// Strata are merged if some of them has fewer than five clusters, or if none varies internally:
/// those with positive weight into one sample, the others into another. The mean of each stratum
/// keeps its weight. The variance then contains the differences between line-ups.
/// T-tests on observations with different variances are conservative (Ibragimov and Müller,
/// "t-statistic based correlation and heterogeneity robust inference").
///
/// # Errors
/// Returns an error if there are fewer than two clusters, if a sum is not finite, or if the
/// observations have no variance. Returns [`Untestable::SingleBlock`] if a stratum with a single
/// cluster has so much weight that the error is unknown.
pub fn clustered_mean(strata: &[Stratum], scale: f64) -> Result<ClusteredMean, Untestable> {
    mean_of_strata(strata, scale, CLUSTERS_MIN)
}

/// Computes a [`clustered_mean`] that merges strata if some of them has fewer than `clusters_min`
/// clusters.
pub(crate) fn mean_of_strata(
    strata: &[Stratum],
    scale: f64,
    clusters_min: usize,
) -> Result<ClusteredMean, Untestable> {
    let mut strata: Vec<Stratum> = strata
        .iter()
        .filter(|stratum| stratum.blocks.iter().any(|block| 0.0 < block.n))
        .cloned()
        .collect();
    let unit = scaled_unit(scale);
    for block in strata.iter_mut().flat_map(|stratum| &mut stratum.blocks) {
        block.sum /= unit;
        if !block.sum.is_finite() {
            return Err(Untestable::NotFinite);
        }
    }
    let scale = scale / unit;
    let found = estimate(&strata, clusters_min).filter(|found| ROUNDING_NOISE * scale < found.se);
    let mut found = if let Some(found) = found {
        found
    } else {
        let merged: Vec<Stratum> = [1.0, -1.0]
            .map(|sign| merge(&strata, sign))
            .into_iter()
            .filter(|stratum| !stratum.blocks.is_empty())
            .collect();
        let clusters = merged.iter().map(Stratum::clusters).min().unwrap_or(0);
        Untestable::require_blocks(clusters, 2)?;
        let mut whole = estimate(&merged, 2).ok_or(Untestable::NotFinite)?;
        whole.is_stratified = false;
        if whole.mean.is_finite() && whole.se <= ROUNDING_NOISE * scale {
            return Err(constant(&whole, &merged, scale, unit));
        }
        if whole.df < DF_MIN
            && 1 < strata.len()
            && strata.iter().any(|stratum| stratum.clusters() == 1)
        {
            return Err(Untestable::SingleBlock);
        }
        whole
    };
    if !(found.mean.is_finite() && found.se.is_finite()) {
        return Err(Untestable::NotFinite);
    }
    found.mean *= unit;
    found.se *= unit;
    found
        .influence
        .iter_mut()
        .for_each(|(_, influence)| *influence *= unit);
    Ok(found)
}

/// Returns the error for strata without variance, with the p value of a permutation test.
fn constant(whole: &ClusteredMean, merged: &[Stratum], scale: f64, unit: f64) -> Untestable {
    let permutation_p = match merged {
        [a, b] if whole.influence.len() == a.clusters() + b.clusters() => {
            separation_p(a.clusters(), b.clusters())
        }
        _ => sign_flip_floor(whole.influence.len()),
    };
    no_variance(
        whole.mean * unit,
        ROUNDING_NOISE * scale * unit,
        permutation_p,
    )
}

/// Returns the two-sided p value of a permutation test of two constant samples. Only the observed
/// labelling, and its mirror image if the sizes are equal, gives such a large difference.
fn separation_p(n_a: usize, n_b: usize) -> f64 {
    let extreme = if n_a == n_b { 2.0 } else { 1.0 };
    let small = n_a.min(n_b);
    let ln_labellings: f64 = (1..=small)
        .map(|k| libm::log((n_a + n_b - small + k) as f64 / k as f64))
        .sum();
    (extreme * libm::exp(-ln_labellings)).clamp(f64::MIN_POSITIVE, 1.0)
}

/// Merges the blocks of all strata whose weight has this sign into one stratum, in which they keep
/// their weights.
fn merge(strata: &[Stratum], sign: f64) -> Stratum {
    let side = || strata.iter().filter(|stratum| 0.0 < sign * stratum.weight);
    Stratum {
        weight: side().map(|stratum| stratum.weight).sum(),
        blocks: side()
            .flat_map(|stratum| {
                let weight = stratum.weight.abs() / stratum.size();
                stratum
                    .blocks
                    .iter()
                    .map(move |block| Block {
                        cluster: block.cluster,
                        n: block.n * weight,
                        sum: block.sum * weight,
                    })
                    .collect::<Vec<_>>()
            })
            .collect(),
    }
}

/// The blocks of one cluster in one stratum, and their contribution to the estimate.
struct Part {
    cluster: usize,
    stratum: usize,
    /// Influence on the estimate.
    influence: f64,
    /// Share of the estimate's weight that is based on the cluster.
    share: f64,
}

/// Sums over a set of strata that share clusters, directly or indirectly.
#[derive(Clone, Default)]
struct Component {
    clusters: usize,
    squares: f64,
    share_2: f64,
    share_4: f64,
}

impl Component {
    /// Returns the effective number of clusters minus one. Clusters with equal shares all count;
    /// with unequal shares, small clusters count less (Satterthwaite's degrees of freedom for
    /// observations whose standard deviations are proportional to their shares).
    fn df(&self) -> f64 {
        let effective = self.share_2 * self.share_2 / self.share_4;
        let clusters = self.clusters as f64;
        (if (effective - clusters).abs() < 1e-9 * clusters {
            clusters
        } else {
            effective
        }) - 1.0
    }
}

/// Computes the estimate. Returns `None` if a stratum has fewer than `clusters_min` clusters or if
/// `strata` is empty.
fn estimate(strata: &[Stratum], clusters_min: usize) -> Option<ClusteredMean> {
    if strata.is_empty() {
        return None;
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut mean = 0.0;
    let mut is_shared = false;
    for (number, stratum) in strata.iter().enumerate() {
        let (n, own) = (stratum.size(), stratum.mean());
        mean += stratum.weight * own;
        let start = parts.len();
        parts.extend(
            stratum
                .blocks
                .iter()
                .filter(|block| 0.0 < block.n)
                .map(|block| Part {
                    cluster: block.cluster,
                    stratum: number,
                    influence: stratum.weight / n * (block.sum - block.n * own),
                    share: stratum.weight.abs() * block.n / n,
                }),
        );
        let here = &mut parts[start..];
        here.sort_by_key(|part| part.cluster);
        let clusters = here.chunk_by(|x, y| x.cluster == y.cluster).count();
        if clusters < clusters_min {
            return None;
        }
        // Deviations from an estimated mean are too small. This factor corrects them.
        let factor = (clusters as f64 / (clusters - 1) as f64).sqrt();
        here.iter_mut().for_each(|part| part.influence *= factor);
    }
    parts.sort_by_key(|part| part.cluster);
    let mut component: Vec<usize> = (0..strata.len()).collect();
    for together in parts.chunk_by(|x, y| x.cluster == y.cluster) {
        is_shared |= 1 < together.len();
        for part in &together[1..] {
            join(&mut component, together[0].stratum, part.stratum);
        }
    }
    let mut components = vec![Component::default(); strata.len()];
    let mut influence = Vec::new();
    for together in parts.chunk_by(|x, y| x.cluster == y.cluster) {
        let total: f64 = together.iter().map(|part| part.influence).sum();
        let share: f64 = together.iter().map(|part| part.share).sum();
        let of = &mut components[root(&mut component, together[0].stratum)];
        of.clusters += 1;
        of.squares += total * total;
        of.share_2 += share * share;
        of.share_4 += share * share * (share * share);
        influence.push((together[0].cluster, total));
    }
    components.retain(|component| 0 < component.clusters);
    let squares: f64 = components.iter().map(|component| component.squares).sum();
    Some(ClusteredMean {
        mean,
        se: squares.sqrt(),
        df: degrees_of_freedom(
            &components,
            squares,
            strata.iter().any(|stratum| stratum.weight < 0.0),
        ),
        influence,
        is_shared,
        is_stratified: 1 < strata.len(),
    })
}

/// Returns the degrees of freedom of a sum of independent variance estimates.
///
/// For contrasts of two samples these are Satterthwaite's, as usual for Welch's test. Otherwise ν
/// is replaced by ν + 2 and 2 is subtracted from the result (Welch's form). The reason is that the
/// square of an estimated variance is too large by the factor (ν + 2) / ν on average. Without this
/// correction, the test has too little power for strata of few blocks.
fn degrees_of_freedom(components: &[Component], squares: f64, is_contrast: bool) -> f64 {
    let more = if is_contrast { 0.0 } else { 2.0 };
    let each = || components.iter().map(Component::df);
    if let [one] = components {
        return one.df();
    }
    let fourth: f64 = components
        .iter()
        .map(|of| square(of.squares / squares) / (of.df() + more))
        .sum();
    let (least, most) = (each().fold(f64::INFINITY, f64::min), each().sum::<f64>());
    if fourth.is_finite() {
        (1.0 / fourth - more).clamp(least, most)
    } else {
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Tests the difference of the means of two samples that have no common cluster.
    fn welch(a: &[f64], b: &[f64]) -> Result<ClusteredMean, Untestable> {
        let side = |weight: f64, first: usize, xs: &[f64]| Stratum {
            weight,
            blocks: (first..)
                .zip(xs)
                .map(|(cluster, &x)| Block::one(cluster, x))
                .collect(),
        };
        clustered_mean(&[side(1.0, 0, a), side(-1.0, a.len(), b)], 4.0)
    }

    #[test]
    fn constant_samples_have_an_exact_permutation_p_value() {
        let flat = [1.0; 3];
        assert_eq!(welch(&flat, &flat), Err(Untestable::ZeroVariance));
        // One of the 10 labellings of 2 + 3 numbers separates the samples, and 2 of the 6
        // labellings of 2 + 2 numbers.
        let permutation_p = |a: &[f64], b: &[f64]| match welch(a, b) {
            Err(Untestable::ConstantDifference { permutation_p, .. }) => permutation_p,
            other => panic!("{other:?}"),
        };
        assert!((permutation_p(&[2.0; 2], &[1.0; 3]) - 0.1).abs() < 1e-15);
        assert!((permutation_p(&[2.0; 2], &[1.0; 2]) - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn welch_test_accepts_one_constant_sample() {
        let test = welch(&[1.0, 2.0, 4.0], &[1.0, 1.0]).expect("testable");
        assert!((test.df - 2.0).abs() < 1e-12);
    }

    /// Equal bots at six line-ups of two blocks each; one line-up has nearly all the variance.
    #[test]
    fn line_ups_with_few_blocks_and_unequal_variance_do_not_separate_equal_bots() {
        let significant = |seed: u64| {
            let mut rng = Rng::new(seed);
            let mut stratum = |line_up: usize| {
                let scale = if line_up == 0 { 100.0 } else { 1.0 };
                let block = |block| Block::one(2 * line_up + block, scale * (rng.uniform() - 0.5));
                Stratum {
                    weight: 1.0 / 6.0,
                    blocks: (0..2).map(block).collect(),
                }
            };
            let strata: Vec<Stratum> = (0..6).map(&mut stratum).collect();
            clustered_mean(&strata, 100.0).unwrap().p().unwrap() <= 0.05
        };
        assert!((0..1000).filter(|&seed| significant(seed)).count() <= 65);
    }

    #[test]
    fn a_line_up_with_one_block_keeps_its_weight() {
        let block = |cluster| Block::one(cluster, (cluster % 4) as f64);
        let strata = |single: f64| {
            let long = Stratum::alone((0..12).map(block).collect());
            [
                Stratum {
                    weight: 1.0 - single,
                    ..long
                },
                Stratum {
                    weight: single,
                    blocks: vec![Block::one(12, 10.0)],
                },
            ]
        };
        let found = clustered_mean(&strata(0.1), 10.0).unwrap();
        assert!((found.mean - (0.9 * 1.5 + 0.1 * 10.0)).abs() < 1e-12);
        assert!(1.0 < found.df && found.df < 12.0);
        assert_eq!(
            clustered_mean(&strata(0.5), 10.0),
            Err(Untestable::SingleBlock)
        );
        // Two blocks of different sizes in one line-up can be tested.
        let [a, b] = [(0, 100.0), (1, 99.0)].map(|(cluster, n)| Block {
            cluster,
            n,
            sum: n * cluster as f64,
        });
        assert!(clustered_mean(&[Stratum::alone(vec![a, b])], 1.0).is_ok());
    }
}
