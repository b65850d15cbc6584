//! Samples of the hands that are consistent with the information of a seat.

use super::card::{CardSet, cells};
use super::knowledge::Knowledge;
use super::records::PLAYERS;
use super::tribute::{by_cell, by_strength};
use crate::chance;
use rand::Rng;

/// An endless source of hands that are consistent with a seat's [`Knowledge`]. The probability of
/// hands is proportional to their number of [`ways`](Knowledge::ways).
///
/// Without information from an exchange, draws are independent shuffles of the unknown cards.
/// Otherwise they form a Markov chain (Metropolis and others, "Equation of State Calculations by
/// Fast Computing Machines"). It swaps two cards of different hands with a probability that depends
/// on the ways before and after. Successive draws are then correlated, but each has the right
/// distribution.
#[derive(Clone, Debug)]
pub struct HandSampler<'a> {
    knowledge: &'a Knowledge,
    /// Unknown cards, grouped by hand.
    cards: [u8; 64],
    /// Seat that holds each card of `cards`.
    owners: [u8; 64],
    /// Number of unknown cards.
    count: u32,
    /// Hands of all seats, with bits in order of strength.
    hands: [u64; PLAYERS],
    /// Number of ways in which each exchange can have led to `hands`; 1 if there is no exchange.
    ways: [u64; 2],
    /// Number of swaps between two draws; 0 if draws are independent.
    swaps: u32,
}

impl<'a> HandSampler<'a> {
    /// Creates a source of hands for the seat of `knowledge`.
    pub fn new(knowledge: &'a Knowledge, chance: &mut impl Rng) -> HandSampler<'a> {
        let mut hands = knowledge.fixed;
        hands[usize::from(knowledge.seat)] = by_strength(knowledge.hand);
        let count = knowledge.free.count_ones();
        let mut deals = HandSampler {
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
            // On average each card is moved once or twice between draws, and several times before
            // the first.
            deals.swaps = count / 2 + 4;
            deals.swap(8 * deals.swaps, chance);
        }
        deals
    }

    /// Returns the next hands of all seats.
    #[inline]
    pub fn draw(&mut self, chance: &mut impl Rng) -> [CardSet; PLAYERS] {
        if self.swaps == 0 {
            self.shuffle(chance);
        } else {
            self.swap(self.swaps, chance);
        }
        let mut hands = self.hands.map(by_cell);
        hands[usize::from(self.knowledge.seat)] = self.knowledge.hand;
        hands
    }

    /// Shuffles the cards without regard to exchanges.
    fn shuffle(&mut self, chance: &mut impl Rng) {
        let mut rest = self.count;
        let cards = &mut self.cards;
        // Draws six numbers at a time: the product of six bounds below 64 is far below 2^64.
        while rest > 1 {
            let bound = |step| if rest > step { rest - step } else { 1 };
            let drawn = chance::below_each(chance, [0, 1, 2, 3, 4, 5].map(bound));
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

    /// Changes impossible hands to possible ones by moving strong cards from the lower to the upper
    /// title.
    fn settle_tribute(&mut self) {
        for tribute in self.knowledge.tributes.iter().flatten() {
            while self.knowledge.ways_of(tribute, &self.hands) == 0 {
                let in_hand =
                    |deals: &HandSampler, place: usize, seat: u8| deals.owners[place] == seat;
                let places = 0..self.count as usize;
                let lower = places
                    .clone()
                    .filter(|&place| in_hand(self, place, tribute.lower));
                let Some(strong) = lower.max_by_key(|&place| self.cards[place]) else {
                    break;
                };
                let others = places.filter(|&place| !in_hand(self, place, tribute.lower));
                let to_upper = tribute.upper != self.knowledge.seat;
                // The weakest card of the upper title. If the seat itself has that title, the
                // weakest card of all other hands.
                let weak = others
                    .filter(|&place| !to_upper || in_hand(self, place, tribute.upper))
                    .min_by_key(|&place| self.cards[place]);
                let Some(weak) = weak.filter(|&weak| self.cards[weak] < self.cards[strong]) else {
                    break;
                };
                self.exchange(strong, weak);
            }
        }
        self.ways = self.current_ways();
    }

    fn current_ways(&self) -> [u64; 2] {
        self.knowledge
            .tributes
            .map(|tribute| tribute.map_or(1, |t| self.knowledge.ways_of(&t, &self.hands)))
    }

    /// Proposes swaps of two random cards. Each is accepted with the probability that the Markov
    /// chain requires.
    fn swap(&mut self, swaps: u32, chance: &mut impl Rng) {
        if self.count < 2 {
            return;
        }
        for _ in 0..swaps {
            let [first, second, fate] =
                chance::below_each(chance, [self.count, self.count, 1 << 24]);
            let [first, second] = [first, second].map(|place| (place & 63) as usize);
            if self.owners[first] == self.owners[second] {
                continue;
            }
            self.exchange(first, second);
            let ways = self.current_ways();
            let product = |ways: [u64; 2]| ways[0] * ways[1];
            // The product of the ways of two exchanges is below 2^20.
            if u64::from(fate) * product(self.ways) < product(ways) << 24 {
                self.ways = ways;
            } else {
                self.exchange(first, second);
            }
        }
    }

    /// Swaps two cards.
    #[inline]
    fn exchange(&mut self, first: usize, second: usize) {
        let (one, other) = (1 << self.cards[first], 1 << self.cards[second]);
        self.hands[usize::from(self.owners[first] & 7)] ^= one | other;
        self.hands[usize::from(self.owners[second] & 7)] ^= one | other;
        self.cards.swap(first, second);
    }
}
