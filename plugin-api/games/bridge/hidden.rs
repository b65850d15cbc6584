//! Samples of the cards that a seat cannot see.

use super::cards::{Card, CardSet, Suit};
use super::records::View;
use crate::chance;
use rand::Rng;

/// The cards that a view does not show, and the seats that can hold them.
#[derive(Clone, Debug)]
pub struct HiddenCards {
    /// Known part of each hand, including cards that only one seat can hold.
    known: [CardSet; 4],
    /// At most three seats with unknown cards, and the number of unknown cards of each.
    unknown_counts: Vec<(usize, usize)>,
    /// Cards that more than one seat can hold.
    pool: Vec<Card>,
    /// Numbers of ways to distribute these cards; `None` if each seat with unknown cards can hold
    /// all of them.
    ways: Option<DistributionCounts>,
}

impl HiddenCards {
    /// Collects the cards that a view does not show. `denied` has the cards that each seat is known
    /// not to hold. A seat also holds no card of a suit that it failed to follow. Returns `None` if
    /// no deal satisfies these conditions.
    pub fn of(view: &View, denied: &[CardSet; 4]) -> Option<HiddenCards> {
        let mut known = [CardSet::default(); 4];
        let own = usize::from(view.seat);
        known[own] = CardSet(view.hand);
        let dummy = (view.dummy_shown == 1).then(|| usize::from(view.dummy));
        if let Some(dummy) = dummy {
            known[dummy] = CardSet(view.dummy_hand);
        }
        let is_hidden = |&seat: &usize| seat != own && Some(seat) != dummy;
        let hidden: Vec<usize> = (0..4).filter(is_hidden).collect();
        let voids = voids(view);
        let (mut pool, mut takers) = (Vec::new(), Vec::new());
        for card in view.unseen() {
            let mut takes = [false; 3];
            for (takes, &seat) in takes.iter_mut().zip(&hidden) {
                *takes = !voids[seat][card.suit() as usize] && !denied[seat].contains(card);
            }
            match takes.iter().filter(|&&takes| takes).count() {
                0 => return None,
                1 => known[hidden[takes.iter().position(|&takes| takes)?]].insert(card),
                _ => {
                    pool.push(card);
                    takers.push(takes);
                }
            }
        }
        let mut unknown_counts = Vec::new();
        for seat in hidden {
            let room = 13u32.checked_sub(CardSet(view.played[seat]).len() + known[seat].len())?;
            unknown_counts.push((seat, room as usize));
        }
        let takes_all =
            |takes: &[bool; 3]| takes[..unknown_counts.len()].iter().all(|&takes| takes);
        let ways = if takers.iter().all(takes_all) {
            None
        } else {
            Some(DistributionCounts::of(takers, &unknown_counts)?)
        };
        Some(HiddenCards {
            known,
            unknown_counts,
            pool,
            ways,
        })
    }

    /// Returns the seats with unknown cards, and the number of unknown cards of each.
    pub fn unknown_counts(&self) -> &[(usize, usize)] {
        &self.unknown_counts
    }

    /// Draws one of the possible deals, all with equal probability. Returns the cards that each
    /// seat still holds.
    pub fn deal(&mut self, chance: &mut impl Rng) -> [CardSet; 4] {
        let mut hands = self.known;
        if let Some(ways) = &self.ways {
            for (&card, owner) in self.pool.iter().zip(ways.draw(chance)) {
                hands[self.unknown_counts[owner].0].insert(card);
            }
            return hands;
        }
        chance::shuffle(&mut self.pool, chance);
        let mut cards = self.pool.iter();
        for &(seat, room) in &self.unknown_counts {
            for &card in cards.by_ref().take(room) {
                hands[seat].insert(card);
            }
        }
        hands
    }
}

/// The number of ways to distribute cards among at most three owners. Each owner takes a fixed
/// number of cards and may be unable to take some of them.
#[derive(Clone, Debug)]
struct DistributionCounts {
    /// For each card, the owners that can take it.
    takers: Vec<[bool; 3]>,
    /// Number of cards that each owner receives.
    places: [usize; 3],
    /// Number of ways to distribute the last cards, by the index of the first of these cards and by
    /// the free places of the first two owners.
    counts: Vec<[[u64; 14]; 14]>,
}

impl DistributionCounts {
    /// Counts the ways to distribute the cards. Returns `None` if there are none.
    fn of(takers: Vec<[bool; 3]>, unknown_counts: &[(usize, usize)]) -> Option<DistributionCounts> {
        let mut places = [0; 3];
        for (place, (_, room)) in places.iter_mut().zip(unknown_counts) {
            *place = *room;
        }
        let cards = takers.len();
        let mut ways = DistributionCounts {
            takers,
            places,
            counts: vec![[[0; 14]; 14]; cards + 1],
        };
        ways.counts[cards][0][0] = 1;
        for card in (0..cards).rev() {
            for first in 0..=places[0] {
                for second in 0..=places[1] {
                    if let Some(third) = (cards - card).checked_sub(first + second) {
                        let ways_to = |owner| ways.after(card, [first, second, third], owner);
                        let sum = (0..3).map(ways_to).sum();
                        ways.counts[card][first][second] = sum;
                    }
                }
            }
        }
        (ways.counts[0][places[0]][places[1]] > 0).then_some(ways)
    }

    /// Returns the number of ways to distribute the later cards after a card goes to an owner.
    fn after(&self, card: usize, mut places: [usize; 3], owner: usize) -> u64 {
        if !self.takers[card][owner] || places[owner] == 0 {
            return 0;
        }
        places[owner] -= 1;
        self.counts[card + 1][places[0]][places[1]]
    }

    /// Draws a distribution of the cards uniformly. Returns the owner of each card.
    fn draw(&self, chance: &mut impl Rng) -> Vec<usize> {
        let mut places = self.places;
        let mut way = chance::below_wide(chance, self.counts[0][places[0]][places[1]]);
        let mut owners = Vec::with_capacity(self.takers.len());
        for card in 0..self.takers.len() {
            let mut owner = 0;
            while owner < 2 && self.after(card, places, owner) <= way {
                way -= self.after(card, places, owner);
                owner += 1;
            }
            places[owner] -= 1;
            owners.push(owner);
        }
        owners
    }
}

/// Returns, by seat and suit, whether a seat has failed to follow the suit.
fn voids(view: &View) -> [[bool; 4]; 4] {
    let mut voids = [[false; 4]; 4];
    let cards = &view.cards[..usize::from(view.played_count)];
    let suit = |&card: &u8| Card::from_index(card).map(Card::suit);
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
