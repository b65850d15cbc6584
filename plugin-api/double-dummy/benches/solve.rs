//! Benchmarks: scores all cards of ten random positions; solves ten whole deals for all strains and
//! leaders.

#[path = "../tests/support/mod.rs"]
mod support;

use hattari_double_dummy::{Position, Seat, Side, Solver, Strain, Suit};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

fn positions(cards: usize, strain: Strain) -> Vec<Position> {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    (0..10)
        .map(|_| support::random_position(&mut rng, cards, 4, strain, 0))
        .collect()
}

fn score(bencher: divan::Bencher<'_, '_>, cards: usize, strain: Strain) {
    let positions = positions(cards, strain);
    let mut solver = Solver::default();
    bencher.bench_local(|| {
        positions
            .iter()
            .map(|p| solver.tricks_by_card(p, Side::NorthSouth).len())
            .sum::<usize>()
    });
}

#[divan::bench(args = [6, 8, 10], sample_count = 10)]
fn no_trumps(bencher: divan::Bencher<'_, '_>, cards: usize) {
    score(bencher, cards, Strain::NoTrump);
}

#[divan::bench(args = [6, 8, 10], sample_count = 10)]
fn spades(bencher: divan::Bencher<'_, '_>, cards: usize) {
    score(bencher, cards, Strain::Trump(Suit::Spades));
}

#[divan::bench(sample_count = 3)]
fn whole_deals(bencher: divan::Bencher<'_, '_>) {
    let deals: Vec<_> = positions(13, Strain::NoTrump)
        .iter()
        .map(Position::hands)
        .collect();
    let mut solver = Solver::default();
    bencher.bench_local(|| {
        let mut tricks = 0;
        for &hands in &deals {
            for strain in Strain::ALL {
                for leader in Seat::ALL {
                    let position = Position::new(hands, strain, leader, &[]).expect("equal hands");
                    tricks += u32::from(solver.solve(&position, Side::NorthSouth));
                }
            }
        }
        tricks
    });
}
