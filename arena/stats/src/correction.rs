//! Adjusted p-values for a family of tests.

use serde::{Deserialize, Serialize};

/// How p-values of a family are adjusted. An adjusted p is compared with the level itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// No adjustment: every test on its own.
    None,
    /// Bonferroni: controls the chance of any false positive, p times the size of the family.
    Bonferroni,
    /// Holm, "A simple sequentially rejective multiple test procedure": the same guarantee, never
    /// less powerful.
    Holm,
    /// The largest t statistic under flipped signs of clusters, where all tests are of the same
    /// clusters: the guarantee of Holm's method, which it is where they are not, without its
    /// price for tests that depend on each other.
    #[default]
    #[serde(rename = "max-t")]
    MaxT,
    /// Benjamini and Hochberg, "Controlling the false discovery rate": the expected share of false
    /// positives among the positives, for independent or positively dependent tests.
    #[serde(rename = "bh", alias = "benjamini_hochberg")]
    BenjaminiHochberg,
    /// Benjamini and Yekutieli, "The control of the false discovery rate in multiple testing under
    /// dependency": as above under any dependence.
    #[serde(rename = "by", alias = "benjamini_yekutieli")]
    BenjaminiYekutieli,
}

impl Correction {
    /// The adjusted p of each entry, in the order given. Entries are p-values in `[0, 1]`; results
    /// are, too.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let family = p.len() as f64;
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
        let mut adjusted = p.to_vec();
        match self {
            Self::None => {}
            Self::Bonferroni => adjusted
                .iter_mut()
                .for_each(|x| *x = (*x * family).min(1.0)),
            // From p alone there is no joint distribution.
            Self::Holm | Self::MaxT => {
                // Step down: the smallest p faces the whole family, the next one test less.
                let mut floor = 0.0f64;
                for (rank, &i) in order.iter().enumerate() {
                    floor = floor.max((p[i] * (family - rank as f64)).min(1.0));
                    adjusted[i] = floor;
                }
            }
            Self::BenjaminiHochberg | Self::BenjaminiYekutieli => {
                let harmonic: f64 = (1..=p.len()).map(|k| 1.0 / k as f64).sum();
                let price = if self == Self::BenjaminiYekutieli {
                    harmonic
                } else {
                    1.0
                };
                // Step up: from the largest p down, each no larger than the one after it.
                let mut ceiling = 1.0f64;
                for (rank, &i) in order.iter().enumerate().rev() {
                    ceiling = ceiling.min(p[i] * price * family / (rank + 1) as f64);
                    adjusted[i] = ceiling;
                }
            }
        }
        adjusted
    }

    /// The level that each p itself has to meet, given the others, for its adjusted p to meet
    /// `alpha`.
    pub fn levels(self, p: &[f64], alpha: f64) -> Vec<f64> {
        let family = p.len() as f64;
        let adjusted = self.adjust(p);
        let rejected = adjusted.iter().filter(|&&p| p <= alpha).count() as f64;
        let harmonic: f64 = (1..=p.len()).map(|k| 1.0 / k as f64).sum();
        let mut sorted = p.to_vec();
        sorted.sort_by(f64::total_cmp);
        let level = |(p_own, p_adjusted): (&f64, &f64)| {
            let is_rejected = *p_adjusted <= alpha;
            let below = || sorted.partition_point(|other| other < p_own) as f64;
            match self {
                Self::None => alpha,
                Self::Bonferroni => alpha / family,
                // The first that is not rejected ends the steps: all that are left face as many
                // tests as it did.
                Self::Holm | Self::MaxT => {
                    alpha / (family - if is_rejected { below() } else { rejected })
                }
                Self::BenjaminiHochberg | Self::BenjaminiYekutieli => {
                    let price = if self == Self::BenjaminiYekutieli {
                        harmonic
                    } else {
                        1.0
                    };
                    alpha * (rejected + f64::from(u8::from(!is_rejected))) / (family * price)
                }
            }
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
        for correction in [
            Correction::None,
            Correction::Bonferroni,
            Correction::Holm,
            Correction::BenjaminiHochberg,
        ] {
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
        let all = [
            Correction::None,
            Correction::Bonferroni,
            Correction::Holm,
            Correction::BenjaminiHochberg,
            Correction::BenjaminiYekutieli,
        ];
        for correction in all {
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
