//! Win rates of all hands against random opponents, for inference from honest play.
//!
//! Boards are sampled or enumerated, and all hands are ranked on each board. A hand that beats a
//! share p of the other hands wins against k random opponents with probability about p^k. The win
//! rate is the mean over the boards. This calculation ignores that opponents cannot hold the same
//! cards.

use crate::cfr::classes::two_card_class;
use hattari_plugin::Rng;
use hattari_plugin::holdem::card::{CardSet, DECK, cards, set_of};
use hattari_plugin::holdem::{SEATS_MAX, Tally, equity::SampleDeck};
use std::sync::OnceLock;

/// Number of two-card hands.
pub(crate) const HANDS: usize = 1326;
/// Maximum number of opponents.
const OPPONENTS: usize = SEATS_MAX - 1;
/// Number of boards for the win rates before the flop.
const PREFLOP_BOARDS: u32 = 4000;

/// Win rates of all hands with the same community cards.
pub(crate) struct Strengths {
    /// Community cards for which the win rates hold.
    pub community: CardSet,
    /// Win rates by hand, then by the number of opponents minus one; 0 for hands that contain a
    /// community card.
    rates: Vec<[f64; OPPONENTS]>,
}

impl Strengths {
    /// Computes the win rates with these community cards. Missing cards are drawn at random
    /// `boards` times. If only one card is missing and has at most `boards` possible values, all
    /// its values are used.
    ///
    /// # Panics
    /// Panics if there are more than five community cards.
    pub(crate) fn with_community(community: CardSet, boards: u32, rng: &mut Rng) -> Strengths {
        let mut sums = vec![([0.0; OPPONENTS], 0.0_f64); HANDS];
        let unseen = DECK & !community;
        let missing = 5 - community.count_ones() as usize;
        match missing {
            0 => add_board(community, &mut sums),
            1 if unseen.count_ones() <= boards => {
                cards(unseen).for_each(|card| add_board(community | 1 << card, &mut sums));
            }
            _ => {
                let mut pack = SampleDeck::new(unseen);
                for _ in 0..boards {
                    add_board(community | set_of(pack.draw(missing, rng)), &mut sums);
                }
            }
        }
        let mean = |(sum, count): ([f64; OPPONENTS], f64)| {
            sum.map(|sum| if count > 0.0 { sum / count } else { 0.0 })
        };
        Strengths {
            community,
            rates: sums.into_iter().map(mean).collect(),
        }
    }

    /// Returns the win rates before the flop. They are the same in all blocks, because the boards
    /// are drawn with a fixed seed. Hands that differ only in the names of suits have equal rates.
    pub(crate) fn preflop() -> &'static Strengths {
        static PREFLOP: OnceLock<Strengths> = OnceLock::new();
        PREFLOP.get_or_init(|| {
            let mut strengths =
                Strengths::with_community(0, PREFLOP_BOARDS, &mut Rng::new(0x0070_7265_666c_6f70));
            let mut classes = vec![([0.0; OPPONENTS], 0.0); 169];
            for (hand, rates) in hands().zip(&strengths.rates) {
                let (sums, count) = &mut classes[two_card_class(hand)];
                sums.iter_mut()
                    .zip(rates)
                    .for_each(|(sum, rate)| *sum += rate);
                *count += 1.0;
            }
            for (hand, rates) in hands().zip(&mut strengths.rates) {
                let (sums, count) = classes[two_card_class(hand)];
                *rates = sums.map(|sum| sum / count);
            }
            strengths
        })
    }

    /// Returns the win rate of a hand against 1 to 8 random opponents.
    #[inline]
    pub(crate) fn rate(&self, hand: usize, opponents: u32) -> f64 {
        self.rates[hand][(opponents as usize).clamp(1, OPPONENTS) - 1]
    }
}

/// Adds the probabilities of winning on a complete board to the sums of every hand.
fn add_board(board: CardSet, sums: &mut [([f64; OPPONENTS], f64)]) {
    let tally = Tally::of(board);
    let mut ranked: Vec<(u16, u16)> = Vec::with_capacity(HANDS);
    let mut hand = 0_u16;
    for high in 0..52 {
        let with_high = (board & 1 << high == 0).then(|| tally.with(high));
        for low in 0..high {
            if let Some(with_high) = with_high.filter(|_| board & 1 << low == 0) {
                ranked.push((with_high.with(low).strength().number(), hand));
            }
            hand += 1;
        }
    }
    ranked.sort_unstable();
    let total = ranked.len() as f64;
    let mut beaten = 0.0;
    for equal in ranked.chunk_by(|one, other| one.0 == other.0) {
        let part = (beaten + equal.len() as f64 / 2.0) / total;
        beaten += equal.len() as f64;
        for &(_, hand) in equal {
            let (sum, count) = &mut sums[usize::from(hand)];
            let mut chance = 1.0;
            for sum in sum {
                chance *= part;
                *sum += chance;
            }
            *count += 1.0;
        }
    }
}

/// Returns all two-card hands, sorted by the higher card, then by the lower one.
pub(crate) fn hands() -> impl Iterator<Item = CardSet> {
    (0..52_u8).flat_map(|high| (0..high).map(move |low| 1 << high | 1 << low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::holdem::card::parse_set;
    use hattari_plugin::holdem::win_rate;

    /// Returns the index of a hand in the list of [`hands`].
    fn number(hand: CardSet) -> usize {
        let (low, high) = (hand.trailing_zeros() as usize, hand.ilog2() as usize);
        high * (high - 1) / 2 + low
    }

    fn check(hand: &str, strengths: &Strengths, opponents: u32) {
        let hand = parse_set(hand).unwrap();
        let truth = win_rate(
            hand,
            strengths.community,
            opponents,
            200_000,
            0,
            &mut Rng::new(1),
        )
        .share;
        let rate = strengths.rate(number(hand), opponents);
        // Sampling errors of both, and the error of ignoring common cards.
        assert!(
            (rate - truth).abs() < 0.05,
            "{} with {opponents}: {rate}, truly {truth}",
            hand
        );
    }

    #[test]
    fn hands_are_numbered_without_gaps() {
        assert!(hands().map(number).eq(0..HANDS));
    }

    #[test]
    fn estimated_win_rates_are_accurate_on_every_street() {
        for opponents in [1, 2, 5] {
            for hand in ["AsAh", "7c2d", "JsTs", "8h8d"] {
                check(hand, Strengths::preflop(), opponents);
            }
            for community in ["Jh7d2s", "Jh7d2s4s", "Jh7d2s4sKs"] {
                let strengths = Strengths::with_community(
                    parse_set(community).unwrap(),
                    1000,
                    &mut Rng::new(2),
                );
                for hand in ["AsAc", "Jc2c", "6s5s", "9h8h", "QdTd"] {
                    check(hand, &strengths, opponents);
                }
            }
        }
    }
}
