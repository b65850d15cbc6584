//! Tests of daihinmin: plays, effects, matches, recorded games.

mod corpus;
mod flow;
mod matches;
mod moves;
mod plays;
mod playthrough;
mod position;

use crate::conformance::Variation;
use hattari_games::daihinmin::{Block, Daihinmin, Deal, card};

pub(crate) const VARIATIONS: &[Variation] = &[
    (
        "uecda",
        r#"{"eleven_back": true, "five_skip": true, "six_reverse": true, "seat_redraw": 1,
            "ask_last_player_again": false, "rank_reset": 7, "deadlock_passes": 8}"#,
    ),
    (
        "uecda",
        r#"{"revolution": false, "lock": false, "sequences": false, "eight_cut": false,
            "exchange": false, "seat_redraw": 0, "deadlock_passes": 0}"#,
    ),
];

/// Checks that every card is in one hand or has been played.
pub(crate) fn watch(_: &Daihinmin, block: &Block, deal: &Deal) {
    let public = deal.public(block);
    let gone = public.gone;
    let held = deal.hands().iter().fold(0, |union, hand| {
        assert_eq!(union & hand, 0, "a card in two hands");
        union | hand
    });
    assert_eq!((held | gone, held & gone), (card::PACK, 0));
    for (hand, &left) in deal.hands().iter().zip(&public.cards_left) {
        assert_eq!(hand.count_ones(), u32::from(left));
    }
}
