//! Speed of poker's rules and showdown counts without a host.
//!
//! `cargo bench -p hattari-games --bench poker`. `hands_*` play complete deals. As in the host,
//! every decision lists the legal actions, fills the view and applies a choice. `ranking_*` compare
//! libraries for hand ranking on the same work: all showdowns of two hands before the flop, and
//! random showdowns against a random hand.

#[path = "support/hands.rs"]
mod hands;

use divan::Bencher;
use divan::counter::ItemsCount;
use hands::{call, play};
use hattari_games::holdem::Action;
use hattari_games::poker::card::parse_set;
use hattari_games::poker::equity;
use hattari_games::{Move, chance};
use rand::Rng;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::SeedableRng;
use std::hint::black_box;

fn main() {
    divan::main();
}

fn random(legal: &[Action], chance: &mut ChaCha12Rng) -> Move<Action> {
    let action = legal[chance::below(chance, u32::try_from(legal.len()).unwrap_or(1)) as usize];
    let span = u32::try_from(action.highest - action.lowest + 1).unwrap_or(1);
    Move {
        action,
        amount: action.lowest + i64::from(chance::below(chance, span)),
    }
}

#[divan::bench(args = [2, 6, 9])]
fn hands_call(bencher: Bencher, players: usize) {
    play(bencher, players, call);
}

#[divan::bench(args = [2, 6, 9])]
fn hands_random(bencher: Bencher, players: usize) {
    play(bencher, players, random);
}

/// Counts every showdown of aces and kings before the flop.
#[divan::bench]
fn equity_exact_between_two(bencher: Bencher) {
    let hands = ["AsAh", "KdKc"].map(|hand| parse_set(hand).expect("cards"));
    bencher
        .counter(ItemsCount::new(1_712_304_u32))
        .bench_local(|| equity::exact_between(black_box(&hands), 0, 0));
}

/// Counts every showdown of a hand on the turn with a random hand.
#[divan::bench]
fn equity_exact_on_the_turn(bencher: Bencher) {
    let (hand, community) = (
        parse_set("AsKd").expect("cards"),
        parse_set("2c7dTsJh").expect("cards"),
    );
    bencher
        .counter(ItemsCount::new(45_540_u32))
        .bench_local(|| equity::exact(black_box(hand), community, 1));
}

/// Samples showdowns before the flop with random hands, counted as deals.
#[divan::bench(args = [1, 5, 8])]
fn equity_sampled(bencher: Bencher, opponents: u32) {
    let hand = parse_set("AsKd").expect("cards");
    let mut chance = rand_chacha_small();
    bencher
        .counter(ItemsCount::new(100_000_u32))
        .bench_local(|| equity::sampled(black_box(hand), 0, opponents, 100_000, &mut chance));
}

/// Samples showdowns on the flop with a random hand.
#[divan::bench]
fn equity_sampled_on_the_flop(bencher: Bencher) {
    let (hand, community) = (
        parse_set("AsKd").expect("cards"),
        parse_set("2c7dTs").expect("cards"),
    );
    let mut chance = rand_chacha_small();
    bencher
        .counter(ItemsCount::new(100_000_u32))
        .bench_local(|| equity::sampled(black_box(hand), community, 1, 100_000, &mut chance));
}

/// Returns a small, fast generator, of the kind that bots use.
fn rand_chacha_small() -> impl Rng {
    rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3)
}

mod ranking {
    //! Hand ranking with the types of each library.

    use super::{Bencher, ItemsCount, black_box, rand_chacha_small};
    use hattari_games::poker::card::DECK;
    use hattari_games::poker::equity::SampleDeck;
    use rs_poker::core::{Card, SevenCardAccum};

    /// Number of deals of two aces against a random hand.
    const SAMPLES: u32 = 100_000;
    const ACES: u64 = 0b1100 << 48;

    #[divan::bench]
    fn pokers_sampled(bencher: Bencher) {
        use pokers::{CARDS, Hand};
        let (mut pack, mut chance) = (SampleDeck::new(DECK & !ACES), rand_chacha_small());
        let own = CARDS[50] + CARDS[51];
        bencher.counter(ItemsCount::new(SAMPLES)).bench_local(|| {
            let mut wins = 0_u32;
            for _ in 0..SAMPLES {
                let drawn = pack.draw(7, &mut chance);
                let board = drawn[..5]
                    .iter()
                    .fold(Hand::default(), |sum, &card| sum + CARDS[usize::from(card)]);
                let other = board + CARDS[usize::from(drawn[5])] + CARDS[usize::from(drawn[6])];
                wins += u32::from((board + own).evaluate() > other.evaluate());
            }
            wins
        });
    }

    #[divan::bench]
    fn rs_poker_sampled(bencher: Bencher) {
        let (mut pack, mut chance) = (SampleDeck::new(DECK & !ACES), rand_chacha_small());
        // This library numbers cards by suit, then rank.
        let card = |card: u8| Card::from(card % 4 * 13 + card / 4);
        let own = SevenCardAccum::new() + card(50) + card(51);
        bencher.counter(ItemsCount::new(SAMPLES)).bench_local(|| {
            let mut wins = 0_u32;
            for _ in 0..SAMPLES {
                let drawn = pack.draw(7, &mut chance);
                let (mut own, mut other) = (own, SevenCardAccum::new());
                for &drawn in &drawn[..5] {
                    let drawn = card(drawn);
                    own.add(drawn);
                    other.add(drawn);
                }
                other.add(card(drawn[5]));
                other.add(card(drawn[6]));
                wins += u32::from(own.rank() > other.rank());
            }
            wins
        });
    }

    #[divan::bench]
    fn rs_poker_exact(bencher: Bencher) {
        let card = |card: u8| Card::from(card % 4 * 13 + card / 4);
        let start = |cards: [u8; 2]| SevenCardAccum::new() + card(cards[0]) + card(cards[1]);
        let rest: Vec<Card> = (0..52)
            .filter(|card| ![50, 51, 44, 45].contains(card))
            .map(card)
            .collect();
        bencher
            .counter(ItemsCount::new(1_712_304_u32))
            .bench_local(|| {
                let mut wins = 0_u32;
                wins_of(
                    black_box(start([50, 51])),
                    start([44, 45]),
                    &rest,
                    5,
                    &mut wins,
                );
                wins
            });
    }

    fn wins_of(one: SevenCardAccum, two: SevenCardAccum, rest: &[Card], left: u32, wins: &mut u32) {
        for (at, &card) in rest.iter().enumerate() {
            if left == 1 {
                *wins += u32::from((one + card).rank() > (two + card).rank());
            } else {
                wins_of(one + card, two + card, &rest[at + 1..], left - 1, wins);
            }
        }
    }
}
