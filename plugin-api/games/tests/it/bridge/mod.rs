//! Tests of bridge: rulings and notation.

mod notation;
mod playthrough;
mod rulings;

use crate::conformance::Variation;
use hattari_games::bridge::{Block, Board, Bridge, CardSet};

/// Other contracts and declarers, and cards that are played in advance.
pub(crate) const VARIATIONS: &[Variation] = &[
    ("random", r#"{"dealer": "N", "auction": "1S X XX P P P"}"#),
    (
        "random",
        r#"{"dealer": "E", "auction": "P P 1C 1H 4H P P P"}"#,
    ),
    ("random", r#"{"dealer": "W", "auction": "7NT X P P P"}"#),
    (
        "random",
        r#"{"dealer": "S", "auction": "P 1D P 2D P 3D P P P"}"#,
    ),
    (
        "3nt",
        r#"{"dealer": "W", "played": "S7 S2 SJ",
            "deals": ["N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54"]}"#,
    ),
];

/// Checks that every card is in one hand or in a trick.
pub(crate) fn watch(_: &Bridge, _: &Block, board: &Board) {
    let held: u32 = board.hands().iter().map(|hand| hand.len()).sum();
    let all = board.hands().iter().fold(0, |all, hand| all | hand.0);
    assert_eq!(CardSet(all).len(), held, "a card in two hands");
    assert_eq!(
        u32::from(board.tricks_won()[0] + board.tricks_won()[1]),
        (52 - held) / 4
    );
}
