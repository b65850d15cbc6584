//! Random positions for tests and benchmarks.

use hattari_double_dummy::{Card, CardSet, Position, Seat, Strain, Suit};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

/// Returns a random position with `cards` cards per hand before the trick, from `suits` random
/// suits, with `table` cards of the trick already played.
pub(crate) fn random_position(
    rng: &mut impl Rng,
    cards: usize,
    suits: usize,
    strain: Strain,
    table: usize,
) -> Position {
    let turn = rng.random_range(0..4);
    let mut pack: Vec<Card> = (0..suits)
        .flat_map(|s| (0..13).map(move |rank| Card::new(Suit::ALL[(s + turn) % 4], rank)))
        .collect();
    pack.shuffle(rng);
    let hands: [CardSet; 4] =
        std::array::from_fn(|n| pack[n * cards..(n + 1) * cards].iter().copied().collect());
    let leader = Seat::ALL[rng.random_range(0..4)];
    let mut position = Position::new(hands, strain, leader, &[]).expect("equal hands");
    for _ in 0..table {
        let legal: Vec<Card> = position.legal().into_iter().collect();
        position
            .play(legal[rng.random_range(0..legal.len())])
            .expect("legal");
    }
    position
}
