//! Deals of the cards that a seat cannot see: all that agree with its view, with what the calls say
//! of the hands and with what rules of thumb make of the play are equally likely.

use crate::rules::{Evidence, Rules};
use hattari_plugin::Rng;
use hattari_plugin::bridge::{Card, CardSet, Holding, Suit, View};
use hattari_plugin::games::chance::shuffle;

/// Deals that are tried for one that agrees with everything.
const TRIES: u32 = 20_000;

/// Draws deals for one view.
pub struct Worlds<'v> {
    view: &'v View,
    holdings: &'v [Holding; 4],
    rules: Rules,
    evidence: Evidence,
    cards: Pack,
    /// Set once a deal that agrees with everything has been looked for in vain.
    is_contradiction: bool,
}

/// Cards whose place is known, and cards to be drawn.
struct Pack {
    /// The hands as far as they are known; cards that only one seat can hold are among them.
    known: [CardSet; 4],
    /// Seats with cards to be drawn, and how many each.
    rooms: Vec<(usize, usize)>,
    pool: Vec<Card>,
}

impl Pack {
    /// The cards that a view leaves open, where no seat holds what it is denied; `None` if that
    /// leaves no place for a card.
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
    /// The deals that agree with a view. Dummy's cards are known once they are shown, voids once
    /// they have shown.
    ///
    /// # Panics
    /// If the view is none of the host's: if no deal agrees with it whatever the rules.
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
        self.evidence.fits_lead(dealt) && self.cards.rooms.iter().all(fits_calls)
    }
}

/// Suits that each seat has shown to have no more cards of, by seat and suit.
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
