//! Tests of hold'em: betting, pots, counts.

mod betting;
mod counts;
mod playthrough;
mod showdown;

use crate::conformance::Variation;
use hattari_games::holdem::{Block, Deal, Holdem};

pub(crate) const VARIATIONS: &[Variation] = &[
    ("cash", r#"{"stack": 330, "ante": 10}"#),
    (
        "cash",
        r#"{"stack": 330, "ante": 10, "carry": true, "rebuy": 70}"#,
    ),
    (
        "cash",
        r#"{"carry": true, "rebuy": 70, "whole_blind": false}"#,
    ),
    ("cash", r#"{"carry": true, "short_raise_reopens": true}"#),
    (
        "cash",
        r#"{"carry": true, "rebuy": 130, "limit": "pot-limit"}"#,
    ),
    ("limit", r#"{"carry": true, "rebuy": 130, "stack": 1000}"#),
];

/// Checks that chips and cards are conserved, and that the seats in play with chips can act.
pub(crate) fn watch(_: &Holdem, block: &Block, deal: &Deal) {
    crate::stud::conserved(block, deal);
    let betting = &deal.betting;
    let able = (0..9)
        .filter(|&seat| betting.stacks[seat] != 0 && betting.in_play >> seat & 1 == 1)
        .fold(0, |able, seat| able | 1 << seat);
    assert!(deal.to_act == 0xff || betting.able == able);
}
