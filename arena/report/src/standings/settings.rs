//! The options of an evaluation.

use hattari_stats::{CompareOptions, Correction};
use serde::Serialize;

/// Options of the evaluation.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TestSettings {
    /// Confidence level of intervals; the significance level of tests is `1 - confidence`.
    pub confidence: f64,
    /// Adjustment of p in the pooled tests. In [`Standings`](super::Standings), this is the
    /// adjustment that was applied: Holm instead of max-T if the pairs do not share all their
    /// blocks or deals.
    pub correction: Correction,
    /// Power for which the number of required blocks is computed.
    pub power: f64,
    /// `true` if score ratios are computed.
    pub score_ratio: bool,
    /// Margin of equivalence in points per deal; `None` if no pair is tested for equivalence.
    pub equal_within: Option<f64>,
    /// `true` to omit the parts of a large league that text and pages do not show, and that need
    /// most of the memory ([`Standings::left_out`](super::Standings::left_out)).
    #[serde(skip)]
    pub for_readers: bool,
}

impl Default for TestSettings {
    fn default() -> TestSettings {
        let CompareOptions {
            confidence,
            correction,
            power,
            equal_within,
            ..
        } = CompareOptions::default();
        TestSettings {
            confidence,
            correction,
            power,
            score_ratio: false,
            equal_within,
            for_readers: false,
        }
    }
}

impl TestSettings {
    /// Returns the name of the adjustment for texts; `None` if p is not adjusted.
    pub(crate) fn correction_name(&self) -> Option<&'static str> {
        correction_name(self.correction)
    }

    /// Returns the name of the adjustment used within line-ups and for equivalence tests: Holm if
    /// the pooled pairs use max-T.
    pub(crate) fn other_correction_name(&self) -> Option<&'static str> {
        correction_name(other_than_max_t(self.correction))
    }

    /// Returns the significance level of the tests.
    pub(crate) fn alpha(&self) -> f64 {
        1.0 - self.confidence
    }
}

/// Returns the adjustment for tests that are known only by their p values: Holm instead of max-T.
pub(super) fn other_than_max_t(correction: Correction) -> Correction {
    if correction == Correction::MaxT {
        Correction::Holm
    } else {
        correction
    }
}

/// Returns the name of an adjustment for texts; `None` if p is not adjusted.
pub(super) fn correction_name(correction: Correction) -> Option<&'static str> {
    match correction {
        Correction::None => None,
        Correction::Holm => Some("Holm"),
        Correction::MaxT => Some("max-T"),
    }
}
