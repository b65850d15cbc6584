//! Decks that split the showdowns of a block evenly.
//!
//! Before a deal an urn says whose cards are to win: it holds half of the block's deals for each
//! seat, in random order. A deck in which the other seat would win has the two seats' cards
//! exchanged, which leaves every such deck as likely as the others.

use super::Deal;
use crate::chance;
use crate::poker::{Form, Strength, card::set_of};
use rand::Rng;

/// Deals still to come that each of two seats is to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Urn {
    left: [u32; 2],
}

impl Urn {
    /// The urn of a block.
    #[must_use]
    pub fn new(deals: u32) -> Urn {
        Urn {
            left: [deals - deals / 2, deals / 2],
        }
    }

    /// Draws whose cards are to win and sees to it. Cards that tie are left as they are; the seat
    /// with more deals to come does without one then.
    pub(super) fn arrange<R: Rng>(&mut self, form: &Form, deal: &mut Deal, chance: &mut R) {
        if self.left == [0, 0] {
            *self = Urn::new(2);
        }
        let [first, second] = self.left;
        let wanted = usize::from(chance::below(chance, first + second) >= first);
        let each = usize::from(form.cards_each());
        let strength =
            |seat: usize| Strength::of(set_of(&deal.deck()[seat * each..(seat + 1) * each]));
        let (own, other) = (strength(wanted), strength(1 - wanted));
        let taken = if own == other {
            usize::from(first < second)
        } else {
            wanted
        };
        self.left[taken] = self.left[taken].saturating_sub(1);
        if own < other {
            deal.exchange_cards(form, 0, 1);
        }
    }
}
