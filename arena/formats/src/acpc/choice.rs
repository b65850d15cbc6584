//! From an action as text to one of the legal ones, and back.

use super::state::Act;
use hattari_games::holdem::{Action, Deal, Holdem, View, kind, limit};
use hattari_games::poker::Limit;

/// Why an action cannot be taken for one of the legal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// It is one of them but for its amount.
    pub by_amount: bool,
    /// In words, with what would be legal.
    pub message: String,
}

/// What is known of a decision besides its legal actions. Amounts are totals of the street but for
/// `before`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Raises have sizes.
    pub no_limit: bool,
    /// Chips that the player has put in on earlier streets.
    pub before: i64,
    /// What a player has to have put in to stay in.
    pub level: i64,
    /// What the player has put in and has left.
    pub all_in: i64,
    /// Bets and raises are left on this street, and another player has chips left.
    pub is_open: bool,
}

impl Standing {
    /// Of the seat to act in a deal.
    #[must_use]
    pub fn of_deal(game: &Holdem, deal: &Deal) -> Standing {
        let (betting, seat) = (&deal.betting, usize::from(deal.to_act));
        let cap = game
            .form()
            .raises_max_on(&game.form().streets[usize::from(deal.street)]);
        Standing {
            no_limit: game.form().limit == Limit::NoLimit,
            before: betting.paid[seat] - betting.bets[seat],
            level: betting.level,
            all_in: betting.bets[seat] + betting.stacks[seat],
            is_open: (cap == 0 || betting.raises < cap) && betting.able & !(1 << deal.to_act) != 0,
        }
    }

    /// Of the seat to act that sees this.
    #[must_use]
    pub fn of_view(view: &View) -> Standing {
        let seat = usize::from(view.seat);
        let others = view.in_play & !view.all_in & !(1 << view.seat);
        Standing {
            no_limit: view.limit == limit::NO_LIMIT,
            before: view.paid[seat] - view.bets[seat],
            level: view.level,
            all_in: view.bets[seat] + view.stacks[seat],
            is_open: (view.raises_max == 0 || view.raises < view.raises_max) && others != 0,
        }
    }

    /// Whether the competition's servers take a raise here where nothing can be raised, as all
    /// chips are no more than a call at a limit, or nobody could answer. Either way the chips
    /// come to those of a call.
    fn takes_for_a_call(self, act: Act) -> bool {
        let is_call = self.all_in <= self.level;
        self.is_open
            && match act {
                Act::Raise(None) => !self.no_limit,
                Act::Raise(Some(total)) => {
                    self.no_limit
                        && !is_call
                        && (self.level + 1..=self.all_in).contains(&(total - self.before))
                }
                _ => false,
            }
    }
}

/// The number of the legal action that `act` is, and its amount.
///
/// # Errors
/// It is none of them.
pub fn choose(actions: &[Action], act: Act, standing: Standing) -> Result<(usize, i64), Illegal> {
    let Standing {
        before, no_limit, ..
    } = standing;
    let find = |kinds: &[u8]| {
        actions
            .iter()
            .position(|action| kinds.contains(&action.kind))
    };
    let found = match act {
        Act::Fold => find(&[kind::FOLD]),
        Act::Call => find(&[kind::CHECK, kind::CALL]),
        Act::Raise(_) => find(&[kind::RAISE]),
    };
    if found.is_none() && standing.takes_for_a_call(act) {
        return choose(actions, Act::Call, standing);
    }
    let illegal = |by_amount: bool| Illegal {
        by_amount,
        message: format!(
            "`{act}` is not legal; {} would be",
            offers(actions, before, no_limit)
        ),
    };
    let index = found.ok_or_else(|| illegal(false))?;
    let action = actions[index];
    match act {
        Act::Raise(Some(total)) if no_limit => {
            let amount = total - before;
            let fits = (action.lowest..=action.highest).contains(&amount);
            if fits {
                Ok((index, amount))
            } else {
                Err(illegal(true))
            }
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
            format!(
                "r{} to r{}",
                before + action.lowest,
                before + action.highest
            )
        }
        _ => act_of(action, action.lowest, before, no_limit).to_string(),
    };
    actions.iter().map(offer).collect::<Vec<_>>().join(", ")
}
