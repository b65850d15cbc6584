//! Means over line-ups of blocks that may have been dealt the same cards.
//!
//! Blocks with the same deals say the same thing several times, at whatever line-up they were
//! played: together they are one **cluster**, one observation of chance. What is estimated is a
//! weighted sum of the means of *strata* (line-ups). Its error is found from what each cluster
//! moves the estimate by, all its blocks together (the linearised variance of a mean of
//! clusters; Cochran, "Sampling Techniques", chapters 5, 9A and 11). Where every line-up played the
//! same clusters this is the one-sample t-test on the clusters' means over line-ups; where no two
//! blocks share their deals, it is the stratified mean; with two strata of opposite weights and no
//! common cluster it is Welch's test.

use crate::Untestable;
use crate::dist::student;
use crate::summary::{
    Interval, ROUNDING_NOISE, check_confidence, no_variance, scaled_unit, sign_flip_floor, square,
};

/// What a block brought.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Blocks with equal numbers share their deals.
    pub cluster: usize,
    /// Observations that it counts for: 1 where all blocks count alike, else its deals.
    pub n: f64,
    /// The sum of these observations.
    pub sum: f64,
}

impl Block {
    /// A block that counts for one.
    pub fn one(cluster: usize, value: f64) -> Self {
        Self {
            cluster,
            n: 1.0,
            sum: value,
        }
    }
}

/// The blocks of a line-up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Stratum {
    /// What its mean counts for in the estimate.
    pub weight: f64,
    /// Its blocks.
    pub blocks: Vec<Block>,
}

impl Stratum {
    /// The blocks of one line-up whose mean is the estimate.
    #[must_use]
    pub fn alone(blocks: Vec<Block>) -> Self {
        Self {
            weight: 1.0,
            blocks,
        }
    }

    fn clusters(&self) -> usize {
        let mut clusters: Vec<usize> = self.blocks.iter().map(|block| block.cluster).collect();
        clusters.sort_unstable();
        clusters.dedup();
        clusters.len()
    }
}

/// An estimate with its error. All numbers are finite and `se` is positive.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusteredMean {
    /// The weighted sum of the strata's means.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Degrees of freedom of its t interval: one less than there are clusters where all weigh the
    /// same.
    pub df: f64,
    /// By how much each cluster moves the estimate, in the order of the clusters' numbers. The sum
    /// of squares is that of the standard error.
    pub influence: Vec<(usize, f64)>,
    /// Whether some cluster has several blocks.
    pub is_shared: bool,
    /// Whether the strata stand for themselves; where they could not (one has a single cluster),
    /// those of one sign are taken as one sample.
    pub is_stratified: bool,
}

impl ClusteredMean {
    /// A mean whose error is known, of observations of which nothing is kept.
    pub(crate) fn independent(mean: f64, se: f64, df: f64) -> Self {
        Self {
            mean,
            se,
            df,
            influence: Vec::new(),
            is_shared: false,
            is_stratified: false,
        }
    }

    /// Interval by Student's t.
    ///
    /// # Errors
    /// A bad confidence level.
    pub fn interval(&self, confidence: f64) -> Result<Interval, Untestable> {
        check_confidence(confidence)?;
        Ok(Interval::around(
            self.mean,
            student::isf(0.5 * (1.0 - confidence), self.df)? * self.se,
        ))
    }

    /// Two-sided p of the estimate being zero, by Student's t.
    ///
    /// # Errors
    /// Never for an estimate that this crate made.
    pub fn p(&self) -> Result<f64, Untestable> {
        Ok(student::two_sided_p(self.mean / self.se, self.df)?)
    }
}

/// The weighted sum of the means of strata with an error that holds where blocks share their deals.
/// `scale` is the size of the numbers that the observations were computed from, whose rounding they
/// carry.
///
/// Where a stratum has a single cluster, nothing is known of the spread within it, and where no
/// stratum varies within itself there is only what strata differ by; then the strata of positive
/// weight are taken as one sample, and those of negative weight as another.
///
/// # Errors
/// Fewer than two clusters, a sum that is not finite, no variance.
pub fn clustered_mean(strata: &[Stratum], scale: f64) -> Result<ClusteredMean, Untestable> {
    let filled = strata
        .iter()
        .filter(|stratum| stratum.blocks.iter().any(|block| 0.0 < block.n));
    let mut strata: Vec<Stratum> = filled.cloned().collect();
    let unit = scaled_unit(scale);
    for block in strata.iter_mut().flat_map(|stratum| &mut stratum.blocks) {
        block.sum /= unit;
        if !block.sum.is_finite() {
            return Err(Untestable::NotFinite);
        }
    }
    let scale = scale / unit;
    let mut found = estimate(&strata, true).filter(|found| ROUNDING_NOISE * scale < found.se);
    if found.is_none() {
        let merged = [1.0, -1.0].map(|sign| merge(&strata, sign));
        let merged: Vec<Stratum> = merged
            .into_iter()
            .filter(|stratum| !stratum.blocks.is_empty())
            .collect();
        let clusters = merged.iter().map(Stratum::clusters).min().unwrap_or(0);
        if clusters < 2 {
            return Err(Untestable::TooFewBlocks {
                blocks: clusters,
                needed: 2,
            });
        }
        let whole = estimate(&merged, false).ok_or(Untestable::NotFinite)?;
        if !(whole.mean.is_finite() && whole.se.is_finite()) {
            return Err(Untestable::NotFinite);
        }
        if whole.se <= ROUNDING_NOISE * scale {
            return Err(constant(&whole, &merged, scale, unit));
        }
        found = Some(whole);
    }
    let mut found = found
        .filter(|found| found.mean.is_finite() && found.se.is_finite())
        .ok_or(Untestable::NotFinite)?;
    found.mean *= unit;
    found.se *= unit;
    found
        .influence
        .iter_mut()
        .for_each(|(_, moved)| *moved *= unit);
    Ok(found)
}

/// Why strata without variance cannot be tested.
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

/// The two-sided p of a permutation test of two constant samples: only the labelling at hand, and
/// its mirror image when the sizes are equal, separates them as far.
fn separation_p(n_a: usize, n_b: usize) -> f64 {
    let extreme = if n_a == n_b { 2.0 } else { 1.0 };
    let small = n_a.min(n_b);
    let ln_labellings: f64 = (1..=small)
        .map(|k| libm::log((n_a + n_b - small + k) as f64 / k as f64))
        .sum();
    (extreme * libm::exp(-ln_labellings)).clamp(f64::MIN_POSITIVE, 1.0)
}

/// The blocks of all strata whose weight has this sign, as one stratum.
fn merge(strata: &[Stratum], sign: f64) -> Stratum {
    let side = || strata.iter().filter(|stratum| 0.0 < sign * stratum.weight);
    Stratum {
        weight: side().map(|stratum| stratum.weight).sum(),
        blocks: side()
            .flat_map(|stratum| stratum.blocks.iter().copied())
            .collect(),
    }
}

/// What a cluster does at one stratum.
struct Part {
    cluster: usize,
    stratum: usize,
    /// What it moves the estimate by.
    moved: f64,
    /// The part of the estimate that rests on it.
    share: f64,
}

/// What is known of strata that share clusters, directly or through others.
#[derive(Clone, Copy, Default)]
struct Component {
    clusters: usize,
    squares: f64,
    share_2: f64,
    share_4: f64,
}

impl Component {
    /// One less than the clusters that count: those of equal shares all do, of unequal ones the
    /// larger do (Satterthwaite's degrees of freedom for observations whose deviations go with
    /// their shares).
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

/// The estimate; `None` where a stratum has a single cluster, or there is no stratum.
fn estimate(strata: &[Stratum], is_stratified: bool) -> Option<ClusteredMean> {
    if strata.is_empty() {
        return None;
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut mean = 0.0;
    let mut is_shared = false;
    for (number, stratum) in strata.iter().enumerate() {
        let n: f64 = stratum.blocks.iter().map(|block| block.n).sum();
        let rough = stratum
            .blocks
            .iter()
            .map(|block| block.sum / n)
            .sum::<f64>();
        // A second pass takes back the rounding of the first.
        let own = rough
            + stratum
                .blocks
                .iter()
                .map(|block| (block.sum - block.n * rough) / n)
                .sum::<f64>();
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
                    moved: stratum.weight / n * (block.sum - block.n * own),
                    share: stratum.weight.abs() * block.n / n,
                }),
        );
        let here = &mut parts[start..];
        here.sort_by_key(|part| part.cluster);
        let clusters = here.chunk_by(|x, y| x.cluster == y.cluster).count();
        if clusters < 2 {
            return None;
        }
        // Deviations from a mean that was found from them are too small by this.
        let factor = (clusters as f64 / (clusters - 1) as f64).sqrt();
        here.iter_mut().for_each(|part| part.moved *= factor);
    }
    parts.sort_by_key(|part| part.cluster);
    let mut component: Vec<usize> = (0..strata.len()).collect();
    for together in parts.chunk_by(|x, y| x.cluster == y.cluster) {
        is_shared |= 1 < together.len();
        for part in &together[1..] {
            let (a, b) = (
                root(&mut component, together[0].stratum),
                root(&mut component, part.stratum),
            );
            component[a.max(b)] = a.min(b);
        }
    }
    let mut components = vec![Component::default(); strata.len()];
    let mut influence = Vec::new();
    for together in parts.chunk_by(|x, y| x.cluster == y.cluster) {
        let moved: f64 = together.iter().map(|part| part.moved).sum();
        let share: f64 = together.iter().map(|part| part.share).sum();
        let of = &mut components[root(&mut component, together[0].stratum)];
        of.clusters += 1;
        of.squares += moved * moved;
        of.share_2 += share * share;
        of.share_4 += share * share * (share * share);
        influence.push((together[0].cluster, moved));
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
        is_stratified: is_stratified && 1 < strata.len(),
    })
}

/// Degrees of freedom of a sum of independent variances: Satterthwaite's with ν + 2 for ν and 2
/// taken off (Welch's form), for the square of an estimated variance is too large by (ν + 2) / ν.
/// Without this, strata of two or three blocks would claim far too little. Two samples against each
/// other have Satterthwaite's as they stand, as Welch's test is made everywhere.
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

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test of the means of two samples without a common cluster.
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
    fn constant_samples_have_the_p_of_their_labellings() {
        let flat = [1.0; 3];
        assert_eq!(welch(&flat, &flat), Err(Untestable::ZeroVariance));
        // Of the 10 labellings of 2 + 3 numbers one separates them; of 6 labellings of 2 + 2, two
        // do.
        let permutation_p = |a: &[f64], b: &[f64]| match welch(a, b) {
            Err(Untestable::ConstantDifference { permutation_p, .. }) => permutation_p,
            other => panic!("{other:?}"),
        };
        assert!((permutation_p(&[2.0; 2], &[1.0; 3]) - 0.1).abs() < 1e-15);
        assert!((permutation_p(&[2.0; 2], &[1.0; 2]) - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn one_constant_sample_is_no_obstacle_to_welch() {
        let test = welch(&[1.0, 2.0, 4.0], &[1.0, 1.0]).expect("testable");
        assert!((test.df - 2.0).abs() < 1e-12);
    }
}
