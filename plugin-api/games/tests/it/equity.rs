//! Counts of showdowns, compared with known values, with each other and with simple enumeration.

use crate::play::seeded;
use hattari_games::poker::card::{CardSet, cards, parse_set};
use hattari_games::poker::equity::{
    Outcomes, PARTS, SampleDeck, exact, exact_between, sampled, sampled_between, showdowns,
};
use hattari_games::poker::{Strength, card};
use proptest::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng, TryRng};
use std::convert::Infallible;

fn set(text: &str) -> CardSet {
    parse_set(text).unwrap()
}

fn counts(outcomes: &Outcomes) -> (u64, u64, u64) {
    (outcomes.wins(), outcomes.ties(), outcomes.deals)
}

/// Returns the rank of seven cards by another library.
fn other_rank(hand: CardSet) -> rs_poker::core::Rank {
    let cards: Vec<_> = cards(hand)
        .map(|card| rs_poker::core::Card::from(card % 4 * 13 + card / 4))
        .collect();
    rs_poker::core::Rankable::rank(&cards)
}

/// All boards of two hands, ranked by another library.
#[test]
fn exact_counts_match_another_library_on_every_board() {
    for (one, two, community) in [
        ("AsAh", "KsKh", ""),
        ("AsKs", "QdQh", "2c"),
        ("AsKd", "AhKc", "5d6d"),
        ("7c2d", "7h2s", "7s2c2h"),
    ] {
        let (one, two, community) = (set(one), set(two), set(community));
        let missing = 5 - community.count_ones();
        let mut expected = (0, 0, 0);
        boards(
            card::DECK & !one & !two & !community,
            missing,
            &mut |board| {
                let board = board | community;
                let (own, other) = (other_rank(one | board), other_rank(two | board));
                expected.0 += u64::from(other < own);
                expected.1 += u64::from(other == own);
                expected.2 += 1;
            },
        );
        let outcomes = exact_between(&[one, two], community, 0);
        assert_eq!(counts(&outcomes[0]), expected);
        assert_eq!(
            outcomes[0].parts() + outcomes[1].parts(),
            expected.2 * PARTS
        );
    }
    let aces = exact_between(&[set("AsAh"), set("KsKh")], 0, 0);
    assert_eq!(counts(&aces[0]), (1_410_336, 9_308, 1_712_304));
}

fn boards(rest: CardSet, missing: u32, look: &mut dyn FnMut(CardSet)) {
    if missing == 0 {
        return look(0);
    }
    for card in cards(rest) {
        boards(rest & !((2 << card) - 1), missing - 1, &mut |board| {
            look(board | 1 << card)
        });
    }
}

/// On the river, a loop over hands counts everything.
#[test]
fn river_counts_match_a_loop_over_all_hands() {
    let (hand, community) = (set("AsKd"), set("Ah7d7cTs2c"));
    let own = Strength::of(hand | community);
    let unseen = card::DECK & !hand & !community;
    let mut expected = (0, 0, 0);
    for first in cards(unseen) {
        for second in cards(unseen).filter(|&second| first < second) {
            let other = Strength::of(1 << first | 1 << second | community);
            expected.0 += u64::from(other < own);
            expected.1 += u64::from(other == own);
            expected.2 += 1;
        }
    }
    assert_eq!(counts(&exact(hand, community, 1)), expected);
    assert_eq!(expected.2, 990);
}

/// Two opponents on the river: ordered pairs of hands without a common card.
#[test]
fn two_opponents_are_counted_as_ordered_pairs() {
    let (hand, community) = (set("9s8s"), set("9dTdJdQcKc"));
    // The board is a straight to the king: an ace beats it, all other hands tie.
    let unseen = card::DECK & !hand & !community;
    let hands: Vec<(CardSet, Strength)> = cards(unseen)
        .flat_map(|first| {
            cards(unseen)
                .filter(move |&second| first < second)
                .map(move |second| 1 << first | 1 << second)
        })
        .map(|other: CardSet| (other, Strength::of(other | community)))
        .collect();
    let own = Strength::of(hand | community);
    let mut expected = Outcomes::default();
    for (one, first) in &hands {
        for (_, second) in hands.iter().filter(|(two, _)| one & two == 0) {
            expected.deals += 1;
            if *first.max(second) <= own {
                expected.won[usize::from(*first == own) + usize::from(*second == own)] += 1;
            }
        }
    }
    assert_eq!(exact(hand, community, 2), expected);
    assert_eq!(Some(expected.deals), showdowns(community, 2));
    assert!(expected.won[2] > 0 && expected.won[0] == 0);
}

#[test]
fn the_number_of_showdowns_is_a_product_of_binomial_coefficients() {
    assert_eq!(showdowns(0, 1), Some(2_118_760 * 990));
    assert_eq!(showdowns(set("2c3c4c"), 1), Some(1_081 * 990));
    assert_eq!(showdowns(set("2c3c4c5c"), 1), Some(46 * 990));
    assert_eq!(showdowns(set("2c3c4c5c6c"), 2), Some(990 * 903));
    assert_eq!(showdowns(0, 8), None);
}

#[test]
fn pot_shares_are_whole_parts_of_a_pot() {
    let mut outcomes = Outcomes {
        won: [3, 2, 0, 1, 0, 0, 0, 0, 0],
        deals: 10,
    };
    assert_eq!(outcomes.parts(), 3 * 2520 + 2 * 1260 + 630);
    assert_eq!(
        outcomes.squares(),
        3 * 2520 * 2520 + 2 * 1260 * 1260 + 630 * 630
    );
    outcomes.add(&outcomes.clone());
    assert_eq!(counts(&outcomes), (6, 6, 20));
    // Every number of winners divides a pot.
    assert!((1..=9).all(|winners| PARTS.is_multiple_of(winners)));
}

/// Draws are uniform: every card is equally frequent at every position.
#[test]
fn sample_decks_are_drawn_uniformly() {
    let mut pack = SampleDeck::new(set("2c3c4c5c6c7c8c9cTc"));
    let mut chance = seeded(1);
    let mut seen = [[0_u32; 52]; 9];
    for _ in 0..90_000 {
        let drawn = pack.draw(9, &mut chance);
        assert_eq!(card::set_of(drawn).count_ones(), 9);
        for (place, &card) in drawn.iter().enumerate() {
            seen[place][usize::from(card)] += 1;
        }
    }
    // The expected number is 10,000, with a standard error of 94.
    for (place, count) in seen
        .iter()
        .flatten()
        .enumerate()
        .filter(|(_, count)| **count != 0)
    {
        assert!((9_500..10_500).contains(count), "{place}: {count}");
    }
}

/// A generator with many numbers that a draw rejects or has to check exactly.
struct Extremes(ChaCha8Rng);

impl TryRng for Extremes {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("draws take whole numbers")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let number = self.0.next_u64();
        Ok(if number.is_multiple_of(4) {
            number >> 60
        } else {
            number
        })
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
        unreachable!("draws take whole numbers")
    }
}

/// Draws by definition: digits of a fraction in a mixed base, eight cards at a time. A fraction is
/// rejected if its remainder is so small that it would bias the draw.
fn draw_by_definition(pack: &mut [u8], wanted: usize, chance: &mut impl Rng) {
    let mut from = 0;
    while from < wanted {
        let (mut fraction, mut choices) = (chance.next_u64(), 1_u128);
        let to = wanted.min(from + 8);
        for place in from..to {
            let left = (pack.len() - place) as u128;
            let wide = u128::from(fraction) * left;
            pack.swap(place, place + usize::try_from(wide >> 64).unwrap());
            (fraction, choices) = (
                fraction.wrapping_mul(u64::try_from(left).unwrap()),
                choices * left,
            );
        }
        if (1 << 64) % choices <= u128::from(fraction) {
            from = to;
        }
    }
}

#[test]
fn sample_decks_draw_the_same_cards_as_the_definition() {
    let (mut chance, mut same) = [(); 2].map(|()| Extremes(seeded(3))).into();
    for count in 1..=52 {
        let mut by_definition: Vec<u8> = (0..count).collect();
        let mut pack = SampleDeck::of(&by_definition);
        // Every draw starts with the order that the one before has left.
        for wanted in
            (0..=usize::from(count)).chain([45, 10].map(|wanted| wanted.min(usize::from(count))))
        {
            draw_by_definition(&mut by_definition, wanted, &mut chance);
            assert_eq!(pack.draw(wanted, &mut same), &by_definition[..wanted]);
        }
    }
}

/// The counts of a seed must never change, because the decisions of bots depend on them.
#[test]
fn samples_of_a_seed_never_change() {
    let mut chance = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(7);
    let one = sampled(set("AsKd"), 0, 1, 1000, &mut chance);
    let three = sampled(set("AsKd"), set("2c7dTs"), 3, 1000, &mut chance);
    assert_eq!(
        (counts(&one), counts(&three)),
        ((687, 12, 1000), (261, 11, 1000))
    );
}

fn check_sampled(hand: CardSet, community: CardSet, opponents: u32, truth: &Outcomes) {
    const SAMPLES: u64 = 40_000;
    let mut chance = seeded(hand ^ community);
    let share = |outcomes: &Outcomes| outcomes.parts() as f64 / (outcomes.deals * PARTS) as f64;
    let (estimate, truth) = (
        share(&sampled(hand, community, opponents, SAMPLES, &mut chance)),
        share(truth),
    );
    let error = (truth * (1.0 - truth) / SAMPLES as f64).sqrt();
    assert!(
        (estimate - truth).abs() < 5.0 * error + 1e-9,
        "{estimate} {truth} {error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Samples agree with the complete count.
    #[test]
    fn sampled_equity_agrees_with_exact_counts(seed: u64, dealt in 4_usize..=5) {
        let mut chance = seeded(seed);
        let drawn = SampleDeck::new(card::DECK).draw(2 + dealt, &mut chance).to_vec();
        let (hand, community) = (card::set_of(&drawn[..2]), card::set_of(&drawn[2..]));
        check_sampled(hand, community, 1, &exact(hand, community, 1));
        if dealt == 5 {
            check_sampled(hand, community, 2, &exact(hand, community, 2));
        }
    }

    /// The shares of all hands sum to the number of pots, sampled or not.
    #[test]
    fn shares_of_all_hands_sum_to_the_pots(seed: u64, hands in 2_usize..=9, dealt in 3_usize..=5) {
        let mut chance = seeded(seed);
        let drawn = SampleDeck::new(card::DECK).draw(2 * hands + dealt, &mut chance).to_vec();
        let (hands, community) = drawn.split_at(2 * hands);
        let hands: Vec<CardSet> = hands.chunks(2).map(card::set_of).collect();
        let community = card::set_of(community);
        for outcomes in [exact_between(&hands, community, 0), sampled_between(&hands, community, 0, 500, &mut chance)] {
            let parts: u64 = outcomes.iter().map(Outcomes::parts).sum();
            prop_assert_eq!(parts, outcomes[0].deals * PARTS);
        }
    }
}

/// Dead cards are in no hand and on no board.
#[test]
fn dead_cards_are_not_dealt() {
    // If the other two aces are dead, the aces cannot become three of a kind: fewer boards and a
    // lower share.
    let hands = [set("AsAh"), set("KdKc")];
    let outcomes = exact_between(&hands, 0, set("AdAc"));
    assert_eq!(outcomes[0].deals, 1_370_754);
    let share = |outcomes: &Outcomes| outcomes.parts() as f64 / outcomes.deals as f64;
    assert!(share(&outcomes[0]) < share(&exact_between(&hands, 0, 0)[0]));
}
