//! Deals of the cards that a seat cannot see: all that agree with its view, with what the calls say
//! of the hands and with what rules of thumb make of the play are equally likely.

use crate::rules::{Evidence, Rules};
use hattari_plugin::Rng;
use hattari_plugin::bridge::{CardSet, Hidden, Holding, View};

/// Deals that are tried for one that agrees with everything.
const TRIES: u32 = 20_000;

/// Draws deals for one view.
pub struct Worlds<'v> {
    view: &'v View,
    holdings: &'v [Holding; 4],
    rules: Rules,
    evidence: Evidence,
    cards: Hidden,
    /// Set once a deal that agrees with everything has been looked for in vain.
    is_contradiction: bool,
}

impl<'v> Worlds<'v> {
    /// The deals that agree with a view. Dummy's cards are known once they are shown, voids once
    /// they have shown.
    ///
    /// # Panics
    /// If the view is none of the host's: if no deal agrees with it whatever the rules.
    #[must_use]
    pub fn of(view: &'v View, holdings: &'v [Holding; 4], rules: Rules) -> Worlds<'v> {
        let evidence = Evidence::of(view, rules);
        let cards = Hidden::of(view, &evidence.denied);
        let is_contradiction = cards.is_none();
        let cards = cards
            .or_else(|| Hidden::of(view, &[CardSet::default(); 4]))
            .expect("some deal agrees with a view");
        Worlds {
            view,
            holdings,
            rules,
            evidence,
            cards,
            is_contradiction,
        }
    }

    /// One of the deals: the cards that each seat still holds. `None` where none is found that
    /// agrees with the calls and all rules.
    pub fn draw(&mut self, rng: &mut Rng) -> Option<[CardSet; 4]> {
        if self.is_contradiction {
            return None;
        }
        for _ in 0..TRIES {
            let hands = self.cards.deal(rng);
            if self.fits(&hands) {
                return Some(hands);
            }
        }
        self.is_contradiction = true;
        None
    }

    /// As [`Worlds::draw`], and where rules contradict the view or each other, a deal by fewer of
    /// them: first without those of the play, then whatever the calls.
    pub fn draw_some(&mut self, rng: &mut Rng) -> [CardSet; 4] {
        loop {
            if let Some(hands) = self.draw(rng) {
                return hands;
            }
            let rules = match self.rules {
                Rules {
                    hcp: true,
                    third: false,
                    lead: false,
                    cheap: false,
                } => Rules::NONE,
                Rules { hcp, .. } => Rules { hcp, ..Rules::NONE },
            };
            *self = Worlds::of(self.view, self.holdings, rules);
        }
    }

    /// Cards that only some hidden seats can hold are placed before any are drawn: where there are
    /// any, two seats are hidden.
    fn fits(&self, hands: &[CardSet; 4]) -> bool {
        let dealt = |seat: usize| CardSet(hands[seat].0 | self.view.played[seat]);
        let fits_calls =
            |&(seat, _): &(usize, usize)| !self.rules.hcp || self.holdings[seat].fits(dealt(seat));
        self.evidence.fits_lead(dealt) && self.cards.rooms().iter().all(fits_calls)
    }
}
