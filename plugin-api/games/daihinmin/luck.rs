//! What the cards that were dealt were worth, before the exchange.
//!
//! The estimate of a seat's points adds up over the ranks of its hand, and over those of the hand that it exchanges cards with: so many points for
//! none, one, two, three or four cards of each, by the title it came in with. So the mean over all hands of as many cards is known. The figures
//! are those of a fit to games ([`VALUES`]); how good they are decides how much luck is seen, and nothing else.

use super::card::{CardSet, JOKER_SET};
use super::deal::Deal;
use super::position::at;
use super::records::{NONE, PLAYERS};
use crate::LUCK_PARTS;

/// The kinds of chance that daihinmin tells the worth of.
pub(super) const CHANCES: &[&str] = &["the hands dealt"];

/// Ranks, and the joker as one more.
pub const RANKS: usize = 14;
/// Cards of a rank, from none on.
pub const COUNTS: usize = 5;
/// What a hand's ranks are worth.
pub type Worth<T> = [[T; COUNTS]; RANKS];
/// Kinds of hand to be valued: one of a seat by its title or of one without, and, for those with a title, that of the seat it exchanges
/// cards with.
pub const HANDS: usize = 10;

/// The fit, in thousandths of a point: `hattari analyse fit-hands leagues/hands.yaml`.
pub const VALUES: [Worth<i32>; HANDS] = include!("luck_values.txt");

/// The seat's own hand, by title; [`NONE`] without.
#[must_use]
pub fn own(title: u8) -> usize {
    if title == NONE { 0 } else { 1 + usize::from(title) }
}

/// The hand of the title that it exchanges cards with, and that title; nothing for the middle one and without titles.
#[must_use]
pub fn other(title: u8) -> Option<(usize, u8)> {
    match title {
        0 => Some((6, 4)),
        1 => Some((7, 3)),
        3 => Some((8, 1)),
        4 => Some((9, 0)),
        _ => None,
    }
}

/// How many cards of each rank a hand has, from the threes on; the joker last.
#[must_use]
pub fn counts(hand: CardSet) -> [usize; RANKS] {
    std::array::from_fn(|rank| match rank {
        13 => usize::from(hand & JOKER_SET != 0),
        _ => (hand >> (4 * (rank + 1)) & 0xf).count_ones() as usize,
    })
}

/// [`VALUES`] in [`LUCK_PARTS`], less their means over all hands of 10 and of 11 cards.
#[derive(Clone, Debug)]
pub(super) struct Values([Box<[Worth<i64>; HANDS]>; 2]);

impl Values {
    pub(super) fn new() -> Values {
        Values([10, 11].map(|size| {
            let mut values = Box::new(
                VALUES.map(|worth| worth.map(|of_rank| of_rank.map(|value| i64::from(value) * LUCK_PARTS / 1000))),
            );
            for worth in values.iter_mut() {
                for (rank, of_rank) in worth.iter_mut().enumerate() {
                    let ways =
                        |count: u64| if rank == 13 { ways(1, 52, count, size) } else { ways(4, 49, count, size) };
                    let all: i128 = (0..5).map(ways).sum();
                    let sum: i128 = (0..5).zip(*of_rank).map(|(count, value)| ways(count) * i128::from(value)).sum();
                    let mean = i64::try_from((2 * sum + all).div_euclid(2 * all)).unwrap_or(0);
                    of_rank.iter_mut().for_each(|value| *value -= mean);
                }
            }
            values
        }))
    }

    /// What a hand is worth beyond the mean of those of its size.
    fn of(&self, hand: CardSet, kind: usize) -> i64 {
        let size = hand.count_ones();
        let Some(values) = size.checked_sub(10).and_then(|index| self.0.get(index as usize)) else { return 0 };
        counts(hand).into_iter().zip(&values[kind]).map(|(count, of_rank)| of_rank[count]).sum()
    }

    /// What the cards dealt were worth to each player: as [`crate::Game::luck`].
    pub(super) fn luck(&self, deal: &Deal, luck: &mut [i64]) {
        let mut worth = [0; PLAYERS];
        for (seat, worth) in (0_u8..).zip(&mut worth) {
            let title = deal.seats.title(seat);
            *worth = self.of(deal.dealt[at(seat)], own(title));
            if let Some((kind, title)) = other(title) {
                *worth += self.of(deal.dealt[at(deal.seat_with[at(title)])], kind);
            }
        }
        let sum: i64 = worth.iter().sum();
        for (seat, worth) in (0..).zip(worth) {
            luck[usize::from(deal.seats.player(seat))] = (5 * worth - sum) / 5;
        }
    }
}

/// In how many ways a hand of `size` cards can have `count` of `of` cards and the rest of `others`.
fn ways(of: u64, others: u64, count: u64, size: u64) -> i128 {
    let choose = |from: u64, count: u64| {
        if from < count {
            0
        } else {
            (0..count).fold(1_i128, |ways, step| ways * i128::from(from - step) / i128::from(step + 1))
        }
    };
    choose(of, count) * size.checked_sub(count).map_or(0, |rest| choose(others, rest))
}
