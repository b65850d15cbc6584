//! Decks that split the showdowns of a block evenly.
//!
//! Before a deal lots are drawn for whose cards are to win: half of the block's deals for each of
//! two seats, in random order. A deck in which the other seat would win has the two seats' cards
//! exchanged, which leaves every such deck as likely as the others.

use super::card::set_of;
use super::hand::Strength;
use super::play::Deal;
use super::street::Form;
use crate::chance;
use rand::Rng;
use std::cmp::Ordering;

/// Draws whose cards are to win and sees to it; `left` are the deals still to come that each seat is
/// to win. Cards that tie are left as they are; the seat with more deals to come does without one
/// then.
pub(super) fn arrange<R: Rng>(left: &mut [u32; 2], form: &Form, deal: &mut Deal, chance: &mut R) {
    if *left == [0, 0] {
        *left = [1, 1];
    }
    deal.to_win = if form.given.is_empty() { *left } else { [0; 2] };
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

/// Accepts a deck in proportion to how often [`arrange`] comes to it: a deck that one seat wins as
/// often as that seat was to win, one that ties as often as either on average.
pub(super) fn accepts<R: Rng>(form: &Form, deal: &Deal, chance: &mut R) -> bool {
    let most = deal.to_win[0].max(deal.to_win[1]);
    if most == 0 {
        return true;
    }
    let winner = winner(form, deal).unwrap_or_else(|| chance::below(chance, 2) as usize);
    chance::below(chance, most) < deal.to_win[winner]
}

/// The seat with the better cards in the deck, `None` where they are equal.
fn winner(form: &Form, deal: &Deal) -> Option<usize> {
    let each = usize::from(form.cards_each());
    let strength = |seat: usize| Strength::of(set_of(&deal.deck()[seat * each..(seat + 1) * each]));
    match strength(0).cmp(&strength(1)) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
