//! Betting by the strength of the hand.

use crate::range::Range;
use hattari_plugin::Choice;
use hattari_plugin::stud::Turn;

/// Returns a bet in proportion to the probability of winning, `chance`: the minimum for up to one
/// half, the maximum for a certain win. If `chance` is less than the break-even probability plus
/// `caution`, the choice is a check if it is free, otherwise a fold.
pub(crate) fn bet_by_strength(turn: &Turn, chance: f64, caution: f64) -> Choice {
    let range = Range::of(turn);
    if chance < break_even_chance(turn, &range) + caution {
        return range.give_up();
    }
    range.nearest(range.at(2.0 * chance - 1.0))
}

/// Returns the probability of winning above which staying in is profitable if there are no further
/// bets: the price divided by the pot that includes it.
fn break_even_chance(turn: &Turn, range: &Range) -> f64 {
    let price = range.price as f64;
    if range.price == 0 {
        0.0
    } else {
        price / (turn.view().pot as f64 + price)
    }
}
