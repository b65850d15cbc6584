//! Deals of the cards that a seat cannot see: all that agree with its view and with what the calls say of the hands are
//! equally likely.

use hattari_plugin::Rng;
use hattari_plugin::bridge::{Card, CardSet, Holding, Options, Seat, Suit, View};
use hattari_plugin::games::chance::shuffle;

/// Deals that are tried for hands as the calls have them, before any hands will do.
const TRIES: u32 = 20_000;

/// What the calls say of each hand: what leagues ask of the deals whose auction this is.
#[must_use]
pub fn holdings(options: &Options, declarer: Seat) -> [Holding; 4] {
    let mut holdings = [Holding::default(); 4];
    for (steps, holding) in (0..).zip([options.declarer, options.leader, options.dummy, options.partner]) {
        holdings[declarer.after(steps) as usize] = holding;
    }
    holdings
}

/// Draws deals for one view.
pub struct Worlds<'v> {
    /// The hands as far as they are known; cards that only one seat can hold are among them.
    known: [CardSet; 4],
    /// Cards that each seat has played.
    played: [CardSet; 4],
    /// Seats with cards to be drawn, and how many each.
    rooms: Vec<(usize, usize)>,
    /// The cards to be drawn.
    pool: Vec<Card>,
    holdings: &'v [Holding; 4],
}

impl<'v> Worlds<'v> {
    /// The deals that agree with a view. Dummy's cards are known once they are shown, voids once they have shown.
    #[must_use]
    pub fn of(view: &View, holdings: &'v [Holding; 4]) -> Worlds<'v> {
        let mut known = [CardSet::default(); 4];
        known[usize::from(view.seat)] = CardSet(view.hand);
        let is_hidden =
            |seat: usize| seat != usize::from(view.seat) && !(view.dummy_shown == 1 && seat == usize::from(view.dummy));
        if view.dummy_shown == 1 {
            known[usize::from(view.dummy)] = CardSet(view.dummy_hand);
        }
        let hidden: Vec<usize> = (0..4).filter(|&seat| is_hidden(seat)).collect();
        let voids = voids(view);
        let mut pool = Vec::new();
        for card in view.unseen() {
            let mut takers = hidden.iter().filter(|&&seat| !voids[seat][card.suit() as usize]);
            match (takers.next(), takers.next()) {
                (Some(&seat), None) => known[seat].insert(card),
                _ => pool.push(card),
            }
        }
        let played = view.played.map(CardSet);
        let room = |seat: usize| (13 - played[seat].len() - known[seat].len()) as usize;
        let rooms = hidden.iter().map(|&seat| (seat, room(seat))).collect();
        Worlds { known, played, rooms, pool, holdings }
    }

    /// One of the deals: the cards that each seat still holds. Where none is found with hands as the calls have them, the
    /// calls are taken to have lied, and any hands will do.
    pub fn draw(&mut self, rng: &mut Rng) -> [CardSet; 4] {
        for _ in 0..TRIES {
            let hands = self.any(rng);
            let fits = |seat: usize| self.holdings[seat].fits(CardSet(hands[seat].0 | self.played[seat].0));
            if self.rooms.iter().all(|&(seat, _)| fits(seat)) {
                return hands;
            }
        }
        self.any(rng)
    }

    fn any(&mut self, rng: &mut Rng) -> [CardSet; 4] {
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
