//! The solver against plain minimax over thousands of random positions.

mod support;

use hattari_double_dummy::{Position, Side, Solver, Strain};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// North-South's tricks, by trying everything.
fn minimax(position: &Position) -> u8 {
    if position.legal().is_empty() {
        return 0;
    }
    let values = position.legal().into_iter().map(|card| after(position, card));
    let best = match position.to_play().side() {
        Side::NorthSouth => values.max(),
        Side::EastWest => values.min(),
    };
    best.expect("a card may be played")
}

fn after(position: &Position, card: hattari_double_dummy::Card) -> u8 {
    let mut next = position.clone();
    let winner = next.play(card).expect("legal");
    u8::from(winner.is_some_and(|seat| seat.side() == Side::NorthSouth)) + minimax(&next)
}

fn check(cards: usize, positions: u64, suits: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(cards as u64 * 100 + suits as u64);
    let mut solver = Solver::new(16);
    for _ in 0..positions {
        let strain = Strain::ALL[rng.random_range(0..5)];
        let table = rng.random_range(0..4);
        let position = support::random_position(&mut rng, cards, suits, strain, table);
        let values = solver.all_cards(&position, Side::NorthSouth);
        assert_eq!(values.len(), position.legal().len() as usize);
        for (card, tricks) in &values {
            assert_eq!(*tricks, after(&position, *card), "{card} in {} {position:?}", position.deal());
        }
        let whole = minimax(&position);
        assert_eq!(solver.solve(&position, Side::NorthSouth), whole, "{} {position:?}", position.deal());
        let others = solver.solve(&position, Side::EastWest);
        assert_eq!(u32::from(whole + others), position.tricks_left());
    }
}

#[test]
fn three_cards_each() {
    check(3, 4000, 4);
}

#[test]
fn four_cards_each() {
    check(4, 1500, 4);
}

#[test]
fn four_cards_of_two_suits() {
    check(4, 1000, 2);
}

#[test]
fn five_cards_each() {
    check(5, 150, 4);
}

#[test]
fn five_cards_of_three_suits() {
    check(5, 60, 3);
}

#[test]
fn six_cards_each() {
    check(6, 4, 4);
}
