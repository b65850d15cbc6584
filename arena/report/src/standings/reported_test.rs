//! Tests as reports show them.

use super::verdict::REQUIRED_BLOCKS_LIMIT;
use super::{Test, TestResult};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{Correction, Method, Required, TTest, Untestable};

/// Returns the test by blocks, or the reason why there is none.
pub(super) fn test_of(pair: &PairSummary, required: Option<Required>) -> TestResult<Test> {
    let Some(test) = &pair.test else {
        let why = match &pair.verdict {
            Verdict::CannotTell { reason } => reason.to_string(),
            _ => Untestable::MissingScores.to_string(),
        };
        return TestResult::NotTestable(why);
    };
    let p_adjusted = pair.p_adjusted.unwrap_or(test.p);
    let adjusted = (p_adjusted, pair.adjusted_by.unwrap_or(Correction::None));
    TestResult::Tested(reported(test, adjusted, required))
}

/// Returns a test as reports show it, with the adjusted p and the method that gave it.
pub(super) fn reported(
    test: &TTest,
    (p_adjusted, adjusted_by): (f64, Correction),
    required: Option<Required>,
) -> Test {
    let reportable = |blocks: u64| (blocks < REQUIRED_BLOCKS_LIMIT).then_some(blocks);
    let n = if test.kind == Method::WelchBlocks {
        test.n_a + test.n_b
    } else {
        test.n_a
    };
    Test {
        method: test.kind,
        n: n as u64,
        difference: test.mean_difference,
        se: test.se,
        low: test.interval.low,
        high: test.interval.high,
        t: test.t,
        df: test.df,
        p: test.p,
        p_adjusted,
        adjusted_by,
        effect_size: test.effect_size,
        required: required.and_then(|required| reportable(required.blocks)),
        required_low: required.and_then(|required| reportable(required.low)),
        required_high: required.and_then(|required| reportable(required.high?)),
    }
}
