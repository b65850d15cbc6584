//! Step-down max-T: p values of several means over the same clusters, adjusted by the joint
//! distribution of their t statistics.
//!
//! If the differences are jointly symmetric about zero, the sign of each whole cluster can be
//! flipped without changing their distribution. The differences within a cluster can depend on each
//! other. The largest |t| over all sign patterns is then an exact reference distribution, even with
//! few clusters. Each step compares the next mean with the largest |t| of the means that are not
//! yet rejected (Westfall and Young, "Resampling-Based Multiple Testing", step-down maxT; Romano
//! and Wolf, "Exact and approximate stepdown methods for multiple hypothesis testing").
//!
//! A multivariate t distribution with estimated correlations is not used, because with ten clusters
//! its error rate is up to 10 % at level 5 %.

use crate::Rng;
use crate::dist::student;
use crate::linear::{LANES, Lanes, dot};
use crate::summary::{ROUNDING_NOISE, largest};

/// Largest number of clusters for which all sign patterns are enumerated.
pub(crate) const EXACT_MAX: usize = 13;

/// The result for means that were tested together.
pub(crate) struct MaxT {
    /// Adjusted p value of each mean, never below `least`.
    pub p: Vec<f64>,
    /// The smallest possible p value: 1 divided by the number of sign patterns.
    pub least: f64,
    /// Largest statistic of the remaining means, by step and pattern. Empty unless `keeps_largest`
    /// was set.
    largest: Vec<Vec<f64>>,
    /// Step at which each mean is tested: 0 for the mean with the largest statistic.
    step: Vec<usize>,
    clusters: usize,
}

/// Adjusts the p values of means over clusters.
///
/// `columns` hold one number per cluster. For each sign pattern, `statistic` receives one mean and
/// the signed sum of each column, with one pattern per lane. It returns the signed sum of the
/// mean's numbers, divided by the root of the number of clusters times the sum of their squares.
/// For all means, the absolute t statistic is the same increasing function of the absolute value of
/// this quotient. If there are too many sign patterns to enumerate, `samples` are drawn with `seed`.
/// `keeps_largest` is needed for [`MaxT::levels`].
pub(crate) fn max_t<M: Copy>(
    means: &[M],
    columns: &[Vec<f64>],
    (samples, seed): (usize, u64),
    keeps_largest: bool,
    statistic: impl Fn(M, &[Lanes]) -> Lanes,
) -> MaxT {
    let (count, clusters) = (means.len(), columns.first().map_or(0, Vec::len));
    let sums_of = |signs: &[Lanes]| -> Vec<Lanes> {
        columns.iter().map(|column| dot(column, signs)).collect()
    };
    let mut signs = vec![[1.0; LANES]; clusters];
    let sums = sums_of(&signs);
    let found: Vec<f64> = means
        .iter()
        .map(|&mean| statistic(mean, &sums)[0].abs())
        .collect();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&i, &j| found[j].total_cmp(&found[i]));
    // Store all data in the order of the steps: random access to many means would take most of the
    // time.
    let means: Vec<M> = order.iter().map(|&at| means[at]).collect();
    // Patterns that differ from the observed one only by rounding count as equal to it.
    let reached: Vec<f64> = order.iter().map(|&at| found[at] - ROUNDING_NOISE).collect();
    let is_exact = clusters <= EXACT_MAX;
    // A pattern and its mirror image give the same statistics, so the first sign is fixed.
    let patterns = if is_exact {
        1 << clusters.saturating_sub(1)
    } else {
        samples
    };
    let mut rng = Rng::new(seed);
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
    /// Returns, for each mean, the level that the p value of its own t-test must not exceed so that
    /// its adjusted p value is at most `alpha`. The result must contain the largest statistics.
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

/// Returns the numbers, each divided by the square root of (their count times the sum of their
/// squares).
pub(crate) fn normalised(mut numbers: Vec<f64>) -> Vec<f64> {
    let scale = largest(&numbers);
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

    /// Returns the share of sign patterns with a sum at least as far from zero as the observed one.
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
        max_t(&means, &columns, (samples, 3), true, |at, sums| sums[at])
    }

    #[test]
    fn the_max_t_p_of_one_mean_equals_the_sign_flip_p() {
        let x: Vec<f64> = (0..12).map(|k| f64::from((k * 7) % 11) - 3.5).collect();
        let alone = sign_flip_p(&x);
        assert!((adjust(std::slice::from_ref(&x), 1).p[0] - alone).abs() < 1e-15);
        // Two equal or mirrored means are one hypothesis.
        let mirrored: Vec<f64> = x.iter().map(|x| -2.0 * x).collect();
        assert!(
            adjust(&[x.clone(), mirrored, x], 1)
                .p
                .iter()
                .all(|p| (p - alone).abs() < 1e-15)
        );
    }

    #[test]
    fn the_max_t_p_of_one_mean_matches_scipy() {
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
    fn max_t_step_down_compares_each_mean_with_the_remaining_means() {
        let clear: Vec<f64> = (0..11).map(|k| 5.0 + f64::from(k % 3)).collect();
        let x: Vec<f64> = (0..11).map(|k| f64::from((k * 7) % 11) - 3.9).collect();
        let found = adjust(&[x.clone(), clear], 1);
        assert_eq!(found.p[1], 1.0 / 1024.0);
        assert!((found.p[0] - sign_flip_p(&x)).abs() < 1e-15);
        // The level of the remaining mean is nearly that of a single test; t-test and permutation
        // test differ slightly.
        let levels = found.levels(0.05);
        assert!(
            (levels[0] / 0.05 - 1.0).abs() < 0.2 && levels[1] < 0.05,
            "{levels:?}"
        );
    }
}
