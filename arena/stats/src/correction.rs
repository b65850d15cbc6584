//! Adjustment of p values for multiple tests.

use serde::Serialize;

/// The method for adjusting the p values of a family of tests. Adjusted p values are compared with
/// the significance level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// No adjustment.
    None,
    /// Holm, "A simple sequentially rejective multiple test procedure". Controls the familywise
    /// error rate.
    Holm,
    /// Step-down max-T: compares each t statistic with the largest t statistic under random sign
    /// flips of clusters.
    ///
    /// Controls the familywise error rate like Holm's method, with more power if tests are
    /// correlated. Requires that all tests use the same clusters; otherwise Holm's method is used.
    #[default]
    #[serde(rename = "max-t")]
    MaxT,
}

impl Correction {
    /// Returns the adjusted p values, from 0 to 1, in the order of `p`. For max-T this is Holm's
    /// method, because p values alone do not give the joint distribution.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let mut adjusted = p.to_vec();
        if self == Self::None {
            return adjusted;
        }
        let family = p.len() as f64;
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
        // Step down: the smallest p is multiplied by the size of the family, the next one by one
        // less.
        let mut floor = 0.0f64;
        for (rank, &i) in order.iter().enumerate() {
            floor = floor.max((p[i] * (family - rank as f64)).min(1.0));
            adjusted[i] = floor;
        }
        adjusted
    }

    /// Returns, for each test, the level that its unadjusted p must not exceed so that its adjusted
    /// p is at most `alpha`, given the other p values.
    pub(crate) fn levels(self, p: &[f64], alpha: f64) -> Vec<f64> {
        if self == Self::None {
            return vec![alpha; p.len()];
        }
        let rejected = self.adjust(p).into_iter().filter(|&p| p <= alpha).count();
        let mut sorted = p.to_vec();
        sorted.sort_by(f64::total_cmp);
        // The procedure stops at the first test that is not rejected. All remaining tests have the
        // same level.
        p.iter()
            .map(|own| {
                let smaller = sorted.partition_point(|other| other < own);
                alpha / (p.len() - smaller.min(rejected)) as f64
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_p_values_keep_the_input_order_and_accept_an_empty_family() {
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
    fn a_p_value_is_significant_up_to_its_adjusted_level() {
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
        // One of five tests is significant; the level of the others is that of four tests.
        assert_eq!(own(Correction::Holm, 0.5).1, 0.05 / 4.0);
    }
}
