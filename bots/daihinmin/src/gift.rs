//! The exchange: selection of the cards to give away.
//!
//! The papers and the contest's manual leave the choice to the player. The contest's sample client
//! gives its weakest cards. All play styles do the same, so that only their play differs.

use hattari_plugin::daihinmin::card::{CardSet, JOKER_SET, SUITED};
use hattari_plugin::daihinmin::{Action, View};

/// Returns the `count` weakest cards of `hand`: lowest rank first (no deal begins in a revolution),
/// within a rank ♣, ♦, ♥, ♠, joker last. The rules take tribute in the opposite order of suits.
/// Here ♠3 is kept longer, because it beats a joker.
pub(crate) fn weakest(mut hand: CardSet, count: u8) -> CardSet {
    let mut given = 0;
    for _ in 0..count {
        let suited = hand & SUITED;
        let card = if suited == 0 {
            hand & JOKER_SET
        } else {
            let column = suited & (0xf << (suited.trailing_zeros() & !3));
            1 << column.ilog2()
        };
        given |= card;
        hand &= !card;
    }
    given
}

/// Returns the index of the action that gives the weakest cards. Returns 0 if there is no such
/// action, which the rules exclude.
pub(crate) fn weakest_gift(view: &View, legal: &[Action]) -> usize {
    let cards = weakest(view.hand, view.give);
    // The rules list the strongest gifts first.
    legal
        .iter()
        .rposition(|gift| gift.cards == cards)
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::daihinmin::card::{describe, parse_set};

    #[test]
    fn weakest_cards_are_ordered_by_rank_and_reversed_suits_with_the_joker_last() {
        for (hand, count, given) in [
            ("S5 H5 H9 JK", 1, "H5"),
            ("S3 H3 D9 CK", 2, "S3 H3"),
            ("S3 D3 C3 JK", 2, "D3 C3"),
            ("S2 JK", 2, "S2 JK"),
            ("S4 H5 C5", 2, "S4 C5"),
        ] {
            assert_eq!(
                describe(weakest(parse_set(hand).unwrap(), count)),
                given,
                "{hand}"
            );
        }
    }
}
