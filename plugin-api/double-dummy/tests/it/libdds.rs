//! Compares the solver with libdds over tens of thousands of cards.

use crate::support;
use hattari_double_dummy::{Libdds, Side, Solver, Strain};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Number of positions for each strain and number of cards on the table, by cards per hand. Large
/// hands are slow, so there are fewer of them.
const POSITIONS: [(usize, usize); 10] = [
    (4, 100),
    (5, 90),
    (6, 80),
    (7, 60),
    (8, 50),
    (9, 35),
    (10, 20),
    (11, 9),
    (12, 4),
    (13, 2),
];

/// Minimum number of compared card values.
const VALUES_MIN: usize = 30_000;

#[test]
#[ignore = "needs libdds (apt-get install libdds0)"]
fn card_values_match_libdds() {
    let libdds = Libdds::open().unwrap_or_else(|error| panic!("{error}"));
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let mut solver = Solver::default();
    let mut values = 0;
    for (cards, positions) in POSITIONS {
        for strain in Strain::ALL {
            for table in 0..4 {
                for n in 0..positions {
                    // In every fourth position one suit is missing, so that there are many ruffs
                    // and discards.
                    let suits = if n % 4 == 3 && cards <= 9 { 3 } else { 4 };
                    let position = support::random_position(&mut rng, cards, suits, strain, table);
                    let side = if n % 2 == 0 {
                        Side::NorthSouth
                    } else {
                        Side::EastWest
                    };
                    let theirs = libdds
                        .tricks_by_card(&position, side)
                        .expect("libdds takes it");
                    let ours = solver.tricks_by_card(&position, side);
                    assert_eq!(
                        ours,
                        theirs,
                        "{strain}, {} leads, {position:?}",
                        position.leader()
                    );
                    assert_eq!(
                        solver.solve(&position, side),
                        best(&ours, position.to_play().side() == side)
                    );
                    values += ours.len();
                }
            }
        }
    }
    println!(
        "{values} card values are those of libdds {}",
        libdds.version()
    );
    assert!(values >= VALUES_MIN, "{values} values only");
}

fn best(values: &[(hattari_double_dummy::Card, u8)], own: bool) -> u8 {
    let tricks = values.iter().map(|value| value.1);
    if own { tricks.max() } else { tricks.min() }.expect("a card to play")
}

#[test]
#[ignore = "needs libdds (apt-get install libdds0)"]
fn libdds_calls_from_many_threads_give_equal_results() {
    let libdds = Libdds::open().unwrap_or_else(|error| panic!("{error}"));
    let positions: Vec<_> = {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        (0..40)
            .map(|_| support::random_position(&mut rng, 7, 4, Strain::NoTrump, 0))
            .collect()
    };
    let ask = || {
        positions
            .iter()
            .map(|p| libdds.tricks_by_card(p, Side::NorthSouth))
            .collect::<Vec<_>>()
    };
    let alone = ask();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), alone);
        }
    });
}
