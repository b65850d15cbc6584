//! Betting by what the cards promise.

use crate::range::Range;
use hattari_plugin::Choice;
use hattari_plugin::stud::Turn;

/// Bets the share of the range that the chance of winning is above a half, twice over: nothing for
/// a half, the most for a certain win. Gives up where the chance is not worth the price, and
/// `caution` more.
#[must_use]
pub fn answer(turn: &Turn, chance: f64, caution: f64) -> Choice {
    let range = Range::of(turn);
    if chance < odds(turn, &range) + caution {
        return range.give_up(turn);
    }
    range.nearest(turn, range.at(2.0 * chance - 1.0))
}

/// The chance of winning from which on staying in pays, were it the last bet.
fn odds(turn: &Turn, range: &Range) -> f64 {
    let price = range.price as f64;
    if range.price == 0 {
        0.0
    } else {
        price / (turn.view().pot as f64 + price)
    }
}
