//! What the known-answer tests share: the two files of reference numbers and one way to compare.

use serde_json::Value;

/// `tests/data/statistics.json` of the repository: SciPy 1.17.1, statsmodels 0.15.0, mpmath, choix,
/// OpenSpiel.
pub(crate) fn golden() -> Value {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/statistics.json"
    )))
}

/// `reference.json` beside `reference.py`, which made it with the versions noted inside.
pub(crate) fn reference() -> Value {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/reference.json"
    )))
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("reference data is JSON")
}

/// A number, also where the file holds it as text to keep more digits than a double has.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number as text"),
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("not a number: {other}")),
    }
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not a list: {value}"))
        .iter()
        .map(number)
        .collect()
}

/// A matrix of numbers.
pub(crate) fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value
        .as_array()
        .unwrap_or_else(|| panic!("not a matrix: {value}"))
        .iter()
        .map(numbers)
        .collect()
}

/// Fails unless the two agree to a relative tolerance (absolute for an expected zero).
#[track_caller]
pub(crate) fn close(actual: f64, expected: f64, tolerance: f64) {
    let scale = if expected == 0.0 { 1.0 } else { expected.abs() };
    assert!(
        (actual - expected).abs() <= tolerance * scale,
        "{actual:e} is not {expected:e} within {tolerance:e}"
    );
}

/// [`close`] for lists.
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
