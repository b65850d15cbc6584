//! Sampling of the cards that a player cannot see. All deals that agree with the player's view, the
//! calls and the inference rules have the same probability.

use crate::rules::{Conclusions, Rules};
use hattari_plugin::Rng;
use hattari_plugin::bridge::{CardSet, HandConstraints, HiddenCards, View};

/// Maximum number of attempts to find a deal that agrees with all conditions.
const TRIES: u32 = 20_000;

/// A sampler of deals for one view.
pub struct Worlds<'v> {
    view: &'v View,
    holdings: &'v [HandConstraints; 4],
    rules: Rules,
    conclusions: Conclusions,
    cards: HiddenCards,
    /// True if no deal was found that agrees with all conditions.
    is_contradiction: bool,
}

impl<'v> Worlds<'v> {
    /// Creates a sampler of the deals that agree with a view. The view includes dummy's cards if
    /// they are visible, and the suits that players are known not to hold.
    ///
    /// # Panics
    /// Panics if no deal agrees with the view, which does not happen for views from the host.
    pub fn of(view: &'v View, holdings: &'v [HandConstraints; 4], rules: Rules) -> Worlds<'v> {
        let conclusions = Conclusions::of(view, rules);
        let cards = HiddenCards::of(view, &conclusions.denied);
        let is_contradiction = cards.is_none();
        let cards = cards
            .or_else(|| HiddenCards::of(view, &[CardSet::default(); 4]))
            .expect("some deal agrees with a view");
        Worlds {
            view,
            holdings,
            rules,
            conclusions,
            cards,
            is_contradiction,
        }
    }

    /// Returns the cards that each player still holds in a random deal, by seat. Returns `None` if
    /// no deal was found that agrees with the calls and all rules.
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

    /// Returns the same as [`Worlds::draw`], but drops rules if they contradict the view or each
    /// other: first the rules about the play, then the rule about the calls.
    pub fn draw_relaxed(&mut self, rng: &mut Rng) -> [CardSet; 4] {
        loop {
            if let Some(hands) = self.draw(rng) {
                return hands;
            }
            let about_calls = Rules {
                hcp: self.rules.hcp,
                ..Rules::NONE
            };
            let is_reduced = self.rules == about_calls;
            let rules = if is_reduced { Rules::NONE } else { about_calls };
            *self = Worlds::of(self.view, self.holdings, rules);
        }
    }

    /// Returns `true` if the sampled hands agree with the opening lead and the calls. The sampler
    /// already takes the other rules into account.
    fn fits(&self, hands: &[CardSet; 4]) -> bool {
        let dealt = |seat: usize| CardSet(hands[seat].0 | self.view.played[seat]);
        let fits_calls =
            |&(seat, _): &(usize, usize)| !self.rules.hcp || self.holdings[seat].fits(dealt(seat));
        self.conclusions.fits_lead(dealt) && self.cards.unknown_counts().iter().all(fits_calls)
    }
}
