//! Replay of a state or log line: the deal is played again and every action is checked.

use super::choice::{DecisionContext, choose};
use super::{KnownCards, RoundActions, seat};
use crate::deck::fill_deck;
use hattari_games::bytemuck::Zeroable;
use hattari_games::holdem::{Block, Deal, Holdem, View};
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
#[must_use]
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
        let first = usize::from(seat(position, block.button, block.players)) * 2;
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
