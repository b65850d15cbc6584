//! Adjusted p-values for a family of tests.

use serde::Serialize;

/// How p-values of a family are adjusted. An adjusted p is compared with the level itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// No adjustment: every test on its own.
    None,
    /// Holm, "A simple sequentially rejective multiple test procedure": holds the chance of any
    /// false positive.
    Holm,
    /// The largest t statistic under flipped signs of clusters, where all tests are of the same
    /// clusters: the guarantee of Holm's method, which it is where they are not, without its
    /// price for tests that depend on each other.
    #[default]
    #[serde(rename = "max-t")]
    MaxT,
}

impl Correction {
    /// The adjusted p of each entry, in the order given. Entries are p-values in `[0, 1]`; results
    /// are, too. From p alone there is no joint distribution, so max-T is Holm's method.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let mut adjusted = p.to_vec();
        if self == Self::None {
            return adjusted;
        }
        let family = p.len() as f64;
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
        // Step down: the smallest p faces the whole family, the next one test less.
        let mut floor = 0.0f64;
        for (rank, &i) in order.iter().enumerate() {
            floor = floor.max((p[i] * (family - rank as f64)).min(1.0));
            adjusted[i] = floor;
        }
        adjusted
    }

    /// The level that each p itself has to meet, given the others, for its adjusted p to meet
    /// `alpha`.
    pub fn levels(self, p: &[f64], alpha: f64) -> Vec<f64> {
        if self == Self::None {
            return vec![alpha; p.len()];
        }
        let adjusted = self.adjust(p);
        let rejected = adjusted.iter().filter(|&&p| p <= alpha).count();
        let mut sorted = p.to_vec();
        sorted.sort_by(f64::total_cmp);
        // The first that is not rejected ends the steps: all that are left face as many tests as it
        // did.
        let level = |(p_own, p_adjusted): (&f64, &f64)| {
            let before = if *p_adjusted <= alpha {
                sorted.partition_point(|other| other < p_own)
            } else {
                rejected
            };
            alpha / (p.len() - before) as f64
        };
        p.iter().zip(&adjusted).map(level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_given_is_kept_and_the_empty_family_is_fine() {
        assert_eq!(
            Correction::Holm.adjust(&[0.5, 0.01, 0.02]),
            vec![0.5, 0.03, 0.04]
        );
        for correction in [Correction::None, Correction::Holm] {
            assert_eq!(correction.adjust(&[]), Vec::<f64>::new());
            assert_eq!(correction.adjust(&[0.25]), vec![0.25]);
        }
    }

    #[test]
    fn a_p_at_its_level_is_just_significant() {
        let rest = [0.001, 0.02, 0.3, 0.6];
        let own = |correction: Correction, p: f64| {
            let all: Vec<f64> = rest.iter().copied().chain([p]).collect();
            (correction.adjust(&all)[4], correction.levels(&all, 0.05)[4])
        };
        for correction in [Correction::None, Correction::Holm] {
            let (_, level) = own(correction, 0.5);
            assert!(
                own(correction, 0.999 * level).0 <= 0.05 && 0.05 < own(correction, 1.001 * level).0,
                "{correction:?}"
            );
        }
        // Of five tests one is significant: the others face four.
        assert_eq!(own(Correction::Holm, 0.5).1, 0.05 / 4.0);
    }
}
