//! The luck of the cards dealt, before the exchange.
//!
//! The estimate of a seat's points is a sum over all hands and all ranks. Each term depends on the
//! number of cards of that rank, the title of the seat and the title of the hand's holder. So the
//! mean over all hands of the same size is known. The terms were fitted to games ([`VALUES`]);
//! their accuracy influences only the amount of luck that is detected.

use super::card::{CardSet, JOKER_SET};
use super::deal::Deal;
use super::records::{NONE, PLAYERS};
use crate::LUCK_PARTS;
use crate::cards::choose;

/// Names of the kinds of chance event for which daihinmin reports luck.
pub(super) const CHANCES: &[&str] = &["the hands dealt"];

/// Number of ranks, plus 1 for the joker.
pub const RANKS: usize = 14;
/// Number of possible values of the number of cards of one rank in a hand, 0 to 4.
pub const COUNTS: usize = 5;
/// The terms of one kind of hand, indexed by rank and by the number of cards of that rank.
pub type RankValues<T> = [[T; COUNTS]; RANKS];
/// Number of kinds of hand: two without titles, and one for each pair of the holder's title and the
/// title of the seat whose points are estimated.
pub const HANDS: usize = 2 + PLAYERS * PLAYERS;

/// Fitted terms in thousandths of a point, from the training tool `fit-hands`
/// (`arena/study/examples/train`) with `leagues/hands.yaml`.
pub const VALUES: [RankValues<i32>; HANDS] = include!("luck_values.txt");

/// Returns the kind of a hand of the seat with title `of`, for the estimate of the points of the
/// seat with title `to`. Without titles ([`NONE`]), the kind depends only on `own`, which is `true`
/// if the hand is that seat's own.
pub fn hand_kind(of: u8, to: u8, own: bool) -> usize {
    if of == NONE || to == NONE {
        usize::from(!own)
    } else {
        2 + PLAYERS * usize::from(of) + usize::from(to)
    }
}

/// Returns the number of cards of each rank, starting with the threes; the joker is last.
pub fn counts(hand: CardSet) -> [usize; RANKS] {
    std::array::from_fn(|rank| match rank {
        13 => usize::from(hand & JOKER_SET != 0),
        _ => (hand >> (4 * (rank + 1)) & 0xf).count_ones() as usize,
    })
}

/// One number for each title of the seat whose points are estimated. Without titles, element 0 is
/// for the holder of the hand, and element 1 for every other seat.
type TitleValues = [i32; PLAYERS];

/// [`VALUES`] in units of 1 / [`LUCK_PARTS`] of a point, minus their means over all hands of 10 and
/// of 11 cards. The inner index is the title of the holder; the last one is for deals without
/// titles.
#[derive(Clone, Debug)]
pub(super) struct HandValues([Box<[RankValues<TitleValues>; PLAYERS + 1]>; 2]);

impl HandValues {
    pub(super) fn new() -> HandValues {
        HandValues([10, 11].map(|size| {
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
                            i32::try_from(value - mean).expect("the value fits in 32 bits");
                    }
                }
            }
            lanes
        }))
    }

    /// Returns the values of a hand, minus their means over all hands of its size.
    fn of(&self, hand: CardSet, title: u8) -> TitleValues {
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

    /// Returns the luck of each player from the cards dealt, see [`crate::Game::luck`].
    pub(super) fn luck(&self, deal: &Deal) -> [i64; PLAYERS] {
        let titles = [0, 1, 2, 3, 4].map(|seat| deal.seats.title(seat));
        let hands: [TitleValues; PLAYERS] =
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

/// Returns the mean of a rank's terms over all hands of `size` cards, rounded.
fn mean(rank: usize, of_rank: &[i64; COUNTS], size: u64) -> i64 {
    // Hands with `count` of the cards of this rank, and otherwise cards of other ranks.
    let of = if rank == 13 { 1 } else { 4 };
    let ways = |count| i128::from(choose(of, count) * choose(53 - of, size - count));
    let all: i128 = (0..5).map(ways).sum();
    let sum: i128 = (0..5)
        .zip(*of_rank)
        .map(|(count, value)| ways(count) * i128::from(value))
        .sum();
    i64::try_from((2 * sum + all).div_euclid(2 * all)).unwrap_or(0)
}
