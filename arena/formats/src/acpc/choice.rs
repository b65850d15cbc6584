//! Conversion between actions in text form (`f`, `c`, `r300`) and legal actions of hold'em.

use super::state::StateAction;
use hattari_games::holdem::{Action, View, kind, limit};

/// The error for an action that is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// `true` if only the amount is illegal.
    pub by_amount: bool,
    /// Message that lists the legal actions.
    pub message: String,
}

/// The state of the betting at a decision. Amounts are totals of the current street, except
/// `before`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionContext {
    /// `true` in no-limit games, in which a raise includes an amount.
    pub no_limit: bool,
    /// Chips that the player has put in on earlier streets.
    pub before: i64,
    /// Amount that a player must have put in to stay in the hand.
    pub level: i64,
    /// Amount that the player has put in after going all in: the player's chips on the table plus
    /// the stack.
    pub all_in: i64,
    /// `true` if this street's limit of raises is not reached and another player has chips left.
    pub is_open: bool,
}

impl DecisionContext {
    /// Returns the context of the seat to act, computed from its view.
    #[must_use]
    pub fn of_view(view: &View) -> DecisionContext {
        let seat = usize::from(view.seat);
        let others = view.in_play & !view.all_in & !(1 << view.seat);
        DecisionContext {
            no_limit: view.limit == limit::NO_LIMIT,
            before: view.paid[seat] - view.bets[seat],
            level: view.level,
            all_in: view.bets[seat] + view.stacks[seat],
            is_open: (view.raises_max == 0 || view.raises < view.raises_max) && others != 0,
        }
    }

    /// Returns `true` if `act` is an illegal raise that the competition's servers accept and that
    /// has the effect of a call. Either the player has only enough chips to call (limit games), or
    /// no opponent could answer the raise (no-limit games).
    fn is_raise_accepted_as_call(self, act: StateAction) -> bool {
        let is_call = self.all_in <= self.level;
        self.is_open
            && match act {
                StateAction::Raise(None) => !self.no_limit,
                StateAction::Raise(Some(total)) => {
                    self.no_limit
                        && !is_call
                        && (self.level + 1..=self.all_in).contains(&(total - self.before))
                }
                _ => false,
            }
    }
}

/// Returns the index of the legal action that `act` denotes, and its amount.
///
/// # Errors
/// Returns an error if the action or its amount is illegal.
pub fn choose(
    actions: &[Action],
    act: StateAction,
    standing: DecisionContext,
) -> Result<(usize, i64), IllegalAction> {
    let DecisionContext {
        before, no_limit, ..
    } = standing;
    let find = |kinds: &[u8]| {
        actions
            .iter()
            .position(|action| kinds.contains(&action.kind))
    };
    let found = match act {
        StateAction::Fold => find(&[kind::FOLD]),
        StateAction::Call => find(&[kind::CHECK, kind::CALL]),
        StateAction::Raise(_) => find(&[kind::RAISE]),
    };
    if found.is_none() && standing.is_raise_accepted_as_call(act) {
        return choose(actions, StateAction::Call, standing);
    }
    let illegal = |by_amount: bool| IllegalAction {
        by_amount,
        message: format!(
            "`{act}` is not legal; the legal actions are {}",
            list_legal_actions(actions, before, no_limit)
        ),
    };
    let index = found.ok_or_else(|| illegal(false))?;
    let action = actions[index];
    match act {
        StateAction::Raise(Some(total)) if no_limit => {
            let amount = total - before;
            let fits = (action.lowest..=action.highest).contains(&amount);
            if fits {
                Ok((index, amount))
            } else {
                Err(illegal(true))
            }
        }
        StateAction::Raise(None) if !no_limit => Ok((index, action.lowest)),
        StateAction::Raise(_) => Err(illegal(true)),
        _ => Ok((index, 0)),
    }
}

/// Returns the text form of a legal action with its amount. `before` is the number of chips that
/// the player has put in on earlier streets.
#[must_use]
pub fn state_action(action: &Action, amount: i64, before: i64, no_limit: bool) -> StateAction {
    match action.kind {
        kind::FOLD => StateAction::Fold,
        kind::RAISE => StateAction::Raise(no_limit.then_some(before + amount)),
        _ => StateAction::Call,
    }
}

fn list_legal_actions(actions: &[Action], before: i64, no_limit: bool) -> String {
    let offer = |action: &Action| match action.kind {
        kind::RAISE if no_limit && action.lowest != action.highest => {
            format!(
                "r{} to r{}",
                before + action.lowest,
                before + action.highest
            )
        }
        _ => state_action(action, action.lowest, before, no_limit).to_string(),
    };
    actions.iter().map(offer).collect::<Vec<_>>().join(", ")
}
