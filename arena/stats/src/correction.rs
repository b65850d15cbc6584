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
    /// Holm, "A simple sequentially rejective multiple test procedure": the same guarantee, never less powerful.
    #[default]
    Holm,
    /// Benjamini and Hochberg, "Controlling the false discovery rate": the expected share of false positives among the
    /// positives, for independent or positively dependent tests.
    #[serde(rename = "bh", alias = "benjamini_hochberg")]
    BenjaminiHochberg,
    /// Benjamini and Yekutieli, "The control of the false discovery rate in multiple testing under dependency": as
    /// above under any dependence.
    #[serde(rename = "by", alias = "benjamini_yekutieli")]
    BenjaminiYekutieli,
}

impl Correction {
    /// The adjusted p of each entry, in the order given. Entries are p-values in `[0, 1]`; results are, too.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let family = p.len() as f64;
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
        let mut adjusted = p.to_vec();
        match self {
            Self::None => {}
            Self::Bonferroni => adjusted.iter_mut().for_each(|x| *x = (*x * family).min(1.0)),
            Self::Holm => {
                // Step down: the smallest p faces the whole family, the next one test less.
                let mut floor = 0.0f64;
                for (rank, &i) in order.iter().enumerate() {
                    floor = floor.max((p[i] * (family - rank as f64)).min(1.0));
                    adjusted[i] = floor;
                }
            }
            Self::BenjaminiHochberg | Self::BenjaminiYekutieli => {
                let harmonic: f64 = (1..=p.len()).map(|k| 1.0 / k as f64).sum();
                let price = if self == Self::BenjaminiYekutieli { harmonic } else { 1.0 };
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_given_is_kept_and_the_empty_family_is_fine() {
        assert_eq!(Correction::Holm.adjust(&[0.5, 0.01, 0.02]), vec![0.5, 0.03, 0.04]);
        for correction in [Correction::None, Correction::Bonferroni, Correction::Holm, Correction::BenjaminiHochberg] {
            assert_eq!(correction.adjust(&[]), Vec::<f64>::new());
            assert_eq!(correction.adjust(&[0.25]), vec![0.25]);
        }
    }
}
