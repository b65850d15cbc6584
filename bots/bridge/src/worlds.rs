//! Sampling of the cards that a seat cannot see. All deals that agree with its view, the calls and
//! the inference rules have the same probability.

use crate::rules::{Evidence, Rules};
use hattari_plugin::Rng;
use hattari_plugin::bridge::{Card, CardSet, Holding, Suit, View};
use hattari_plugin::games::chance::shuffle;

/// Maximum number of attempts to find a deal that agrees with all conditions.
const TRIES: u32 = 20_000;

/// A sampler of deals for one view.
pub struct Worlds<'v> {
    view: &'v View,
    holdings: &'v [Holding; 4],
    rules: Rules,
    evidence: Evidence,
    cards: Pack,
    /// True if no deal that agrees with all conditions was found.
    is_contradiction: bool,
}

/// Cards with a known owner, and cards to be dealt.
struct Pack {
    /// The known cards of each hand, including cards that only one seat can hold.
    known: [CardSet; 4],
    /// Seats that receive further cards, with their number.
    rooms: Vec<(usize, usize)>,
    pool: Vec<Card>,
}

impl Pack {
    /// Returns the cards that a view leaves open if no seat holds its denied cards, or `None` if a
    /// card has no possible owner.
    fn of(view: &View, denied: &[CardSet; 4]) -> Option<Pack> {
        let mut known = [CardSet::default(); 4];
        known[usize::from(view.seat)] = CardSet(view.hand);
        let is_hidden = |seat: usize| {
            seat != usize::from(view.seat)
                && !(view.dummy_shown == 1 && seat == usize::from(view.dummy))
        };
        if view.dummy_shown == 1 {
            known[usize::from(view.dummy)] = CardSet(view.dummy_hand);
        }
        let hidden: Vec<usize> = (0..4).filter(|&seat| is_hidden(seat)).collect();
        let voids = voids(view);
        let mut pool = Vec::new();
        for card in view.unseen() {
            let can_hold =
                |seat: usize| !voids[seat][card.suit() as usize] && !denied[seat].contains(card);
            let mut takers = hidden.iter().filter(|&&seat| can_hold(seat));
            match (takers.next(), takers.next()) {
                (None, _) => return None,
                (Some(&seat), None) => known[seat].insert(card),
                _ => pool.push(card),
            }
        }
        let mut rooms = Vec::new();
        for seat in hidden {
            let room = 13u32.checked_sub(CardSet(view.played[seat]).len() + known[seat].len())?;
            rooms.push((seat, room as usize));
        }
        Some(Pack { known, rooms, pool })
    }

    fn deal(&mut self, rng: &mut Rng) -> [CardSet; 4] {
        shuffle(&mut self.pool, rng);
        let mut hands = self.known;
        let mut cards = self.pool.iter();
        for &(seat, room) in &self.rooms {
            for &card in cards.by_ref().take(room) {
                hands[seat].insert(card);
            }
        }
        hands
    }
}

impl<'v> Worlds<'v> {
    /// Creates a sampler of the deals that agree with a view. It uses dummy's cards once they are
    /// visible, and voids once they are known.
    ///
    /// # Panics
    /// Panics if no deal agrees with the view, which does not happen for views from the host.
    #[must_use]
    pub fn of(view: &'v View, holdings: &'v [Holding; 4], rules: Rules) -> Worlds<'v> {
        let evidence = Evidence::of(view, rules);
        let cards = Pack::of(view, &evidence.denied);
        let is_contradiction = cards.is_none();
        let cards = cards
            .or_else(|| Pack::of(view, &[CardSet::default(); 4]))
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

    /// Returns the cards that each seat still holds in a random deal, or `None` if no deal was
    /// found that agrees with the calls and all rules.
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

    /// Does the same as [`Worlds::draw`], but drops rules if they contradict the view or each
    /// other: first the rules about the play, then the calls.
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

    /// Cards that only some hidden seats can hold were placed before sampling. If there are such
    /// cards, two seats are hidden.
    fn fits(&self, hands: &[CardSet; 4]) -> bool {
        let dealt = |seat: usize| CardSet(hands[seat].0 | self.view.played[seat]);
        let fits_calls =
            |&(seat, _): &(usize, usize)| !self.rules.hcp || self.holdings[seat].fits(dealt(seat));
        self.evidence.fits_lead(dealt) && self.cards.rooms.iter().all(fits_calls)
    }
}

/// Returns, by seat and suit, whether the seat is known to be void in the suit.
fn voids(view: &View) -> [[bool; 4]; 4] {
    let mut voids = [[false; 4]; 4];
    let cards = &view.cards[..usize::from(view.played_count)];
    let suit = |&card: &u8| Card::of_index(card).map(Card::suit);
    for (trick, &leader) in cards.chunks(4).zip(&view.leaders) {
        let led: Option<Suit> = trick.first().and_then(suit);
        for (n, card) in trick.iter().enumerate() {
            if let Some(led) = led.filter(|&led| suit(card) != Some(led)) {
                voids[(usize::from(leader) + n) % 4][led as usize] = true;
            }
        }
    }
    voids
}
