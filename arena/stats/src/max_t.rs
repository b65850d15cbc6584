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

/// Adjusts `count` means over as many `clusters`. `sums` is given a sign for each cluster and fills
/// in the sum of each mean's signed numbers, divided by the root of the clusters times the sum of
/// their squares: the t statistic of a mean grows with the size of this quotient, in the same way
/// for all.
pub(crate) fn max_t(
    count: usize,
    clusters: usize,
    flips: Flips,
    keeps_largest: bool,
    mut sums: impl FnMut(&[f64], &mut [f64]),
) -> MaxT {
    let mut signs = vec![1.0; clusters];
    let mut found = vec![0.0; count];
    sums(&signs, &mut found);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| found[j].abs().total_cmp(&found[i].abs()));
    // Patterns that differ by rounding from the observed one count as equal to it.
    let reached: Vec<f64> = order
        .iter()
        .map(|&at| found[at].abs() - ROUNDING_NOISE)
        .collect();
    let is_exact = clusters <= EXACT_MAX;
    // The mirror image of a pattern is as far, so the first sign may stay.
    let patterns = if is_exact {
        1 << clusters.saturating_sub(1)
    } else {
        flips.samples
    };
    let mut rng = Rng::new(flips.seed);
    // By step, as `reached`: means may be many, and reading them in another order takes most of the
    // time.
    let mut hits = vec![0usize; count];
    let mut largest = vec![Vec::new(); if keeps_largest { count } else { 0 }];
    for pattern in 0..patterns {
        let mut bits = pattern as u64;
        for (cluster, sign) in signs.iter_mut().enumerate().skip(usize::from(is_exact)) {
            if !is_exact && cluster % 64 == 0 {
                bits = rng.next_u64();
            }
            *sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            bits >>= 1;
        }
        sums(&signs, &mut found);
        let mut most = 0.0f64;
        for (step, &at) in order.iter().enumerate().rev() {
            most = most.max(found[at].abs());
            hits[step] += usize::from(reached[step] <= most);
            if keeps_largest {
                largest[step].push(most);
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
    use crate::rank_test::sign_flip_test;

    fn adjust(columns: &[Vec<f64>], samples: usize) -> MaxT {
        let columns: Vec<Vec<f64>> = columns.iter().cloned().map(normalised).collect();
        max_t(
            columns.len(),
            columns[0].len(),
            Flips { samples, seed: 3 },
            true,
            |signs, sums| {
                for (sum, column) in sums.iter_mut().zip(&columns) {
                    *sum = column.iter().zip(signs).map(|(x, sign)| x * sign).sum();
                }
            },
        )
    }

    #[test]
    fn one_mean_has_the_p_of_the_permutation_test() {
        let x: Vec<f64> = (0..12).map(|k| f64::from((k * 7) % 11) - 3.5).collect();
        let alone = sign_flip_test(&x, 1, 1).expect("testable").p;
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
    fn the_next_one_faces_only_those_that_are_left() {
        let clear: Vec<f64> = (0..11).map(|k| 5.0 + f64::from(k % 3)).collect();
        let x: Vec<f64> = (0..11).map(|k| f64::from((k * 7) % 11) - 3.9).collect();
        let found = adjust(&[x.clone(), clear], 1);
        assert_eq!(found.p[1], 1.0 / 1024.0);
        assert!((found.p[0] - sign_flip_test(&x, 1, 1).expect("testable").p).abs() < 1e-15);
        // The level of what is left is that of a single test, nearly: t and its permutation differ
        // by a hair.
        let levels = found.levels(0.05);
        assert!(
            (levels[0] / 0.05 - 1.0).abs() < 0.2 && levels[1] < 0.05,
            "{levels:?}"
        );
    }
}
