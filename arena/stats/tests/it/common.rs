//! Helpers: they read the two files of reference numbers, compare numbers, draw normal numbers, and
//! make rules and comparisons.

use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel, SprtOptions, StoppingRule};
use hattari_stats::{
    BotSample, CompareOptions, Comparison, LineUpScores, Rng, Untestable, compare,
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
    serde_json::from_str(text).unwrap()
}

/// Returns a number. The file stores numbers with more digits than a double as text.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
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

/// Asserts that the share of hits in percent is within the limits.
#[track_caller]
pub(crate) fn assert_percent(hits: usize, of: usize, low: f64, high: f64) {
    let percent = 100.0 * hits as f64 / of as f64;
    assert!(
        (low..=high).contains(&percent),
        "{hits} of {of} are {percent:.2} %, not {low} to {high}"
    );
}

/// Returns a standard normal number (Box and Muller).
pub(crate) fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * rng.uniform()).cos()
}

/// Returns a confidence sequence that also stops at this precision.
pub(crate) fn sequence(precision: Option<f64>) -> StoppingRule {
    StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
        precision,
        ..ConfidenceSequenceOptions::default()
    })
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

/// Compares all bots in one line-up whose blocks have separate deals.
pub(crate) fn one_line_up(
    samples: &[BotSample<'_>],
    options: &CompareOptions,
) -> Result<Comparison, Untestable> {
    let roster: Vec<usize> = (0..samples.len()).collect();
    let blocks = samples.first().map_or(0, |sample| sample.scores.len());
    let clusters: Vec<usize> = (0..blocks).collect();
    let line_up = LineUpScores {
        roster: &roster,
        samples,
        opposition: &roster,
        clusters: &clusters,
    };
    compare(samples.len(), &[line_up], options)
}

/// Compares bots with these block scores and no forfeits in the same way.
pub(crate) fn compared(rows: &[Vec<Option<f64>>], options: &CompareOptions) -> Comparison {
    let sample = |scores| BotSample {
        scores,
        ..BotSample::default()
    };
    let samples: Vec<BotSample<'_>> = rows.iter().map(|row| sample(&row[..])).collect();
    one_line_up(&samples, options).unwrap()
}
