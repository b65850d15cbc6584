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

/// Draws whose cards are to win and sees to it; `left` are the deals still to come that each seat is
/// to win. Cards that tie are left as they are; the seat with more deals to come does without one
/// then.
pub(super) fn arrange<R: Rng>(left: &mut [u32; 2], form: &Form, deal: &mut Deal, chance: &mut R) {
    if *left == [0, 0] {
        *left = [1, 1];
    }
    let [first, second] = *left;
    let wanted = usize::from(chance::below(chance, first + second) >= first);
    let each = usize::from(form.cards_each());
    let strength = |seat: usize| Strength::of(set_of(&deal.deck()[seat * each..(seat + 1) * each]));
    let (own, other) = (strength(wanted), strength(1 - wanted));
    let taken = if own == other {
        usize::from(first < second)
    } else {
        wanted
    };
    left[taken] = left[taken].saturating_sub(1);
    if own < other {
        deal.exchange_cards(form, 0, 1);
    }
}
