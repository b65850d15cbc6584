//! Probabilities that depend only on the cards.

use crate::fuzzy::estimate::{Distribution, potential};
use crate::fuzzy::score::SCORES;
use hattari_plugin::games::cards::union_of;
use hattari_plugin::games::poker::card::{CardSet, cards};
use hattari_plugin::stud::View;

/// Returns the probability that the player has the best hand category at the end if nobody folds.
///
/// The hands of the player and of each opponent are completed to seven cards independently. Equal
/// categories count as half a win; kickers are ignored.
pub(crate) fn win_chance(view: &View) -> f64 {
    let up = |seat: usize| view.up[seat] | view.community;
    let seen = view.hand | view.community | union_of(&view.up);
    let own = shares(view.hand | view.community, seen);

    view.opponents()
        .map(|seat| ahead(&own, &shares(up(usize::from(seat)), seen)))
        .product()
}

/// Returns the index, in ascending order of the hole cards, of the hole card to turn up. It is the
/// first card that gives the smallest potential or, with `shows_strength`, the largest.
pub(crate) fn opening(view: &View, shows_strength: bool) -> usize {
    let others = union_of(&view.up) & !view.hand;
    let shown = view.up[usize::from(view.seat)];
    let sign = if shows_strength { -1.0 } else { 1.0 };
    let value = |card: u8| sign * potential(shown | 1 << card, others);
    let values: Vec<f64> = cards(view.down).map(value).collect();
    (0..values.len())
        .min_by(|&a, &b| values[a].total_cmp(&values[b]))
        .unwrap_or(0)
}

/// Returns the shares of the scores 0 to 9 among the completions of `known` without cards in
/// `seen`.
fn shares(known: CardSet, seen: CardSet) -> [f64; SCORES] {
    let Distribution { counts, total } = Distribution::of_opponent(seen & !known, known);
    counts.map(|count| count as f64 / total as f64)
}

/// Returns the probability that a score drawn from `own` is higher than one drawn from `other`.
/// Equal scores count one half.
fn ahead(own: &[f64], other: &[f64]) -> f64 {
    let (mut below, mut chance) = (0.0, 0.0);
    for (own, other) in own.iter().zip(other) {
        chance += own * (below + 0.5 * other);
        below += other;
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_hand_chances_give_half_and_better_chances_give_more() {
        let (weak, strong) = ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5]);
        assert!((ahead(&weak, &weak) - 0.5).abs() < 1e-12);
        // Ahead in three of the four unequal cases; the equal cases are a quarter of all.
        assert!((ahead(&strong, &weak) - 0.875).abs() < 1e-12);
        assert!((ahead(&weak, &strong) - 0.125).abs() < 1e-12);
    }

    #[test]
    fn a_complete_hand_has_its_category_with_certainty() {
        let hand = 0b1111 | 1 << 20 | 1 << 30 | 1 << 40;
        let quads = 7;
        let shares = shares(hand, hand);
        assert!((shares[quads] - 1.0).abs() < 1e-12);
    }
}
