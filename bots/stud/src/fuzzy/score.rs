//! Scores of hands, 0 to 9: the category of a hand, without kickers.

use hattari_plugin::games::poker::card::CardSet;

/// Number of ranks.
pub(crate) const RANKS: usize = 13;

/// Number of scores.
pub(crate) const SCORES: usize = 10;
/// Names of the scores 0 to 9.
pub(crate) const NAMES: [&str; SCORES] = [
    "nothing",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
];

pub(crate) const NOTHING: usize = 0;
pub(crate) const PAIR: usize = 1;
pub(crate) const TWO_PAIR: usize = 2;
pub(crate) const TRIPS: usize = 3;
pub(crate) const STRAIGHT: usize = 4;
pub(crate) const FLUSH: usize = 5;
pub(crate) const FULL_HOUSE: usize = 6;
pub(crate) const QUADS: usize = 7;
pub(crate) const STRAIGHT_FLUSH: usize = 8;
pub(crate) const ROYAL_FLUSH: usize = 9;

/// Returns the score of the best five cards of a hand with up to seven cards. With fewer than five
/// cards there is no straight and no flush.
pub fn score(hand: CardSet) -> usize {
    debug_assert!(hand.count_ones() <= 7, "a hand has at most seven cards");
    let suited = (0..4)
        .map(|suit| ranks_of_suit(hand, suit))
        .find(|ranks| 5 <= ranks.count_ones());
    let mut class = NOTHING;
    let mut ranks = 0;
    for rank in 0..RANKS {
        let count = count_of_rank(hand, rank);
        class = with_rank(class, count);
        ranks |= u16::from(count != 0) << rank;
    }
    let straight = if is_straight(ranks) {
        STRAIGHT
    } else {
        NOTHING
    };
    suited.map_or(NOTHING, flush_score).max(straight).max(class)
}

/// Returns the class of a hand of `class` after adding `count` cards of a new rank. The classes are
/// nothing, pair, two pair, trips, full house and quads.
pub(crate) fn with_rank(class: usize, count: usize) -> usize {
    match (class, count) {
        (_, 0 | 1) => class,
        (QUADS, _) | (_, 4) => QUADS,
        (NOTHING, 2) => PAIR,
        (PAIR | TWO_PAIR, 2) => TWO_PAIR,
        (NOTHING, _) => TRIPS,
        _ => FULL_HOUSE,
    }
}

/// Returns `true` if the set of ranks, bits 0 (two) to 12 (ace), contains five ranks in a row. The
/// ace is high or low.
pub(crate) const fn is_straight(ranks: u16) -> bool {
    let ranks = ranks << 1 | ranks >> 12;
    ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4 != 0
}

/// Returns the score of a flush: the ranks of five or more cards of one suit, as bits 0 to 12.
pub(crate) fn flush_score(ranks: u16) -> usize {
    const TEN_TO_ACE: u16 = 0b1_1111_0000_0000;
    if ranks & TEN_TO_ACE == TEN_TO_ACE {
        ROYAL_FLUSH
    } else if is_straight(ranks) {
        STRAIGHT_FLUSH
    } else {
        FLUSH
    }
}

/// Returns the ranks that a set contains of one suit, as bits 0 to 12.
pub(crate) fn ranks_of_suit(set: CardSet, suit: usize) -> u16 {
    (0..RANKS).fold(0, |ranks, rank| {
        ranks | u16::from(set >> (4 * rank + suit) & 1 != 0) << rank
    })
}

/// Returns the number of cards of a rank in a set.
pub(crate) fn count_of_rank(set: CardSet, rank: usize) -> usize {
    (set >> (4 * rank) & 0xf).count_ones() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_plugin::games::poker::card::parse_set;

    #[test]
    fn every_hand_category_is_recognised() {
        let check = |cards: &str, expected: usize| {
            assert_eq!(score(parse_set(cards).unwrap()), expected, "{cards}");
        };
        check("As Ks Qs", 0);
        check("As Ks Qs Js", 0);
        check("As Kd Ah", 1);
        check("As Kd Ah Kc 2d 2s 3c", 2);
        check("As Ad Ah Kc 2d 7s 3c", 3);
        check("As 2d 3h 4c 5d 5s 5c", 4);
        check("As 2d Kh Qc Jd Ts 3c", 4);
        check("Qs Kd As 2c 3d 4s 7c", 0);
        check("As 2s 3s 4s 6s 5d 6c", 5);
        check("As Ad Ah Kc Kd 2s 2c", 6);
        check("As Ad Ah Kc Kd Ks 2c", 6);
        check("As Ad Ah Ac Kd Ks Kc", 7);
        check("As 2s 3s 4s 5s Ad Ac", 8);
        check("9s Ts Js Qs Ks As Ac", 9);
    }
}
