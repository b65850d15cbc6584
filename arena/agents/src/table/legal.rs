//! Checks of answers against the legal actions, and the action that replaces an answer.

use crate::agent::{AgentError, AgentResult};
use crate::record::FaultKind;
use hattari_plugin::Choice;
use hattari_plugin::games::{Game, Move};

/// Returns the fallback action of the rules: the first legal action with its lowest amount.
///
/// # Panics
/// Panics if there is no legal action.
pub fn fallback<G: Game>(actions: &[G::Action]) -> Move<G::Action> {
    Move {
        action: actions[0],
        amount: G::amounts(&actions[0]).map_or(0, |(low, _)| low),
    }
}

/// Checks an answer against the legal actions.
///
/// # Errors
/// Returns an error if the action or its amount is illegal.
#[inline]
pub fn accept<G: Game>(actions: &[G::Action], choice: Choice) -> AgentResult<Move<G::Action>> {
    let Some(&action) = actions.get(choice.action) else {
        return Err(illegal_action(choice.action, actions.len()));
    };
    match G::amounts(&action) {
        None => Ok(action.into()),
        Some((low, high)) if (low..=high).contains(&choice.amount) => Ok(Move {
            action,
            amount: choice.amount,
        }),
        Some(range) => Err(illegal_amount(choice.amount, range)),
    }
}

#[cold]
fn illegal_action(action: usize, count: usize) -> AgentError {
    let message =
        format!("action {action} does not exist: there are {count} actions, numbered from 0");
    AgentError::new(FaultKind::IllegalAction, message)
}

#[cold]
fn illegal_amount(amount: i64, (low, high): (i64, i64)) -> AgentError {
    let message = format!("the amount must be from {low} to {high} (got {amount})");
    AgentError::new(FaultKind::IllegalAmount, message)
}
