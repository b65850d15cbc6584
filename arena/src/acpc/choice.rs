//! From an action as text to one of the legal ones, and back.

use super::state::Act;
use hattari_games::holdem::{Action, kind};

/// Why an action cannot be taken for one of the legal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// It is one of them but for its amount.
    pub by_amount: bool,
    /// In words, with what would be legal.
    pub message: String,
}

/// The number of the legal action that `act` is, and its amount. `before` is what the player has put in on earlier streets.
///
/// # Errors
/// It is none of them.
pub fn choose(actions: &[Action], act: Act, before: i64, no_limit: bool) -> Result<(usize, i64), Illegal> {
    let find = |kinds: &[u8]| actions.iter().position(|action| kinds.contains(&action.kind));
    let found = match act {
        Act::Fold => find(&[kind::FOLD]),
        Act::Call => find(&[kind::CHECK, kind::CALL]),
        Act::Raise(_) => find(&[kind::RAISE]),
    };
    let illegal = |by_amount: bool| Illegal {
        by_amount,
        message: format!("`{act}` is not legal; {} would be", offers(actions, before, no_limit)),
    };
    let index = found.ok_or_else(|| illegal(false))?;
    let action = actions[index];
    match act {
        Act::Raise(Some(total)) if no_limit => {
            let amount = total - before;
            let fits = (action.lowest..=action.highest).contains(&amount);
            if fits { Ok((index, amount)) } else { Err(illegal(true)) }
        }
        Act::Raise(None) if !no_limit => Ok((index, action.lowest)),
        Act::Raise(_) => Err(illegal(true)),
        _ => Ok((index, 0)),
    }
}

/// The text of a legal action with its amount.
#[must_use]
pub fn act_of(action: &Action, amount: i64, before: i64, no_limit: bool) -> Act {
    match action.kind {
        kind::FOLD => Act::Fold,
        kind::RAISE => Act::Raise(no_limit.then_some(before + amount)),
        _ => Act::Call,
    }
}

/// What is legal, in the protocol's words.
fn offers(actions: &[Action], before: i64, no_limit: bool) -> String {
    let offer = |action: &Action| match action.kind {
        kind::RAISE if no_limit && action.lowest != action.highest => {
            format!("r{} to r{}", before + action.lowest, before + action.highest)
        }
        _ => act_of(action, action.lowest, before, no_limit).to_string(),
    };
    actions.iter().map(offer).collect::<Vec<_>>().join(", ")
}
