//! Helpers of the tests: they read the two files of reference numbers, compare numbers, and create
//! comparisons and stopping rules.

use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel, SprtOptions, StoppingRule};
use hattari_stats::{
    BotSample, CompareOptions, Comparison, Correction, LineUpScores, Rng, Untestable, compare,
};
use serde_json::Value;

/// Reads `tests/data/statistics.json` of the repository, computed with SciPy 1.17.1, statsmodels
/// 0.15.0, mpmath, choix and OpenSpiel.
pub(crate) fn golden() -> Value {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/statistics.json"
    )))
}

/// Reads `reference.json`, computed by `reference.py` with the versions noted in it.
pub(crate) fn reference() -> Value {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/reference.json"
    )))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("reference data is JSON")
}

/// Returns a number. The file stores numbers with more digits than a double as text.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number as text"),
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("not a number: {other}")),
    }
}

/// Returns a list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not a list: {value}"))
        .iter()
        .map(number)
        .collect()
}

/// Returns a matrix of numbers.
pub(crate) fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not a matrix: {value}"))
        .iter()
        .map(numbers)
        .collect()
}

/// Returns a standard normal number (Box and Muller).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.uniform()).cos()
}

/// Returns the default options with this correction.
pub(crate) fn corrected_by(correction: Correction) -> CompareOptions {
    CompareOptions {
        correction,
        ..CompareOptions::default()
    }
}

/// Compares bots in one line-up whose blocks have separate deals. Each row has the scores of a bot.
pub(crate) fn compared(rows: &[Vec<Option<f64>>], options: &CompareOptions) -> Comparison {
    let sample = |scores| BotSample {
        scores,
        ..BotSample::default()
    };
    let samples: Vec<BotSample<'_>> = rows.iter().map(|scores| sample(scores)).collect();
    one_line_up(&samples, options).expect("a valid league")
}

/// Compares bots in one line-up whose blocks have separate deals.
pub(crate) fn one_line_up(
    samples: &[BotSample<'_>],
    options: &CompareOptions,
) -> Result<Comparison, Untestable> {
    let roster: Vec<usize> = (0..samples.len()).collect();
    let clusters: Vec<usize> =
        (0..samples.first().map_or(0, |sample| sample.scores.len())).collect();
    let line_up = LineUpScores {
        roster: &roster,
        samples,
        opposition: &roster,
        clusters: &clusters,
    };
    compare(samples.len(), &[line_up], options)
}

/// Returns a probability ratio test of `h0` against `h1` with error rates of 5 %.
pub(crate) fn sprt(sd: Option<f64>, h0: f64, h1: f64, one_sided: bool) -> SprtOptions {
    SprtOptions {
        model: SprtModel::Normal { sd },
        h0,
        h1,
        one_sided,
        alpha: 0.05,
        beta: 0.05,
    }
}

/// Returns a confidence sequence that also stops when its interval is within this precision.
pub(crate) fn precise(precision: f64) -> StoppingRule {
    StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
        precision: Some(precision),
        ..ConfidenceSequenceOptions::default()
    })
}

/// Asserts that two numbers agree to a relative tolerance (absolute if 0 is expected).
#[track_caller]
pub(crate) fn close(actual: f64, expected: f64, tolerance: f64) {
    let scale = if expected == 0.0 { 1.0 } else { expected.abs() };
    assert!(
        (actual - expected).abs() <= tolerance * scale,
        "{actual:e} is not {expected:e} within {tolerance:e}"
    );
}

/// Applies [`close`] to each pair of numbers.
#[track_caller]
pub(crate) fn all_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    for (i, (a, e)) in actual.iter().zip(expected).enumerate() {
        assert!(
            (a - e).abs() <= tolerance * (1.0 + e.abs()),
            "entry {i}: {a:e} is not {e:e} within {tolerance:e}"
        );
    }
}
