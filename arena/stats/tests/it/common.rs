//! Helpers for tests with known answers: they read the two files of reference numbers, and compare
//! numbers.

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
