//! Betting by the strength of the hand.

use crate::range::Range;
use hattari_plugin::Choice;
use hattari_plugin::stud::Turn;

/// Returns a bet in proportion to the probability of winning, `chance`: the minimum for up to one
/// half, the maximum for a certain win. If `chance` is less than the break-even probability plus
/// `caution`, the choice is a check if it is free, otherwise a fold.
pub(crate) fn bet_by_strength(turn: &Turn, chance: f64, caution: f64) -> Choice {
    let range = Range::of(turn);
    // Above this probability, staying in is profitable if there are no further bets: the price
    // divided by the pot that includes it.
    let price = range.price as f64;
    let break_even = if range.price == 0 {
        0.0
    } else {
        price / (turn.view().pot as f64 + price)
    };
    if chance < break_even + caution {
        return range.give_up();
    }
    range.nearest(range.at(2.0 * chance - 1.0))
}
