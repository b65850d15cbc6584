//! Strength of plays in the current order of ranks.

use hattari_plugin::daihinmin::card::{self, CardSet};
use hattari_plugin::daihinmin::{Action, View};

/// The order of ranks that is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// True if low ranks beat high ones.
    pub reversed: bool,
}

/// Sort key of each set of suits, by the bit mask of the suits. Sorting plays with the same number
/// of cards by this key gives card order (♠ before ♥ before ♦ before ♣).
const PLACE: [u8; 16] = {
    let mut place = [0; 16];
    let mut suits: u8 = 0;
    while suits < 16 {
        // With spades as the highest bit, the set of suits that comes first in card order is the
        // largest number.
        place[suits as usize] = 15 - suits.reverse_bits() / 16;
        suits += 1;
    }
    place
};

impl Order {
    /// Returns the order of ranks in force. A revolution reverses the order. If the rules include
    /// eleven-back, a jack reverses it for the rest of the trick.
    #[inline]
    pub fn in_force(view: &View) -> Order {
        Order {
            reversed: view.revolution != view.eleven_back,
        }
    }

    /// Returns the strength, 0 to 15, of a play among plays of the same kind and size, by its
    /// rank (for a sequence, its lowest rank). A lone joker is strongest in both orders.
    #[inline]
    pub fn strength(self, play: &Action) -> u8 {
        if self.reversed && play.column <= 14 {
            14 - play.column
        } else {
            play.column
        }
    }

    /// Returns all cells of the weakest rank in `cards`, or the joker if `cards` contains no other
    /// card.
    #[inline]
    pub fn weakest_rank(self, cards: CardSet) -> CardSet {
        let suited = cards & card::SUITED;
        if suited == 0 {
            return card::JOKER_SET;
        }
        let cell = if self.reversed {
            suited.ilog2()
        } else {
            suited.trailing_zeros()
        };
        0xf << (cell & !3)
    }

    /// Returns the cells of all ranks that beat the rank of `column`, 0 to 14.
    #[inline]
    pub(crate) fn stronger(self, column: u8) -> CardSet {
        let below = (1 << (4 * column)) - 1;
        if self.reversed {
            card::SUITED & below
        } else {
            card::SUITED & !(below | 0xf << (4 * column))
        }
    }
}

/// Returns the sort key, 0 to 15, of the suits of a play; plays with smaller keys come first in
/// card order. Only valid for comparing plays with the same number of cards.
#[inline]
pub(crate) fn place_of_suits(play: &Action) -> u8 {
    PLACE[usize::from(play.suits & 0xf)]
}

/// Returns `true` if a single or group contains all suited cards that `hand` has of its rank.
#[inline]
pub fn takes_rank(play: &Action, hand: CardSet) -> bool {
    play.cards & card::SUITED == hand & card::column_set(play.column) & card::SUITED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_ordered_by_suit() {
        let pairs = [0b0011, 0b0101, 0b1001, 0b0110, 0b1010, 0b1100];
        let triples = [0b0111, 0b1011, 0b1101, 0b1110];
        for plays in [&[1, 2, 4, 8][..], &pairs, &triples] {
            assert!(
                plays.is_sorted_by_key(|&suits| place_of_suits(&Action {
                    suits,
                    ..Action::PASS
                })),
                "{plays:?}"
            );
        }
    }

    #[test]
    fn a_revolution_reverses_strength_except_for_the_joker() {
        let [up, down] = [false, true].map(|reversed| Order { reversed });
        let single = |column| Action {
            column,
            ..Action::PASS
        };
        assert!(up.strength(&single(1)) < up.strength(&single(13)));
        assert!(down.strength(&single(1)) > down.strength(&single(13)));
        assert_eq!(
            (up.strength(&single(15)), down.strength(&single(15))),
            (15, 15)
        );
        let set = |text| card::parse_set(text).unwrap();
        assert_eq!(up.weakest_rank(set("H4 D4 S9 JK")), set("S4 H4 D4 C4"));
        assert_eq!(down.weakest_rank(set("H4 D4 S9 JK")), set("S9 H9 D9 C9"));
        assert_eq!(up.weakest_rank(set("JK")), set("JK"));
        assert_eq!(up.stronger(12), set("S2 H2 D2 C2"));
        assert_eq!(down.stronger(2), set("S3 H3 D3 C3"));
        assert_eq!(
            (
                up.stronger(13),
                up.stronger(14),
                down.stronger(1),
                down.stronger(0)
            ),
            (0, 0, 0, 0)
        );
        assert_eq!(
            (up.stronger(0), down.stronger(14)),
            (card::SUITED, card::SUITED)
        );
    }
}
