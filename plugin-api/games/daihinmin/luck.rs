//! What the cards that were dealt were worth, before the exchange.
//!
//! The estimate of a seat's points adds up over the hands of all seats and over the ranks in each:
//! so many points for none, one, two, three or four cards of each, by the title that the seat came
//! in with and that of the seat that holds the hand. So the mean over all hands of as many cards is
//! known. The figures are those of a fit to games ([`VALUES`]); how good they are decides how much
//! luck is seen, and nothing else.

use super::card::{CardSet, JOKER_SET};
use super::deal::Deal;
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
/// Kinds of hand, each to be valued for one of the seats.
pub const HANDS: usize = 2 + PLAYERS * PLAYERS;

/// The fit, in thousandths of a point: the training tool
/// `fit-hands` (`arena/study/examples/train`) on `leagues/hands.yaml`.
pub const VALUES: [Worth<i32>; HANDS] = include!("luck_values.txt");

/// A hand by the title of the seat that holds it, as it matters to the seat with the title `to`;
/// without titles ([`NONE`]) all that counts is whether it is that seat's `own`.
#[must_use]
pub fn kind(of: u8, to: u8, own: bool) -> usize {
    if of == NONE || to == NONE {
        usize::from(!own)
    } else {
        2 + PLAYERS * usize::from(of) + usize::from(to)
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

/// One number for each title that a seat may have come in with; without titles for whose hand it is
/// and for the others.
type Lanes = [i32; PLAYERS];

/// [`VALUES`] in [`LUCK_PARTS`], less their means over all hands of 10 and of 11 cards: by the
/// title of who holds the hand, the last one for none.
#[derive(Clone, Debug)]
pub(super) struct Values([Box<[Worth<Lanes>; PLAYERS + 1]>; 2]);

impl Values {
    pub(super) fn new() -> Values {
        Values([10, 11].map(|size| {
            let mut lanes = Box::new([[[[0; PLAYERS]; COUNTS]; RANKS]; PLAYERS + 1]);
            for (kind, worth) in VALUES.iter().enumerate() {
                let (of, to) = kind
                    .checked_sub(2)
                    .map_or((PLAYERS, kind), |kind| (kind / PLAYERS, kind % PLAYERS));
                for (rank, of_rank) in worth.iter().enumerate() {
                    let of_rank = of_rank.map(|value| i64::from(value) * LUCK_PARTS / 1000);
                    let mean = mean(rank, &of_rank, size);
                    for (count, value) in of_rank.into_iter().enumerate() {
                        lanes[of][rank][count][to] =
                            i32::try_from(value - mean).expect("a rank is worth a few points");
                    }
                }
            }
            lanes
        }))
    }

    /// What a hand is worth beyond the mean of those of its size.
    fn of(&self, hand: CardSet, title: u8) -> Lanes {
        let mut sum = [0; PLAYERS];
        let size = hand.count_ones().checked_sub(10);
        if let Some(values) = size.and_then(|index| self.0.get(index as usize)) {
            let values = &values[usize::from(title).min(PLAYERS)];
            for (count, of_rank) in counts(hand).into_iter().zip(values) {
                (0..PLAYERS).for_each(|to| sum[to] += of_rank[count][to]);
            }
        }
        sum
    }

    /// What the cards dealt were worth to each player: as [`crate::Game::luck`].
    pub(super) fn luck(&self, deal: &Deal) -> [i64; PLAYERS] {
        let titles = [0, 1, 2, 3, 4].map(|seat| deal.seats.title(seat));
        let hands: [Lanes; PLAYERS] =
            std::array::from_fn(|seat| self.of(deal.dealt[seat], titles[seat]));
        let worth: [i64; PLAYERS] = std::array::from_fn(|seat| {
            let title = titles[seat];
            let lane = |other: usize| {
                if title == NONE {
                    usize::from(other != seat)
                } else {
                    usize::from(title)
                }
            };
            (0..PLAYERS)
                .map(|other| i64::from(hands[other][lane(other)]))
                .sum()
        });
        let sum: i64 = worth.iter().sum();
        let mut luck = [0; PLAYERS];
        for (seat, worth) in (0..).zip(worth) {
            luck[usize::from(deal.seats.player(seat))] = (5 * worth - sum) / 5;
        }
        luck
    }
}

/// The mean of a rank's values over all hands of `size` cards, rounded.
fn mean(rank: usize, of_rank: &[i64; COUNTS], size: u64) -> i64 {
    let ways = |count: u64| {
        if rank == 13 {
            ways(1, 52, count, size)
        } else {
            ways(4, 49, count, size)
        }
    };
    let all: i128 = (0..5).map(ways).sum();
    let sum: i128 = (0..5)
        .zip(*of_rank)
        .map(|(count, value)| ways(count) * i128::from(value))
        .sum();
    i64::try_from((2 * sum + all).div_euclid(2 * all)).unwrap_or(0)
}

/// In how many ways a hand of `size` cards can have `count` of `of` cards and the rest of `others`.
fn ways(of: u64, others: u64, count: u64, size: u64) -> i128 {
    let choose = |from: u64, count: u64| {
        if from < count {
            0
        } else {
            (0..count).fold(1_i128, |ways, step| {
                ways * i128::from(from - step) / i128::from(step + 1)
            })
        }
    };
    choose(of, count)
        * size
            .checked_sub(count)
            .map_or(0, |rest| choose(others, rest))
}
