//! Replay of a state or log line: the deal is played again and every action is checked. Actions in
//! text form (`f`, `c`, `r300`) are converted to legal actions of hold'em and back.

use super::{KnownCards, RoundActions, StateAction, seat};
use crate::deck::fill_deck;
use hattari_games::bytemuck::Zeroable;
use hattari_games::holdem::{Action, Block, Deal, Holdem, View, kind, limit};
use hattari_games::poker::card;
use hattari_games::{Game, Move};

/// Number of board cards in each round from the second on.
const BOARD: [usize; 3] = [3, 1, 1];

/// Plays the actions of `rounds` in a deal with the block's button and stacks. Unknown cards are
/// replaced by arbitrary ones, so callers must not use views that show them.
///
/// # Errors
/// Returns an error if the cards or actions are not legal in the game.
pub fn replay(
    game: &Holdem,
    block: &Block,
    rounds: &RoundActions,
    cards: &KnownCards,
    deal: &mut Deal,
) -> Result<(), String> {
    let deck = deck(block, cards)?;
    game.start(block, &deck, deal)?;
    let mut actions = Vec::new();
    let mut view = View::zeroed();
    for (number, round) in rounds.0.iter().enumerate() {
        for (at, &act) in round.iter().enumerate() {
            let place = || format!("round {}, action {} `{act}`", number + 1, at + 1);
            game.to_act(deal)
                .ok_or_else(|| format!("{}: the hand is over", place()))?;
            if usize::from(deal.street) != number {
                return Err(format!(
                    "{}: the current round is round {}",
                    place(),
                    deal.street + 1
                ));
            }
            game.legal(deal, &mut actions);
            game.view(block, deal, deal.to_act, &mut view);
            let (index, amount) = choose(&actions, act, DecisionContext::of_view(&view))
                .map_err(|illegal| format!("{}: {}", place(), illegal.message))?;
            game.apply(
                deal,
                Move {
                    action: actions[index],
                    amount,
                },
            );
        }
    }
    let (told, played) = (rounds.0.len(), usize::from(deal.street) + 1);
    if told != played {
        return Err(format!("the betting has {told} rounds instead of {played}"));
    }
    let board: Vec<usize> = cards.board.iter().map(Vec::len).collect();
    if board != BOARD[..(played - 1).min(BOARD.len())] {
        return Err(format!(
            "the rounds after the first have {board:?} board cards instead of 3, 1 and 1"
        ));
    }
    Ok(())
}

/// Returns `true` if all hands that were shown at a showdown are known.
pub fn is_shown(deal: &Deal, cards: &KnownCards) -> bool {
    let known = cards
        .holes
        .iter()
        .flatten()
        .fold(0, |set, &card| set | 1_u64 << card);
    deal.shown.iter().all(|shown| shown & !known == 0)
}

/// Returns a deck in an order that deals the known cards to their places.
fn deck(block: &Block, cards: &KnownCards) -> Result<[u8; card::DECK_SIZE], String> {
    let players = usize::from(block.players);
    if cards.holes.len() != players {
        return Err(format!(
            "the line has {} hands, but the game has {players} players",
            cards.holes.len()
        ));
    }
    let mut deck = [None; card::DECK_SIZE];
    for (position, hole) in (0..).zip(&cards.holes) {
        if !matches!(hole.len(), 0 | 2) {
            return Err(format!("a hand has {} cards instead of 0 or 2", hole.len()));
        }
        let first = usize::from(seat(position, block.memory.button, block.players)) * 2;
        hole.iter()
            .zip(&mut deck[first..])
            .for_each(|(&card, place)| *place = Some(card));
    }
    let board = cards.board.iter().flatten();
    board
        .zip(&mut deck[players * 2..])
        .for_each(|(&card, place)| *place = Some(card));
    Ok(fill_deck(deck).0)
}

/// The error for an action that is not legal.
#[derive(Debug, PartialEq)]
pub struct IllegalAction {
    /// `true` if only the amount is illegal.
    pub by_amount: bool,
    /// Message that lists the legal actions.
    pub message: String,
}

/// The state of the betting at a decision. Amounts are totals of the current street, except
/// `before`.
#[derive(Clone, Copy, Debug)]
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
        self.is_open
            && match act {
                StateAction::Raise(None) => !self.no_limit,
                StateAction::Raise(Some(total)) => {
                    self.no_limit && (self.level + 1..=self.all_in).contains(&(total - self.before))
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
    let amount = match act {
        StateAction::Raise(Some(total)) if no_limit => {
            let fits = |amount: &i64| (action.lowest..=action.highest).contains(amount);
            Some(total - before).filter(fits)
        }
        StateAction::Raise(None) if !no_limit => Some(action.lowest),
        StateAction::Raise(_) => None,
        _ => Some(0),
    };
    Ok((index, amount.ok_or_else(|| illegal(true))?))
}

/// Returns the text form of a legal action with its amount. `before` is the number of chips that
/// the player has put in on earlier streets.
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
