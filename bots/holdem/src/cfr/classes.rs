//! Classes of hands. Before the flop there are the 169 different hands. Later the class depends on
//! the share of the pot that a hand wins against a random hand. On flop and turn it also depends on
//! the share with the current cards, which distinguishes draws from made hands.

use super::betting::STREETS;
use hattari_plugin::Rng;
use hattari_plugin::holdem::card::{self, CardSet, DECK};
use hattari_plugin::holdem::equity::{self, PARTS, SampleDeck};
use hattari_plugin::holdem::{Group, Strength, Tally};

/// Number of classes on each street.
pub const CLASSES: [usize; STREETS] = [169, WIN * NOW, WIN * NOW, WIN * NOW];
/// Number of classes by the share of the pot that a hand wins at the showdown.
pub const WIN: usize = 12;
/// Number of subclasses of each of the [`WIN`] classes, by the share won with the current cards.
pub const NOW: usize = 4;
/// Number of deals sampled to classify a hand.
pub(crate) const DRAWN: u32 = 240;

/// Upper bounds of the shares in each class, in thousandths of the pot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bounds for flop and turn: upper bounds of the share at the showdown, and for each class the
    /// upper bounds of the share with the current cards. The last class has no bound.
    pub streets: [([u16; WIN - 1], [[u16; NOW - 1]; WIN]); 2],
    /// Bounds for the river: upper bounds of the share at the showdown.
    pub river: [u16; WIN * NOW - 1],
}

/// Returns the class of two cards, 0 to 168.
pub fn two_card_class(hand: CardSet) -> usize {
    // The cards are in ascending order.
    let mut cards = card::cards(hand);
    let (one, other) = (cards.next().unwrap_or(0), cards.next().unwrap_or(0));
    let [low, high] = [one, other].map(|card| usize::from(card::rank(card)));
    if card::suit(one) == card::suit(other) {
        13 * high + low
    } else {
        13 * low + high
    }
}

/// Returns the shares of the pot that a hand wins against a random hand, in thousandths: at the
/// showdown, and with the current cards. They are exact on the river and sampled before it.
pub fn shares(hand: CardSet, community: CardSet, rng: &mut Rng) -> (u16, u16) {
    let missing = 5 - community.count_ones() as usize;
    #[expect(clippy::cast_possible_truncation, reason = "a thousand at most")]
    if missing == 0 {
        let outcomes = equity::exact(hand, community, 1);
        let share = (1000 * outcomes.parts() / (PARTS * outcomes.deals.max(1))) as u16;
        return (share, share);
    }
    let mut pack = SampleDeck::new(DECK & !(hand | community));
    let (table, own) = (Tally::of(community), Group::of(hand));
    let mine = table.plus(own);
    let mine_now = mine.strength();
    let halves = |mine: Strength, theirs| u32::from(mine >= theirs) + u32::from(mine > theirs);
    let (mut end, mut now) = (0_u32, 0_u32);
    for _ in 0..DRAWN {
        let drawn = pack.draw(2 + missing, rng);
        let (two, board) = drawn.split_at(2);
        let theirs = table.with(two[0]).with(two[1]);
        now += halves(mine_now, theirs.strength());
        let with = |tally: Tally| tally.with_all(board).strength();
        end += halves(with(mine), with(theirs));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a thousand at most")]
    let thousandths = |halves: u32| (500 * halves / DRAWN) as u16;
    (thousandths(end), thousandths(now))
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            streets: Default::default(),
            river: [0; WIN * NOW - 1],
        }
    }
}

impl Bounds {
    /// Returns the class of a hand with these community cards.
    pub fn class(&self, hand: CardSet, community: CardSet, rng: &mut Rng) -> usize {
        let cards = community.count_ones() as usize;
        if cards < 3 {
            return two_card_class(hand);
        }
        let (end, now) = shares(hand, community, rng);
        let place = |bounds: &[u16], share: u16| bounds.partition_point(|&bound| bound <= share);
        if cards == 5 {
            return place(&self.river, end);
        }
        let (ends, nows) = &self.streets[cards - 3];
        let class = place(ends, end);
        NOW * class + place(&nows[class], now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn two_cards_have_169_classes() {
        let hands = (0..52_u8).flat_map(|one| (0..one).map(move |other| 1 << one | 1 << other));
        let classes: HashSet<usize> = hands.map(two_card_class).collect();
        assert_eq!((classes.len(), classes.iter().max()), (169, Some(&168)));
    }
}
