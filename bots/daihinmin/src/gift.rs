//! The exchange: selection of the cards to give away.
//!
//! The papers and the contest's manual leave the choice to the player. The contest's sample client
//! gives its weakest cards. All play styles do the same, so that only their play differs.

use hattari_plugin::daihinmin::Action;

/// Returns the index of the action that gives the weakest cards, which the rules list last. Lower
/// ranks are weaker (no deal begins in a revolution), within a rank ♣, ♦, ♥, ♠; the joker is the
/// strongest card. The rules take tribute in the opposite order of suits. Here ♠3 is kept longer,
/// because it beats a joker.
pub(crate) fn weakest_gift(legal: &[Action]) -> usize {
    legal.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::daihinmin::card::{describe, parse_set};
    use hattari_plugin::games::daihinmin::legal_gifts;

    #[test]
    fn weakest_cards_are_ordered_by_rank_and_reversed_suits_with_the_joker_last() {
        for (hand, count, given) in [
            ("S5 H5 H9 JK", 1, "H5"),
            ("S3 H3 D9 CK", 2, "S3 H3"),
            ("S3 D3 C3 JK", 2, "D3 C3"),
            ("S2 JK", 2, "S2 JK"),
            ("S4 H5 C5", 2, "S4 C5"),
        ] {
            let mut legal = Vec::new();
            legal_gifts(parse_set(hand).unwrap(), count, &mut legal);
            let gift = legal[weakest_gift(&legal)];
            assert_eq!(describe(gift.cards), given, "{hand}");
        }
    }
}
