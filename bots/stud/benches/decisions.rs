//! Cost of a decision on each turn. `cargo bench -p hattari-bots-stud --bench decisions`.

use divan::Bencher;
use hattari_bots_stud::fuzzy::config::Config;
use hattari_bots_stud::fuzzy::counts::{HAND_SIZE, count};
use hattari_bots_stud::fuzzy::infer::{Premise, RULES, Tendencies, superiority};
use hattari_bots_stud::fuzzy::{Estimate, Situation};
use hattari_plugin::games::poker::card::{CardSet, DECK, parse_set};
use std::hint::black_box;

fn main() {
    divan::main();
}

/// Returns the own cards and the opponent's open cards on a turn.
fn hands(turn: u8) -> (CardSet, CardSet) {
    let own = ["Js", "6d", "Qc", "Jh", "Tc", "9d", "2h"];
    let shown = ["5h", "6s", "7d", "9c", "3d", "Ks"];
    let (dealt, seen) = match turn {
        1..=4 => (2 + turn, turn),
        5 => (7, 4),
        _ => (7, turn - 1),
    };
    (
        parse_set(&own[..dealt.into()].concat()).unwrap(),
        parse_set(&shown[..seen.into()].concat()).unwrap(),
    )
}

/// Counting the opponent's completions alone; 12,271,512 of them on turn 1.
#[divan::bench(args = 1..=7)]
fn counting(bencher: Bencher, turn: u8) {
    let (own, shown) = hands(turn);
    let unknown = HAND_SIZE - shown.count_ones() as usize;
    bencher.bench(|| count(black_box(shown), DECK & !own & !shown, unknown));
}

/// The inference alone, with eight active rules.
#[divan::bench]
fn inference(bencher: Bencher) {
    let config = Config::default();
    let tendencies = Tendencies(std::array::from_fn(|rule| {
        f64::from(u8::try_from(20 + rule).unwrap())
    }));
    assert_eq!(RULES, tendencies.0.len());
    let premise = Premise {
        exp: -0.2,
        bet: 0.3,
        turn: 4,
    };
    bencher.bench(|| superiority(black_box(&premise), 0.53, &tendencies, &config));
}

/// The whole estimate; on turn 1 the counts are cached.
#[divan::bench(args = 1..=7)]
fn estimate(bencher: Bencher, turn: u8) {
    let (own, opponent) = hands(turn);
    let config = Config::default();
    let tendencies = Tendencies([60.0; RULES]);
    let situation = Situation {
        turn,
        own,
        shown: 0,
        opponent,
        pot: 100,
        bet: 40,
    };
    bencher.bench(|| Estimate::of(black_box(&situation), &tendencies, &config));
}
