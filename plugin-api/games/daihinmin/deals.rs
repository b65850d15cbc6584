//! Hands drawn from all that fit what a seat knows.

use super::card::{CardSet, cells};
use super::knowledge::Knowledge;
use super::records::PLAYERS;
use super::tribute::{by_cell, by_strength};
use crate::chance;
use rand::Rng;

/// An endless source of hands that fit a seat's [`Knowledge`], each as likely as it has
/// [`ways`](Knowledge::ways).
///
/// Without an exchange every draw is independent of the others: the cards that nobody knows are
/// shuffled. Where an exchange tells something, hands follow one another in a Markov chain
/// (Metropolis and others, "Equation of State Calculations by Fast Computing Machines"): two cards
/// of two hands change places if the ways of the new hands against those of the old allow it. Then
/// neighbouring draws resemble each other, but every one has the right distribution.
#[derive(Clone, Debug)]
pub struct Deals<'a> {
    knowledge: &'a Knowledge,
    /// The cards that nobody knows, those of one hand side by side.
    cards: [u8; 64],
    /// The hand in which each of them is.
    owners: [u8; 64],
    /// How many they are.
    count: u32,
    /// The hands, in order of strength.
    hands: [u64; PLAYERS],
    /// The ways of each exchange, 1 where there is none.
    ways: [u64; 2],
    /// Swaps between two draws; 0 where draws are independent.
    swaps: u32,
}

impl<'a> Deals<'a> {
    /// A source of hands.
    pub fn new<R: Rng>(knowledge: &'a Knowledge, chance: &mut R) -> Deals<'a> {
        let mut hands = knowledge.fixed;
        hands[usize::from(knowledge.seat)] = by_strength(knowledge.hand);
        let count = knowledge.free.count_ones();
        let mut deals = Deals {
            knowledge,
            cards: [0; 64],
            owners: [0; 64],
            count,
            hands,
            ways: [1; 2],
            swaps: 0,
        };
        for (place, card) in deals.cards.iter_mut().zip(cells(knowledge.free)) {
            *place = card;
        }
        let mut places = deals.owners.iter_mut();
        for (seat, other) in (0_u8..)
            .zip(0..PLAYERS)
            .filter(|&(seat, _)| seat != knowledge.seat)
        {
            let missing =
                usize::from(knowledge.sizes[other]) - knowledge.fixed[other].count_ones() as usize;
            places
                .by_ref()
                .take(missing)
                .for_each(|owner| *owner = seat);
        }
        deals.shuffle(chance);
        if knowledge.tributes.iter().any(Option::is_some) {
            deals.settle_tribute();
            // Every card changes its hand once or twice between draws, and a few times over before
            // the first.
            deals.swaps = count / 2 + 4;
            deals.swap(8 * deals.swaps, chance);
        }
        deals
    }

    /// The next hands, of all seats.
    #[inline]
    pub fn draw<R: Rng>(&mut self, chance: &mut R) -> [CardSet; PLAYERS] {
        if self.swaps == 0 {
            self.shuffle(chance);
        } else {
            self.swap(self.swaps, chance);
        }
        let mut hands = self.hands.map(by_cell);
        hands[usize::from(self.knowledge.seat)] = self.knowledge.hand;
        hands
    }

    /// Deals the cards anew, whatever the exchange tells.
    fn shuffle<R: Rng>(&mut self, chance: &mut R) {
        let mut rest = self.count;
        let cards = &mut self.cards;
        // Six at a time: no product of six bounds below 64 comes near 2^64.
        while rest > 1 {
            let bound = |step| if rest > step { rest - step } else { 1 };
            let drawn = chance::batch(
                chance,
                [bound(0), bound(1), bound(2), bound(3), bound(4), bound(5)],
            );
            for other in drawn.into_iter().take(rest.min(6) as usize) {
                rest -= 1;
                cards.swap((rest & 63) as usize, (other & 63) as usize);
            }
        }
        let own = usize::from(self.knowledge.seat);
        let own_hand = self.hands[own];
        self.hands = self.knowledge.fixed;
        self.hands[own] = own_hand;
        for (card, owner) in self
            .cards
            .iter()
            .zip(&self.owners)
            .take(self.count as usize)
        {
            self.hands[usize::from(owner & 7)] |= 1 << card;
        }
    }

    /// Brings hands that fit no exchange to such that do: the strongest cards go to the upper
    /// title.
    fn settle_tribute(&mut self) {
        for tribute in self.knowledge.tributes.iter().flatten() {
            while self.knowledge.ways_of(tribute, &self.hands) == 0 {
                let in_hand = |deals: &Deals, place: usize, seat: u8| deals.owners[place] == seat;
                let places = 0..self.count as usize;
                let lower = places
                    .clone()
                    .filter(|&place| in_hand(self, place, tribute.lower));
                let Some(strong) = lower.max_by_key(|&place| self.cards[place]) else {
                    break;
                };
                let others = places.filter(|&place| !in_hand(self, place, tribute.lower));
                let to_upper = tribute.upper != self.knowledge.seat;
                // The upper title's weakest card; where that is the seat itself, anybody's weakest.
                let weak = others
                    .filter(|&place| !to_upper || in_hand(self, place, tribute.upper))
                    .min_by_key(|&place| self.cards[place]);
                let Some(weak) = weak.filter(|&weak| self.cards[weak] < self.cards[strong]) else {
                    break;
                };
                self.exchange(strong, weak);
            }
        }
        self.ways = self.ways_now();
    }

    fn ways_now(&self) -> [u64; 2] {
        self.knowledge
            .tributes
            .map(|tribute| tribute.map_or(1, |t| self.knowledge.ways_of(&t, &self.hands)))
    }

    /// Tries so many swaps of two cards.
    fn swap<R: Rng>(&mut self, swaps: u32, chance: &mut R) {
        if self.count < 2 {
            return;
        }
        for _ in 0..swaps {
            let [first, second, fate] = chance::batch(chance, [self.count, self.count, 1 << 24]);
            let [first, second] = [first, second].map(|place| (place & 63) as usize);
            if self.owners[first] == self.owners[second] {
                continue;
            }
            self.exchange(first, second);
            let ways = self.ways_now();
            let product = |ways: [u64; 2]| ways[0] * ways[1];
            // Ways of two exchanges are below 2^20.
            if u64::from(fate) * product(self.ways) < product(ways) << 24 {
                self.ways = ways;
            } else {
                self.exchange(first, second);
            }
        }
    }

    /// Lets two cards change places.
    #[inline]
    fn exchange(&mut self, first: usize, second: usize) {
        let (one, other) = (1 << self.cards[first], 1 << self.cards[second]);
        self.hands[usize::from(self.owners[first] & 7)] ^= one | other;
        self.hands[usize::from(self.owners[second] & 7)] ^= one | other;
        self.cards.swap(first, second);
    }
}
