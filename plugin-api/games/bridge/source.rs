//! Random deals in which all hands satisfy their constraints.

use super::cards::{Card, CardSet, Seat};
use super::constraints::HandConstraints;
use super::deal::Deal;
use super::hands::FittingHands;
use crate::cards::NUMBERS;
use crate::chance;
use rand::rand_core::utils::fill_bytes_via_next_word;
use rand::{Rng, TryRng};
use std::convert::Infallible;

/// Number of trial deals after which options are rejected if no deal satisfied them.
const TRIAL_DEALS: u32 = 200_000;

/// A source of random deals in which all hands satisfy their constraints.
#[derive(Clone, Debug)]
pub(super) struct DealSampler {
    /// Seats in the order in which they get cards, with the constraints that are checked.
    seats: [(usize, Option<HandConstraints>); 4],
    /// Hands of the first seat; `None` if any deal is allowed.
    first: Option<FittingHands>,
}

impl DealSampler {
    /// Prepares draws with these constraints. The hand with the fewest possibilities is first.
    pub(super) fn of(holdings: &[HandConstraints; 4]) -> DealSampler {
        let any = HandConstraints::default();
        let mut seats = [0, 1, 2, 3].map(|seat| {
            let constraints = Some(holdings[seat]).filter(|holding| *holding != any);
            let hands = constraints.as_ref().map(FittingHands::of);
            (seat, constraints, hands)
        });
        seats.sort_by_key(|(_, _, hands)| hands.as_ref().map_or(u64::MAX, |hands| hands.count));
        seats[0].1 = None;
        DealSampler {
            first: seats[0].2.take(),
            seats: seats.map(|(seat, constraints, _)| (seat, constraints)),
        }
    }

    /// Draws a deal that satisfies the constraints, all with equal probability.
    ///
    /// The first hand of a trial is drawn from those that satisfy its constraints. The other cards
    /// are dealt at random, so all deals with an allowed first hand are equally likely. If another
    /// hand is not allowed, the next trial draws a new first hand. Therefore the deals that pass
    /// remain equally likely. If trials kept the first hand, hands that few deals fit would be
    /// drawn too often.
    pub(super) fn draw(&self, chance: &mut impl Rng) -> Deal {
        'trials: loop {
            let (mut pack, mut rest, mut deal) = (NUMBERS, CardSet::PACK, Deal::default());
            for ((seat, constraints), size) in self.seats.iter().zip([52, 39, 26, 13]) {
                let hand = match (size, &self.first) {
                    (52, Some(hands)) => {
                        let hand = hands.draw(chance);
                        for (n, card) in hand.into_iter().enumerate() {
                            pack[usize::from(card.index())] = pack[n];
                        }
                        hand
                    }
                    (13, _) => rest,
                    _ => draw_hand(&mut pack, size, chance),
                };
                if constraints.is_some_and(|constraints| !constraints.fits(hand)) {
                    continue 'trials;
                }
                rest.0 &= !hand.0;
                deal.hands[*seat] = hand;
            }
            return deal;
        }
    }
}

/// Draws 13 of the cards in the last `size` of 52 places, and moves the others to the end.
#[inline]
fn draw_hand(pack: &mut [u8; 64], size: u32, chance: &mut impl Rng) -> CardSet {
    let numbers = chance::below_each(chance, [0, 1, 2, 3, 4, 5, 6].map(|n| size - n));
    let more = chance::below_each(chance, [7, 8, 9, 10, 11, 12].map(|n| size - n));
    let (first, mut hand) = (52 - size as usize, CardSet::default());
    let mut draw = |(place, number): (usize, u32)| {
        let drawn = (place + number as usize) & 63;
        hand.0 |= 1 << pack[drawn];
        pack[drawn] = pack[place & 63];
    };
    (first..).zip(numbers).for_each(&mut draw);
    (first + 7..).zip(more).for_each(draw);
    hand
}

/// Checks that random deals satisfy the constraints often enough.
///
/// # Errors
/// Returns an error if none of [`TRIAL_DEALS`] deals satisfies them.
pub(super) fn check(holdings: &[HandConstraints; 4]) -> Result<(), String> {
    let mut trial = TrialRng(1);
    if (0..TRIAL_DEALS).any(|_| fits(&random(&mut trial), holdings)) {
        return Ok(());
    }
    Err(format!(
        "none of {TRIAL_DEALS} random deals satisfies the constraints; relax `declarer`, `dummy`, \
         `leader` or `partner`"
    ))
}

fn random(chance: &mut impl Rng) -> Deal {
    let mut pack = NUMBERS;
    chance::shuffle(&mut pack[..52], chance);
    let hand = |seat: usize| {
        pack[13 * seat..13 * seat + 13]
            .iter()
            .filter_map(|&n| Card::from_index(n))
            .collect()
    };
    Deal {
        hands: [hand(0), hand(1), hand(2), hand(3)],
    }
}

/// Returns `true` if every hand satisfies its constraints.
pub(super) fn fits(deal: &Deal, holdings: &[HandConstraints; 4]) -> bool {
    let any = HandConstraints::default();
    let fits = |seat: Seat| {
        let holding = &holdings[seat as usize];
        *holding == any || holding.fits(deal.hands[seat as usize])
    };
    Seat::ALL.into_iter().all(fits)
}

/// The generator of the trial deals of [`check`]; play does not use it. (Steele, Lea and Flood,
/// "Fast Splittable Pseudorandom Number Generators".)
struct TrialRng(u64);

impl TryRng for TrialRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|word| (word >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        Ok(mixed ^ mixed >> 31)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        fill_bytes_via_next_word(bytes, || self.try_next_u64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Options;
    use rand_chacha::ChaCha12Rng;
    use rand_chacha::rand_core::SeedableRng;
    use std::collections::BTreeMap;

    /// The constraints of the presets, with another declarer, and with constraints on three hands.
    fn examples() -> [[HandConstraints; 4]; 5] {
        let [three, one, any] =
            ["3nt", "1nt", "random"].map(|name| Options::preset(name).expect("a preset"));
        let north = Options {
            auction: "Pass Pass 1NT Pass Pass Pass".into(),
            ..one.clone()
        };
        let long = HandConstraints {
            spades: [4, 13],
            clubs: [0, 3],
            hcp: [6, 37],
            ..HandConstraints::default()
        };
        let odd = Options {
            dummy: HandConstraints {
                hcp: [8, 14],
                ..HandConstraints::default()
            },
            leader: long,
            partner: HandConstraints {
                hcp: [0, 12],
                ..long
            },
            ..any.clone()
        };
        [three, one, any, north, odd].map(|options| options.setup().expect("a setting").holdings)
    }

    /// Draws deals until one satisfies the constraints.
    fn draw_by_rejection(holdings: &[HandConstraints; 4], chance: &mut impl Rng) -> Deal {
        let mut deals = std::iter::repeat_with(|| random(chance));
        deals
            .find(|deal| fits(deal, holdings))
            .expect("the deals do not end")
    }

    /// Points, length of the longest suit, and shape.
    type Class = (u8, u32, [u32; 4]);

    fn class(hand: CardSet) -> Class {
        let mut shape = hand.lengths();
        shape.sort_unstable_by(|a, b| b.cmp(a));
        (hand.high_card_points(), shape[0], shape)
    }

    /// Returns Pearson's statistic for the hypothesis that two samples of the same size have the
    /// same distribution of classes, and the degrees of freedom. Classes with fewer than 10 deals
    /// in both samples together count as one.
    fn chi_square<K: Ord>(samples: &[Vec<Deal>; 2], class: impl Fn(&Deal) -> K) -> (f64, usize) {
        let mut counts: BTreeMap<K, [u32; 2]> = BTreeMap::new();
        for (n, sample) in samples.iter().enumerate() {
            for deal in sample {
                counts.entry(class(deal)).or_default()[n] += 1;
            }
        }
        let (rare, mut kept): (Vec<_>, Vec<_>) = counts
            .into_values()
            .partition(|[first, second]| first + second < 10);
        kept.extend(
            rare.into_iter()
                .reduce(|sum, counts| [sum[0] + counts[0], sum[1] + counts[1]]),
        );
        let term = |[first, second]: &[u32; 2]| {
            f64::from(first.abs_diff(*second)).powi(2) / f64::from(first + second)
        };
        (kept.iter().map(term).sum(), kept.len() - 1)
    }

    /// Pearson's statistic, the degrees of freedom, and the critical value: a random statistic
    /// exceeds it with a probability of 0.1 %.
    type Comparison = (f64, usize, f64);

    /// The number of deals for each of [`examples`], and the comparisons: by class of the hands of
    /// North, East, South and West, and by the points of all four hands.
    const COMPARISONS: [(usize, [Comparison; 5]); 5] = [
        // `3nt`.
        (
            8_000,
            [
                (66.0, 76, 119.9),
                (169.3, 173, 236.2),
                (7.1, 8, 26.1),
                (160.3, 173, 236.2),
                (217.5, 191, 257.1),
            ],
        ),
        // `1nt`.
        (
            25_000,
            [
                (145.8, 145, 203.4),
                (276.3, 283, 362.3),
                (11.2, 8, 26.1),
                (259.6, 287, 366.8),
                (381.9, 386, 477.6),
            ],
        ),
        // `random`.
        (
            8_000,
            [
                (228.6, 230, 302.0),
                (227.2, 230, 302.0),
                (231.7, 235, 307.7),
                (234.2, 233, 305.4),
                (378.0, 387, 478.7),
            ],
        ),
        // `1nt` with North as declarer.
        (
            8_000,
            [
                (2.7, 8, 26.1),
                (211.6, 194, 260.6),
                (97.9, 113, 165.2),
                (203.6, 203, 271.0),
                (329.9, 294, 374.7),
            ],
        ),
        // Constraints on dummy and both defenders.
        (
            8_000,
            [
                (141.8, 134, 190.3),
                (152.7, 147, 205.7),
                (267.0, 243, 316.9),
                (165.7, 168, 230.4),
                (629.9, 588, 699.7),
            ],
        ),
    ];

    #[test]
    fn deals_have_the_same_distribution_as_by_rejection() {
        for (holdings, (deals, expected)) in examples().iter().zip(COMPARISONS) {
            let sampler = DealSampler::of(holdings);
            let [mut direct, mut plain] = [1, 2].map(ChaCha12Rng::seed_from_u64);
            let samples = [
                (0..deals).map(|_| sampler.draw(&mut direct)).collect(),
                (0..deals)
                    .map(|_| draw_by_rejection(holdings, &mut plain))
                    .collect(),
            ];
            let by_seat = |seat: usize| chi_square(&samples, |deal| class(deal.hands[seat]));
            let points = |deal: &Deal| deal.hands.map(CardSet::high_card_points);
            let found = (0..4).map(by_seat).chain([chi_square(&samples, points)]);
            for ((statistic, freedom), (recorded, expected_freedom, critical)) in
                found.zip(expected)
            {
                let text =
                    format!("{statistic} with {freedom} degrees of freedom for {holdings:?}");
                assert_eq!(freedom, expected_freedom, "{text}");
                assert!((statistic - recorded).abs() < 0.06, "{text}");
                assert!(statistic < critical, "{text}");
            }
        }
    }

    /// The statistic of a seat sums over 52 cards. Each deal gives 13 of them to the seat, so the
    /// sum is multiplied by 51/52. Of such statistics, 0.1 % exceed 87.97 (51 degrees of freedom).
    /// Here they are 57.9, 45.0, 53.1 and 49.1.
    #[test]
    fn each_seat_is_equally_likely_to_get_a_card() {
        let sampler = DealSampler::of(&[HandConstraints::default(); 4]);
        let mut chance = ChaCha12Rng::seed_from_u64(3);
        let mut counts = [[0_u32; 52]; 4];
        for _ in 0..20_000 {
            let deal = sampler.draw(&mut chance);
            for (hand, counts) in deal.hands.into_iter().zip(&mut counts) {
                hand.into_iter()
                    .for_each(|card| counts[usize::from(card.index())] += 1);
            }
        }
        for counts in counts {
            let squares = counts.map(|count| (f64::from(count) - 5_000.).powi(2));
            let statistic = squares.iter().sum::<f64>() / (20_000. * 0.25 * 0.75) * 51. / 52.;
            assert!(statistic < 87.97, "{statistic}");
        }
    }

    #[test]
    fn deals_satisfy_their_constraints_and_depend_only_on_the_generator() {
        for holdings in examples() {
            let draw = |seed| {
                let (sampler, mut chance) =
                    (DealSampler::of(&holdings), ChaCha12Rng::seed_from_u64(seed));
                let deals: Vec<Deal> = (0..1_000).map(|_| sampler.draw(&mut chance)).collect();
                (deals, chance.next_u64())
            };
            let first = draw(5);
            for deal in &first.0 {
                let union = deal.hands.iter().fold(0, |cards, hand| cards | hand.0);
                assert_eq!(CardSet(union), CardSet::PACK, "{deal}");
                assert!(deal.hands.iter().all(|hand| hand.len() == 13), "{deal}");
                assert!(fits(deal, &holdings), "{deal}");
            }
            assert_eq!(first, draw(5));
            assert_ne!(first, draw(6));
        }
    }

    /// The hand with the fewest possibilities is drawn first: declarer's in `3nt`, an opponent's in
    /// the last example.
    #[test]
    fn the_most_constrained_hand_is_drawn_first() {
        let first = examples().map(|holdings| {
            let sampler = DealSampler::of(&holdings);
            sampler.first.is_some().then_some(sampler.seats[0].0)
        });
        assert_eq!(first, [Some(2), Some(2), None, Some(0), Some(1)]);
    }
}
