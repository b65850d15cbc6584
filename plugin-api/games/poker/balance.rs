//! Balanced decks: each of two seats wins half of the showdowns of a block.
//!
//! Before each deal, the seat with the better cards is drawn, so that each seat gets them in half
//! of the block's deals, in random order. If the other seat has the better cards, the cards of the
//! two seats are exchanged. All decks in which the drawn seat wins stay equally likely.

use super::card::set_of;
use super::hand::Strength;
use super::play::Deal;
use super::street::BettingStructure;
use crate::chance;
use rand::Rng;
use std::cmp::Ordering;

/// Draws the seat that wins the showdown of this deal, and exchanges the cards if necessary. `left`
/// is the number of remaining deals that each seat is to win. Cards that tie are not changed; a tie
/// counts as won by the seat with more remaining deals.
pub(super) fn balance_deck(
    left: &mut [u32; 2],
    form: &BettingStructure,
    deal: &mut Deal,
    chance: &mut impl Rng,
) {
    if *left == [0, 0] {
        *left = [1, 1];
    }
    deal.to_win = *left;
    let [first, second] = *left;
    let wanted = usize::from(chance::below(chance, first + second) >= first);
    let winner = winner(form, deal);
    let taken = match winner {
        None => usize::from(first < second),
        Some(_) => wanted,
    };
    left[taken] = left[taken].saturating_sub(1);
    if winner == Some(1 - wanted) {
        deal.exchange_cards(form, 0, 1);
    }
}

/// Accepts or rejects a shuffled deck at random, so that accepted decks are distributed as after
/// [`balance_deck`]. The probability of `true` is proportional to the winner's number in `to_win`,
/// or to the mean of both numbers if the cards tie.
pub(super) fn accepts_deck(form: &BettingStructure, deal: &Deal, chance: &mut impl Rng) -> bool {
    let most = deal.to_win[0].max(deal.to_win[1]);
    if most == 0 {
        return true;
    }
    let winner = winner(form, deal).unwrap_or_else(|| chance::below(chance, 2) as usize);
    chance::below(chance, most) < deal.to_win[winner]
}

/// Returns the seat with the better cards, or `None` if the cards tie.
fn winner(form: &BettingStructure, deal: &Deal) -> Option<usize> {
    let each = usize::from(form.cards_per_seat());
    let strength = |seat: usize| Strength::of(set_of(&deal.deck()[seat * each..(seat + 1) * each]));
    match strength(0).cmp(&strength(1)) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
