//! Many means of the same clusters at once: p adjusted by the joint distribution of their t
//! statistics.
//!
//! If differences are symmetric about zero, all together, the signs of whole clusters are fair
//! coins, whatever the differences of one cluster have to do with each other. So the largest t
//! statistic under all patterns of signs is what chance alone brings, exactly and from the first
//! few clusters on; the largest of those not yet rejected is what the next one faces (Westfall and
//! Young, "Resampling-Based Multiple Testing", step-down maxT; Romano and Wolf, "Exact and
//! approximate stepdown methods for multiple hypothesis testing"). A multivariate t with estimated
//! correlations would claim up to 10 % at ten clusters where 5 % are asked for.

use crate::Rng;
use crate::dist::student;
use crate::linear::{LANES, Lanes, dot};
use crate::summary::ROUNDING_NOISE;

/// Up to so many clusters all patterns of signs are counted.
const EXACT_MAX: usize = 13;

/// How many patterns are drawn where there are too many to be counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flips {
    /// Patterns.
    pub samples: usize,
    /// Seed of the draws.
    pub seed: u64,
}

/// Means that were tested together.
pub(crate) struct MaxT {
    /// The adjusted p of each. None is smaller than that of the one pattern of signs at hand among
    /// those looked at.
    pub p: Vec<f64>,
    /// The smallest p that the patterns can give.
    pub least: f64,
    /// The largest statistic left in each step of each pattern; empty unless asked for.
    largest: Vec<Vec<f64>>,
    /// The place of each mean in the order of the steps.
    step: Vec<usize>,
    clusters: usize,
}

/// Adjusts means over clusters. `columns` hold one number for each cluster, of which `statistic`
/// receives the sums, one for each column, with the clusters' signs in each lane. It returns the sum
/// of a mean's signed numbers, divided by the root of the clusters times the sum of their squares:
/// the t statistic of a mean grows with the size of this quotient, in the same way for all.
pub(crate) fn max_t<M: Copy>(
    means: &[M],
    columns: &[Vec<f64>],
    flips: Flips,
    keeps_largest: bool,
    statistic: impl Fn(M, &[Lanes]) -> Lanes,
) -> MaxT {
    let (count, clusters) = (means.len(), columns.first().map_or(0, Vec::len));
    let sums_of = |signs: &[Lanes]| -> Vec<Lanes> {
        let sums = columns.iter().map(|column| dot(column, signs));
        sums.collect()
    };
    let mut signs = vec![[1.0; LANES]; clusters];
    let sums = sums_of(&signs);
    let found: Vec<f64> = means
        .iter()
        .map(|&mean| statistic(mean, &sums)[0].abs())
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| found[j].total_cmp(&found[i]));
    // By step, as all that follows: means may be many, and reading them in another order takes
    // most of the time.
    let means: Vec<M> = order.iter().map(|&at| means[at]).collect();
    // Patterns that differ by rounding from the observed one count as equal to it.
    let reached: Vec<f64> = order.iter().map(|&at| found[at] - ROUNDING_NOISE).collect();
    let is_exact = clusters <= EXACT_MAX;
    // The mirror image of a pattern is as far, so the first sign may stay.
    let patterns = if is_exact {
        1 << clusters.saturating_sub(1)
    } else {
        flips.samples
    };
    let mut rng = Rng::new(flips.seed);
    let mut hits = vec![0usize; count];
    let mut largest = vec![Vec::new(); if keeps_largest { count } else { 0 }];
    for first in (0..patterns).step_by(LANES) {
        let used = LANES.min(patterns - first);
        for lane in 0..used {
            let mut bits = (first + lane) as u64;
            for (cluster, signs) in signs.iter_mut().enumerate().skip(usize::from(is_exact)) {
                if !is_exact && cluster % 64 == 0 {
                    bits = rng.next_u64();
                }
                signs[lane] = if bits & 1 == 0 { 1.0 } else { -1.0 };
                bits >>= 1;
            }
        }
        let sums = sums_of(&signs);
        let counted: [u32; LANES] = std::array::from_fn(|lane| u32::from(lane < used));
        let mut most = [0.0f64; LANES];
        for (step, &mean) in means.iter().enumerate().rev() {
            let found = statistic(mean, &sums);
            let mut here = 0;
            for lane in 0..LANES {
                let size = found[lane].abs();
                most[lane] = if most[lane] < size { size } else { most[lane] };
                here += u32::from(reached[step] <= most[lane]) * counted[lane];
            }
            hits[step] += here as usize;
            if keeps_largest {
                largest[step].extend_from_slice(&most[..used]);
            }
        }
    }
    let share = |hits: usize| match is_exact {
        true => hits as f64 / patterns as f64,
        false => (hits + 1) as f64 / (patterns + 1) as f64,
    };
    let mut p = vec![1.0; count];
    let mut step = vec![0; count];
    let mut floor = 0.0f64;
    for (place, &at) in order.iter().enumerate() {
        floor = floor.max(share(hits[place]));
        (p[at], step[at]) = (floor, place);
    }
    MaxT {
        p,
        least: share(usize::from(is_exact)),
        largest,
        step,
        clusters,
    }
}

impl MaxT {
    /// The level that the p of each mean's own t-test has to meet for its adjusted p to meet
    /// `alpha`. Needs the largest statistics to have been kept.
    pub(crate) fn levels(mut self, alpha: f64) -> Vec<f64> {
        let rejected = self.p.iter().filter(|&&p| p <= alpha).count();
        let df = self.clusters.saturating_sub(1) as f64;
        self.largest
            .iter_mut()
            .for_each(|list| list.sort_by(|x, y| y.total_cmp(x)));
        let level = |&step: &usize| {
            let list = self.largest.get(step.min(rejected))?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below the length of the list"
            )]
            let r = *list.get((alpha * list.len() as f64) as usize)?;
            let t = r * (df / (1.0 - r * r).max(f64::MIN_POSITIVE)).sqrt();
            student::two_sided_p(t, df).ok()
        };
        self.step
            .iter()
            .map(|step| level(step).unwrap_or(alpha).min(alpha))
            .collect()
    }
}

/// Numbers over the root of their count times the sum of their squares.
pub(crate) fn normalised(mut numbers: Vec<f64>) -> Vec<f64> {
    let scale = numbers.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if 0.0 < scale {
        numbers.iter_mut().for_each(|x| *x /= scale);
        let root = (numbers.len() as f64 * numbers.iter().map(|x| x * x).sum::<f64>()).sqrt();
        numbers.iter_mut().for_each(|x| *x /= root);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Part of all patterns of signs under which a sum is at least as far from zero.
    fn sign_flip_p(x: &[f64]) -> f64 {
        let observed = x.iter().sum::<f64>().abs() - 1e-12;
        let sum = |flips: u32| -> f64 {
            let signed = |(at, x): (usize, &f64)| if flips >> at & 1 == 0 { *x } else { -x };
            x.iter().enumerate().map(signed).sum()
        };
        let hits = (0..1 << x.len()).filter(|&flips| observed <= sum(flips).abs());
        hits.count() as f64 / f64::from(1 << x.len())
    }

    fn adjust(columns: &[Vec<f64>], samples: usize) -> MaxT {
        let columns: Vec<Vec<f64>> = columns.iter().cloned().map(normalised).collect();
        let means: Vec<usize> = (0..columns.len()).collect();
        let flips = Flips { samples, seed: 3 };
        max_t(&means, &columns, flips, true, |at, sums| sums[at])
    }

    #[test]
    fn one_mean_has_the_p_of_the_permutation_test() {
        let x: Vec<f64> = (0..12).map(|k| f64::from((k * 7) % 11) - 3.5).collect();
        let alone = sign_flip_p(&x);
        assert!((adjust(std::slice::from_ref(&x), 1).p[0] - alone).abs() < 1e-15);
        // Twice the same mean is one question; its mirror image, too.
        let mirrored: Vec<f64> = x.iter().map(|x| -2.0 * x).collect();
        assert!(
            adjust(&[x.clone(), mirrored, x], 1)
                .p
                .iter()
                .all(|p| (p - alone).abs() < 1e-15)
        );
    }

    #[test]
    fn one_mean_has_the_p_of_scipy_s_permutation_test() {
        let reference = include_str!("../tests/data/reference.json");
        let reference: serde_json::Value = serde_json::from_str(reference).expect("JSON");
        let list = |name: &str| -> Vec<f64> {
            serde_json::from_value(reference["small"][name].clone()).expect("numbers")
        };
        let x: Vec<f64> = (list("a").iter().zip(list("b")))
            .map(|(a, b)| a - b)
            .collect();
        let p = reference["sign_flip_exact_p"].as_f64().expect("a number");
        assert!((adjust(&[x], 1).p[0] - p).abs() < 1e-12 * p);
    }

    #[test]
    fn the_next_one_faces_only_those_that_are_left() {
        let clear: Vec<f64> = (0..11).map(|k| 5.0 + f64::from(k % 3)).collect();
        let x: Vec<f64> = (0..11).map(|k| f64::from((k * 7) % 11) - 3.9).collect();
        let found = adjust(&[x.clone(), clear], 1);
        assert_eq!(found.p[1], 1.0 / 1024.0);
        assert!((found.p[0] - sign_flip_p(&x)).abs() < 1e-15);
        // The level of what is left is that of a single test, nearly: t and its permutation differ
        // by a hair.
        let levels = found.levels(0.05);
        assert!(
            (levels[0] / 0.05 - 1.0).abs() < 0.2 && levels[1] < 0.05,
            "{levels:?}"
        );
    }
}
