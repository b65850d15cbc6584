//! Estimates, and results that may be missing.

use serde::Serialize;

/// A result, or the reason why it could not be computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TestResult<T> {
    /// The result.
    Tested(T),
    /// The reason why there is no result, as text.
    NotTestable(String),
}

impl<T> TestResult<T> {
    /// Returns the result, if there is one.
    pub fn tested(&self) -> Option<&T> {
        match self {
            TestResult::Tested(result) => Some(result),
            TestResult::NotTestable(_) => None,
        }
    }

    /// Returns the reason why there is no result.
    pub fn reason(&self) -> Option<&str> {
        match self {
            TestResult::Tested(_) => None,
            TestResult::NotTestable(why) => Some(why),
        }
    }

    /// Returns the result for modification, if there is one.
    pub(super) fn tested_mut(&mut self) -> Option<&mut T> {
        match self {
            TestResult::Tested(result) => Some(result),
            TestResult::NotTestable(_) => None,
        }
    }
}

/// An estimate with its standard error. All fields are finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Standard error.
    pub se: f64,
    /// Lower end of the confidence interval.
    pub low: f64,
    /// Upper end of the confidence interval.
    pub high: f64,
}
