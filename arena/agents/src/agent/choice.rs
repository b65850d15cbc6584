//! Checks of the numbers that bots return as choices.

use super::{AgentError, AgentResult};
use crate::record::FaultKind;
use std::fmt::Display;

/// Converts a float to an integer; `None` if it is not a whole number from -2^53 to 2^53, the range
/// in which floats are exact.
pub(super) fn to_integer(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    (number.fract() == 0.0 && number.abs() <= EXACT).then_some(number as i64)
}

/// Converts an answer from 1 to `count` to an index from 0. `answer` is `None` if it is not an
/// integer; `shown` is the text of the answer in the error message.
///
/// # Errors
/// Returns an error if the answer is outside this range.
pub(super) fn checked_index(
    shown: impl Display,
    answer: Option<i64>,
    count: u32,
) -> AgentResult<usize> {
    let index = answer.and_then(|answer| u32::try_from(answer).ok());
    match index {
        Some(index) if (1..=count).contains(&index) => Ok(index as usize - 1),
        _ => Err(AgentError::new(
            FaultKind::IllegalAction,
            format!(
                "the answer must be the index of a legal action, from 1 to {count} (got {shown})"
            ),
        )),
    }
}

/// Returns the amount of an answer. `amount` is `None` if the amount is not an integer; `shown` is
/// the text of the amount in the error message.
///
/// # Errors
/// Returns an error if the amount is not an integer.
pub(super) fn checked_amount(shown: impl Display, amount: Option<i64>) -> AgentResult<i64> {
    amount.ok_or_else(|| {
        AgentError::new(
            FaultKind::IllegalAmount,
            format!("the amount must be an integer (got {shown})"),
        )
    })
}
