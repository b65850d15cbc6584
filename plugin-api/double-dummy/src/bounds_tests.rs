//! Tests that the bounds used by the search are correct, by comparison with plain alpha-beta. Each
//! bound is tested in random positions, and in positions that differ only in cards that it does not
//! depend on.

use crate::bounds::{Lead, cashable, certain_tricks, lengths, trump_tricks};
use crate::search::{LANES, Search, Trick, lane};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Number of random positions, with three to six cards per hand.
const POSITIONS: usize = 5000;

/// Returns whether North-South takes `target` of the remaining tricks, by plain search.
fn reaches(hands: &mut [u64; 4], seat: usize, trick: &Trick, trump: usize, target: u32) -> bool {
    if target == 0 {
        return true;
    }
    let left = hands
        .iter()
        .map(|hand| hand.count_ones())
        .max()
        .unwrap_or(0);
    if left < target {
        return false;
    }
    let led = if trick.played == 0 {
        0
    } else {
        LANES
            .into_iter()
            .find(|lane| lane & trick.led != 0)
            .unwrap_or(0)
    };
    let legal = if hands[seat] & led == 0 {
        hands[seat]
    } else {
        hands[seat] & led
    };
    let ours = seat.is_multiple_of(2);
    let mut cards = legal;
    while cards != 0 {
        let card = cards & cards.wrapping_neg();
        cards ^= card;
        let next = trick.with(card, seat, trump);
        hands[seat] ^= card;
        let reached = if next.played == 4 {
            let won = u32::from(next.winner.is_multiple_of(2));
            reaches(
                hands,
                next.winner,
                &Trick::before_lead(0, 0),
                trump,
                target - won,
            )
        } else {
            reaches(hands, (seat + 1) % 4, &next, trump, target)
        };
        hands[seat] ^= card;
        if reached == ours {
            return ours;
        }
    }
    !ours
}

/// Returns `true` if the side of `seat` takes `need` tricks when `leader` leads.
fn takes(hands: &[u64; 4], leader: usize, trump: usize, seat: usize, need: u32) -> bool {
    let n = hands[0].count_ones();
    let mut hands = *hands;
    if seat.is_multiple_of(2) {
        reaches(&mut hands, leader, &Trick::before_lead(0, 0), trump, need)
    } else {
        !reaches(
            &mut hands,
            leader,
            &Trick::before_lead(0, 0),
            trump,
            n + 1 - need,
        )
    }
}

/// Returns random hands with `cards` cards each, of `suits` suits, without gaps in a lane.
fn random(rng: &mut ChaCha8Rng, cards: usize, suits: usize) -> [u64; 4] {
    let mut pack: Vec<(usize, u32)> = (0..suits)
        .flat_map(|suit| (0..13).map(move |rank| (suit, rank)))
        .collect();
    pack.shuffle(rng);
    pack.truncate(4 * cards);
    let below = |&(suit, rank): &(usize, u32)| {
        pack.iter()
            .filter(|card| card.0 == suit && card.1 < rank)
            .count()
    };
    let mut hands = [0; 4];
    for (n, card) in pack.iter().enumerate() {
        hands[n % 4] |= 1 << (16 * card.0 + below(card));
    }
    hands
}

/// Returns hands of the same size in which the cards below all of `ranks` are redistributed within
/// their suit.
fn with_other_small_cards(rng: &mut ChaCha8Rng, hands: &[u64; 4], ranks: u64) -> [u64; 4] {
    let mut other = *hands;
    for suit in 0..4 {
        let named = lane(ranks, suit);
        let below = if named == 0 {
            0xffff
        } else {
            (named & named.wrapping_neg()) - 1
        };
        let small = below << (16 * suit);
        let mut owners: Vec<usize> = Vec::new();
        let mut cards: Vec<u64> = Vec::new();
        for (seat, hand) in hands.iter().enumerate() {
            let mut held = hand & small;
            while held != 0 {
                cards.push(held & held.wrapping_neg());
                owners.push(seat);
                held &= held - 1;
            }
            other[seat] &= !small;
        }
        owners.shuffle(rng);
        owners
            .iter()
            .zip(cards)
            .for_each(|(&seat, card)| other[seat] |= card);
    }
    other
}

fn holds(
    rng: &mut ChaCha8Rng,
    hands: &[u64; 4],
    ranks: u64,
    what: &str,
    claim: impl Fn(&[u64; 4]) -> bool,
) {
    assert!(claim(hands), "{what}: {hands:x?}");
    for _ in 0..3 {
        let other = with_other_small_cards(rng, hands, ranks);
        assert!(
            claim(&other),
            "{what}: fails in {other:x?}, which equals {hands:x?} in the ranks {ranks:x}"
        );
    }
}

/// Returns the number of cards per hand, hands, leader and trumps of a random position.
fn position(rng: &mut ChaCha8Rng, n: usize) -> (usize, [u64; 4], usize, usize) {
    let (cards, suits) = (3 + n % 4, 2 + n / 4 % 3);
    let hands = random(rng, cards, suits);
    let (leader, trump) = (rng.random_range(0..4), [0, 0, 1, 4][rng.random_range(0..4)]);
    (cards, hands, leader, trump)
}

#[test]
fn counted_tricks_are_winnable_in_every_position_with_equal_high_ranks() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let mut counted = [0; 3];
    for n in 0..POSITIONS {
        let (cards, hands, leader, trump) = position(&mut rng, n);
        let lead = Lead {
            hands: &hands,
            lengths: lengths(&hands),
            leader,
            trump,
        };
        for need in 1..=u32::try_from(cards).expect("few") {
            if let Some(ranks) = cashable(&lead, need, None) {
                counted[0] += 1;
                let what = format!("{leader} cashes {need}, trump {trump}");
                holds(&mut rng, &hands, ranks, &what, |hands| {
                    takes(hands, leader, trump, leader, need)
                });
            }
            if let Some(ranks) = certain_tricks(&lead, need) {
                counted[1] += 1;
                let what = format!("the opponents of {leader} take {need}, trump {trump}");
                holds(&mut rng, &hands, ranks, &what, |hands| {
                    takes(hands, leader, trump, leader + 1, need)
                });
            }
            if trump < 4
                && let Some(ranks) = trump_tricks(&hands, leader, trump, need)
            {
                counted[2] += 1;
                let what = format!("{leader}'s side has {need} trump tricks, trump {trump}");
                holds(&mut rng, &hands, ranks, &what, |hands| {
                    takes(hands, leader, trump, leader, need)
                });
            }
        }
    }
    assert!(counted.iter().all(|&count| count > 500), "{counted:?}");
}

#[test]
fn second_hand_tricks_are_winnable_in_every_position_with_equal_high_ranks() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let mut search = Search::new(1);
    let mut counted = 0;
    for n in 0..POSITIONS {
        let (cards, hands, leader, trump) = position(&mut rng, n);
        let all = hands.iter().fold(0, |all, hand| all | hand);
        let mut leads = hands[leader];
        while leads != 0 {
            let led = leads & leads.wrapping_neg();
            leads ^= led;
            let trick = Trick::before_lead(leader, all).with(led, leader, trump);
            let seat = (leader + 1) % 4;
            for target in 1..=i8::try_from(cards).expect("few") {
                search.reset(hands, trump);
                search.remove_card(leader, led);
                let Some((reached, ranks)) = search.second_hand_cashes(seat, &trick, target) else {
                    continue;
                };
                counted += 1;
                for _ in 0..6 {
                    let mut other = with_other_small_cards(&mut rng, &search.hands, ranks);
                    // The card led stays in its hand; the owners of cards below the named ranks do
                    // not matter.
                    let target = u32::from(target.unsigned_abs());
                    let found = reaches(&mut other, seat, &trick, trump, target);
                    assert_eq!(
                        found, reached,
                        "{other:x?}: {led:x} led by {leader}, trump {trump}, found for {hands:x?}, {ranks:x}"
                    );
                }
            }
        }
    }
    assert!(counted > 500, "{counted}");
}
