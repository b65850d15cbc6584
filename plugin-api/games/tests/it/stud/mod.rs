//! Tests of stud: rulings.

mod playthrough;
mod rulings;

use crate::conformance::Variation;
use hattari_games::poker::card;
use hattari_games::stud::{Block, Deal, Stud};

pub(crate) const VARIATIONS: &[Variation] = &[
    ("fixed-limit", r#"{"stack": 150}"#),
    (
        "fixed-limit",
        r#"{"stack": 150, "carry": true, "rebuy": 55}"#,
    ),
    (
        "fixed-limit",
        r#"{"stack": 150, "carry": true, "rebuy": 8, "whole_bring_in": false}"#,
    ),
    (
        "fixed-limit",
        r#"{"stack": 150, "carry": true, "rebuy": 60, "short_raise_reopens": true, "ante": 0}"#,
    ),
    ("fuzzy-2002", r#"{"carry": false, "opener": "alternating"}"#),
    (
        "fuzzy-2002",
        r#"{"stack": 40, "rebuy": 40, "raises_max": 0}"#,
    ),
    ("fuzzy-2002", r#"{"reveal": false}"#),
    (
        "fuzzy-2002",
        r#"{"stack": 300, "odd_chips": "left-of-button"}"#,
    ),
];

pub(crate) fn watch(_: &Stud, block: &Block, deal: &Deal) {
    conserved(block, deal);
}

/// Checks that chips and cards are conserved in a poker game.
pub(crate) fn conserved(block: &Block, deal: &Deal) {
    let betting = &deal.betting;
    assert_eq!(
        betting.stacks.iter().sum::<i64>() + betting.pot,
        block.memory.stacks.iter().sum::<i64>()
    );
    let mut seen = deal.community;
    for (seat, hand) in deal.hands.into_iter().enumerate() {
        assert_eq!(seen & hand, 0, "a card in two places");
        seen |= hand;
        assert_eq!(
            deal.up[seat] & !hand,
            0,
            "a card lies face up in another's hand"
        );
        assert_eq!(
            deal.shown[seat] & !hand,
            0,
            "a card is shown in another's hand"
        );
    }
    assert_eq!(seen & !card::DECK, 0);
    assert!(
        betting
            .stacks
            .iter()
            .chain(&betting.bets)
            .all(|&chips| 0 <= chips)
    );
}
