//! Compares the solver with plain minimax in thousands of random positions.

use crate::support;
use hattari_double_dummy::{Card, Position, Seat, Side, Solver, Strain};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns North-South's tricks by plain alpha-beta search, without table, bounds or equivalent
/// cards. Exact between `alpha` and `beta`.
fn minimax(position: &Position, mut alpha: i8, mut beta: i8) -> i8 {
    if position.legal().is_empty() {
        return 0;
    }
    let ours = position.to_play().side() == Side::NorthSouth;
    let mut best = if ours { i8::MIN } else { i8::MAX };
    for card in position.legal() {
        let value = after(position, card, alpha, beta);
        if ours {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            break;
        }
    }
    best
}

fn after(position: &Position, card: Card, alpha: i8, beta: i8) -> i8 {
    let mut next = position.clone();
    let winner = next.play(card).expect("legal");
    let won = i8::from(winner.is_some_and(|seat| seat.side() == Side::NorthSouth));
    won + minimax(&next, alpha - won, beta - won)
}

fn check(cards: usize, positions: u64, suits: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(cards as u64 * 100 + suits as u64);
    let mut solver = Solver::new(16);
    for _ in 0..positions {
        let strain = Strain::ALL[rng.random_range(0..5)];
        let table = rng.random_range(0..4);
        let position = support::random_position(&mut rng, cards, suits, strain, table);
        let values = solver.tricks_by_card(&position, Side::NorthSouth);
        assert_eq!(values.len(), position.legal().len() as usize);
        for (card, tricks) in &values {
            assert_eq!(
                i8::try_from(*tricks),
                Ok(after(&position, *card, -1, 14)),
                "{card} in {} {position:?}",
                position.deal()
            );
        }
        for (side, goal) in [
            (Side::NorthSouth, 0),
            (Side::EastWest, 1),
            (Side::NorthSouth, 2),
            (Side::EastWest, 14),
        ] {
            let values = solver.tricks_by_card(&position, side).into_iter();
            let reaching = values
                .map(|(card, tricks)| (card, goal <= tricks))
                .collect::<Vec<_>>();
            assert_eq!(
                solver.cards_reaching(&position, side, goal),
                reaching,
                "{goal} for {side:?} of {position:?}"
            );
        }
        let whole = u8::try_from(minimax(&position, -1, 14)).expect("tricks");
        assert_eq!(
            solver.solve(&position, Side::NorthSouth),
            whole,
            "{} {position:?}",
            position.deal()
        );
        let others = solver.solve(&position, Side::EastWest);
        assert_eq!(u32::from(whole + others), position.tricks_left());
    }
}

#[test]
fn the_solver_matches_minimax_with_three_cards_each() {
    check(3, 4000, 4);
}

#[test]
fn the_solver_matches_minimax_with_four_cards_each() {
    check(4, 1500, 4);
}

#[test]
fn the_solver_matches_minimax_with_four_cards_of_two_suits() {
    check(4, 1000, 2);
}

#[test]
fn the_solver_matches_minimax_with_five_cards_each() {
    check(5, 60, 4);
}

#[test]
fn the_solver_matches_minimax_with_five_cards_of_three_suits() {
    check(5, 20, 3);
}

#[test]
fn the_solver_matches_minimax_with_six_cards_each() {
    check(6, 3, 4);
}

/// Solves a deal for all four leaders. One solver gives the same results as four new ones, with
/// less work.
#[test]
fn a_reused_solver_gives_equal_results_with_fewer_nodes() {
    let mut rng = ChaCha8Rng::seed_from_u64(30);
    for strain in Strain::ALL {
        let hands = support::random_position(&mut rng, 8, 4, strain, 0).hands();
        let mut solver = Solver::new(16);
        let (mut nodes, mut nodes_fresh) = (0, 0);
        for leader in Seat::ALL {
            let position = Position::new(hands, strain, leader, &[]).expect("equal hands");
            let mut fresh = Solver::new(16);
            assert_eq!(
                solver.tricks_by_card(&position, Side::NorthSouth),
                fresh.tricks_by_card(&position, Side::NorthSouth)
            );
            nodes += solver.nodes();
            nodes_fresh += fresh.nodes();
        }
        assert!(
            nodes < nodes_fresh,
            "{nodes} cards played with one solver, {nodes_fresh} with four, {strain}"
        );
    }
}
