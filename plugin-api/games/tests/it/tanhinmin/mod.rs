//! Tests of tanhinmin.

mod flow;
mod playthrough;

use crate::conformance::Variation;
use hattari_games::Game;
use hattari_games::tanhinmin::{Block, Deal, Tanhinmin};

pub(crate) const VARIATIONS: &[Variation] = &[(
    "paper",
    r#"{"cards": 10, "pass": "free", "lead": "lowest"}"#,
)];

/// Checks that every card is in one hand or has been played.
pub(crate) fn watch(game: &Tanhinmin, block: &Block, deal: &Deal) {
    let cards = game.options().cards as usize * deal.hands().len();
    let pack = u64::MAX >> (64 - cards);
    let view = game.view_of(block, deal, 0);
    let held = deal.hands().iter().fold(0, |union, hand| {
        assert_eq!(union & hand, 0, "a card in two hands");
        union | hand
    });
    assert_eq!((held | view.gone, held & view.gone), (pack, 0));
    let sizes = deal.hands().iter().zip(view.cards_left);
    for (hand, left) in sizes {
        assert_eq!(hand.count_ones(), u32::from(left));
    }
    assert_eq!(view.unseen() | view.hand | view.gone, pack);
}
