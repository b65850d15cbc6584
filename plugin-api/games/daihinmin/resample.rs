//! Samples everything that a seat cannot see: the other hands, the cards dealt and exchanged, and
//! the order of places after a deadlock.

use super::deal::{Block, Deal, Memory};
use super::deals::HandSampler;
use super::exchange::{self, EXCHANGES};
use super::knowledge::Knowledge;
use super::position::seat_index;
use super::records::{Action, NONE, PLAYERS, phase};
use super::view;
use crate::{Move, chance};
use bytemuck::Zeroable;
use rand::Rng;

/// Implements [`crate::Game::resample`]. If the seat has information from an exchange, the hands
/// come from a Markov chain, see [`HandSampler`].
///
/// # Panics
/// Panics if `seat` is not 0 to 4.
pub(super) fn resample(deal: &mut Deal, exchange: bool, seat: u8, chance: &mut impl Rng) {
    let mut view = Zeroable::zeroed();
    let block = Block::new(PLAYERS, 0, Memory::default());
    view::fill(&block, deal, seat, &mut view);
    let first = deal.history.first().map(|event| event.seat);
    let actor = first.unwrap_or(deal.position.to_act);
    let knowledge = Knowledge::from_actor(&view, &deal.history, exchange, Some(actor))
        .expect("the deal is possible");
    let hands = HandSampler::new(&knowledge, chance).draw(chance);
    deal.position.hands[..PLAYERS].copy_from_slice(&hands);
    if deal.phase != phase::OVER {
        chance::shuffle(&mut deal.position.deadlock_order, chance);
    }
    let mut dealt = hands;
    for (dealt, played) in dealt.iter_mut().zip(knowledge.played()) {
        *dealt |= played;
    }
    if deal.seats.title(0) != NONE && exchange {
        for (index, (_, receiver)) in EXCHANGES.into_iter().enumerate() {
            let [upper, lower] = exchange_seats(deal, index, receiver);
            if let Some(exchanged) = knowledge.draw_exchange(index, &hands, chance) {
                deal.given[upper] = exchanged.gift;
                deal.given[lower] = exchanged.tribute;
                deal.received[lower] = exchanged.gift;
            }
            let (gift, tribute) = (deal.given[upper], deal.given[lower]);
            dealt[upper] = (dealt[upper] | gift) & !tribute;
            dealt[lower] = dealt[lower] & !gift | tribute;
        }
    }
    deal.dealt = dealt;
}

/// Returns the indices of the seats with the titles `upper` and `lower`.
fn exchange_seats(deal: &Deal, upper: usize, lower: u8) -> [usize; 2] {
    [upper, seat_index(lower)].map(|title| seat_index(deal.seat_with[title]))
}

/// Implements [`crate::Game::origin`]. Replaces the gifts of other seats, which are secret choices.
pub(super) fn origin(start: &Deal, later: &Deal, choices: &mut [Move<Action>]) -> Deal {
    let mut deal = start.clone();
    deal.dealt = later.dealt;
    deal.position.deadlock_order = later.position.deadlock_order;
    deal.position.hands[..PLAYERS].copy_from_slice(&later.dealt);
    if start.phase != phase::EXCHANGE {
        return deal;
    }
    // The tribute has been taken before the first choice.
    for (index, (count, receiver)) in EXCHANGES.into_iter().enumerate() {
        let [upper, lower] = exchange_seats(&deal, index, receiver);
        let tribute = exchange::strongest(later.dealt[lower], count);
        deal.position.hands[lower] &= !tribute;
        deal.position.hands[upper] |= tribute;
        deal.given[lower] = tribute;
    }
    let mut now = deal.clone();
    for choice in choices {
        if now.phase != phase::EXCHANGE {
            break;
        }
        choice.action = exchange::give(later.given[seat_index(now.position.to_act)]);
        exchange::apply(&mut now, &choice.action);
    }
    deal
}
