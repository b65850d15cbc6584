//! Ranks of hands. Only this file uses the library for ranking.
//!
//! The tables are those of the package `pokers` (a perfect hash after zekyll's OMPEval). Its sums
//! of cards can be added, which halves the time of a sampled win rate compared with `rs_poker`,
//! whose `SevenCardAccum` takes single cards only. The library does not check its table indices.
//! [`Tally`] therefore refuses duplicate cards and an eighth card, which keeps every index in
//! range.

use super::card::{self, CardSet};
use pokers::{CARDS, Hand};

/// Minimum number of cards that can be ranked.
pub const RANKED_MIN: u32 = 5;
/// Maximum number of cards that can be ranked.
pub const RANKED_MAX: u32 = 7;

/// A sum of cards from which their rank is computed. Sums of community cards can be reused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally(Hand);

/// Cards that are added to a [`Tally`] in one step, such as the hand of a seat.
#[derive(Clone, Copy, Debug)]
pub struct Group(Hand);

impl Group {
    /// Creates the group of the cards of a set.
    ///
    /// # Panics
    /// Panics if the set is empty or contains numbers that are not cards.
    #[inline]
    pub fn of(set: CardSet) -> Group {
        let mut sums = card::cards(set).map(|card| CARDS[usize::from(card)]);
        let first = sums.next().expect("a group has a card");
        Group(sums.fold(first, |sum, card| sum + card))
    }
}

/// The strength of the best five cards of a hand. A higher value wins; equal hands split the pot.
/// The default is below every hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u16);

/// A category of hands, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// None of the other categories.
    HighCard,
    /// Two cards of one rank.
    OnePair,
    /// Two cards of one rank and two of another.
    TwoPair,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Five ranks in sequence; the ace is high or low.
    Straight,
    /// Five cards of one suit.
    Flush,
    /// Three cards of one rank and two of another.
    FullHouse,
    /// Four cards of one rank.
    FourOfAKind,
    /// Five ranks in sequence of one suit.
    StraightFlush,
}

impl Category {
    /// All categories, weakest first.
    pub const ALL: [Category; 9] = [
        Category::HighCard,
        Category::OnePair,
        Category::TwoPair,
        Category::ThreeOfAKind,
        Category::Straight,
        Category::Flush,
        Category::FullHouse,
        Category::FourOfAKind,
        Category::StraightFlush,
    ];

    /// Returns the name of the category, for example `full house`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        [
            "high card",
            "one pair",
            "two pair",
            "three of a kind",
            "straight",
            "flush",
            "full house",
            "four of a kind",
            "straight flush",
        ][self as usize]
    }
}

impl Tally {
    /// Creates an empty sum.
    #[inline]
    pub fn new() -> Tally {
        Tally::default()
    }

    /// Creates the sum of a set.
    ///
    /// # Panics
    /// Panics if the set contains numbers that are not cards.
    #[inline]
    pub fn of(set: CardSet) -> Tally {
        card::cards(set).fold(Tally::new(), Tally::with)
    }

    /// Adds one card.
    ///
    /// # Panics
    /// Panics if the number is not a card, or if the card is already in the sum.
    #[inline]
    #[must_use]
    pub fn with(self, card: u8) -> Tally {
        // The library orders suits differently, which does not affect ranks.
        let sum = CARDS[usize::from(card)];
        assert!(
            self.0.get_mask() & sum.get_mask() == 0,
            "a card occurs twice"
        );
        Tally(self.0 + sum)
    }

    /// Adds cards. The compiler unrolls the loop over five cards.
    ///
    /// # Panics
    /// Panics in the same cases as [`Tally::with`].
    #[inline]
    #[must_use]
    pub fn with_all(self, cards: &[u8]) -> Tally {
        let with = |sum: Tally, &card: &u8| sum.with(card);
        match <&[u8; 5]>::try_from(cards) {
            Ok(board) => board.iter().fold(self, with),
            Err(_) => cards.iter().fold(self, with),
        }
    }

    /// Adds a group of cards.
    ///
    /// # Panics
    /// Panics if a card of the group is already in the sum.
    #[inline]
    #[must_use]
    pub fn plus(self, more: Group) -> Tally {
        assert!(
            self.0.get_mask() & more.0.get_mask() == 0,
            "a card occurs twice"
        );
        Tally(self.0 + more.0)
    }

    /// Returns the strength of the best five cards.
    ///
    /// # Panics
    /// Panics if there are fewer than five or more than seven cards.
    #[inline]
    #[must_use]
    pub fn strength(self) -> Strength {
        let count = self.0.count();
        assert!(
            (RANKED_MIN..=RANKED_MAX).contains(&count),
            "only hands of 5 to 7 cards are ranked"
        );
        Strength(self.0.evaluate())
    }
}

impl Strength {
    /// Returns the strength of the best five cards of a set.
    ///
    /// # Panics
    /// Panics if the set has fewer than five or more than seven cards.
    #[inline]
    pub fn of(set: CardSet) -> Strength {
        Tally::of(set).strength()
    }

    /// Returns the category of the hand.
    #[must_use]
    pub const fn category(self) -> Category {
        Category::ALL[(self.0 >> 12).saturating_sub(1) as usize]
    }

    /// Returns the strength as a number, for tables. A higher number wins.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// Returns the strength of one to four open cards, to find the seat that acts first. Four of a rank
/// beat three, three beat two pairs, two pairs beat one pair, and one pair beats none. Then ranks
/// are compared: the most frequent first, then the highest. Suits, straights and flushes do not
/// count. If a hand equals the beginning of a longer one, the longer hand is higher.
pub fn open_hand_strength(up: CardSet) -> u32 {
    let count_of = |rank: u8| (up >> (4 * rank) & 0xf).count_ones();
    let of_count = |wanted: u32| {
        (0..=card::ACE)
            .rev()
            .filter(move |&rank| count_of(rank) == wanted)
    };
    let most = (1..=4)
        .rev()
        .find(|&wanted| of_count(wanted).next().is_some())
        .unwrap_or(0);
    // The category comes before all ranks: two low pairs beat a pair of aces.
    let kind = 2 * most + u32::from(of_count(2).count() == 2);
    let ranks = (1..=4).rev().flat_map(of_count).zip([12, 8, 4, 0]);
    // Four bits per rank; 0 for a missing rank.
    ranks.fold(kind << 16, |value, (rank, place)| {
        value | (u32::from(rank) + 1) << place
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(hand: &str) -> Strength {
        Strength::of(card::parse_set(hand).unwrap())
    }

    #[test]
    fn poker_hands_are_ordered_by_strength() {
        // Each hand beats the one before it. Of seven cards, the two lowest may not matter.
        let ladder = [
            "7c5d4h3s2c",
            "AcQdJh9s7c",
            "AcKdJh9s7c",
            "2c2d5h4s3c",
            "AcAdKhQs9c",
            "3c3d2h2sAc",
            "AcAdKhKsQc",
            "2c2d2h4s3c",
            "AcAdAhKsQc",
            "5c4d3h2sAc",
            "6c5d4h3s2c",
            "AcKdQhJsTc",
            "7c5c4c3c2c",
            "AcKcQcJc9c",
            "2c2d2h3s3c",
            "AcAdAhKsKc",
            "2c2d2h2s3c",
            "AcAdAhAsKc",
            "5c4c3c2cAc",
            "AcKcQcJcTc",
        ];
        for pair in ladder.windows(2) {
            assert!(strength(pair[0]) < strength(pair[1]), "{pair:?}");
        }
        assert_eq!(strength("AcAdKhKs2c2d9h"), strength("AhAsKcKd9s"));
        assert_eq!(strength("AcKcQcJcTc").category(), Category::StraightFlush);
        assert_eq!(strength("7c5d4h3s2c").category(), Category::HighCard);
    }

    /// The numbers of hands of five and of seven cards in each category are well known.
    #[test]
    fn hand_category_counts_match_known_frequencies() {
        let mut five = [0_u32; 9];
        for_each(Tally::new(), 0, 5, &mut |tally| {
            five[tally.strength().category() as usize] += 1
        });
        assert_eq!(
            five,
            [
                1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40
            ]
        );
        let mut seven = [0_u32; 9];
        for_each(Tally::new(), 0, 7, &mut |tally| {
            seven[tally.strength().category() as usize] += 1
        });
        let known = [
            23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184,
            224_848, 41_584,
        ];
        assert_eq!(seven, known);
    }

    fn for_each(tally: Tally, from: u8, left: u32, look: &mut impl FnMut(Tally)) {
        if left == 0 {
            return look(tally);
        }
        for card in from..52 {
            for_each(tally.with(card), card + 1, left - 1, look);
        }
    }

    #[test]
    fn visible_hands_are_ordered_by_strength() {
        let showing = |cards: &str| open_hand_strength(card::parse_set(cards).unwrap());
        let ladder = [
            "3c2c", "AcKd", "2c2d", "AcAd", "4c3d2h", "AcQdJh", "AcKd2h", "2c2d3h", "2c2dAh",
            "AcAdKh", "2c2d2h", "AcAdAh", "5c4d3h2s", "AcKdQhTs", "AcKdQhJs", "2c2d4h3s",
            "2c2dAh3s", "AcAdKhQs", "3c3d2h2s", "AcAd2h2s", "AcAdKhKs", "2c2d2h3s", "2c2d2hAs",
            "2c2d2h2s",
        ];
        for pair in ladder
            .windows(2)
            .filter(|pair| pair[0].len() == pair[1].len())
        {
            assert!(showing(pair[0]) < showing(pair[1]), "{pair:?}");
        }
        assert_eq!(showing("AcKcQcJc"), showing("AdKcQcJc"));
    }

    /// Ranks a hand of sorted ranks by the rule: its category, then the ranks to compare.
    fn shown_by_the_book(ranks: &[u8]) -> (u8, Vec<u8>) {
        match *ranks {
            [a, b, c, d] if a == b && b == c && c == d => (5, vec![a]),
            [a, b, c, d] if a == b && b == c => (4, vec![a, d]),
            [a, b, c, d] if b == c && c == d => (4, vec![b, a]),
            [a, b, c] if a == b && b == c => (4, vec![a]),
            [a, b, c, d] if a == b && c == d => (3, vec![a, c]),
            [a, b, c, d] if a == b => (2, vec![a, c, d]),
            [a, b, c, d] if b == c => (2, vec![b, a, d]),
            [a, b, c, d] if c == d => (2, vec![c, a, b]),
            [a, b, c] if a == b => (2, vec![a, c]),
            [a, b, c] if b == c => (2, vec![b, a]),
            [a, b] if a == b => (2, vec![a]),
            _ => (1, ranks.to_vec()),
        }
    }

    /// Compares all hands of up to four cards with all hands of the same size, by ranks.
    #[test]
    fn visible_hand_strengths_match_comparison_by_ranks() {
        for count in 1..=4 {
            let mut hands: Vec<Vec<u8>> = vec![vec![]];
            for _ in 0..count {
                let longer = |hand: &Vec<u8>| {
                    let hand = hand.clone();
                    (0..=hand.last().copied().unwrap_or(card::ACE))
                        .map(move |rank| [&hand[..], &[rank]].concat())
                };
                hands = hands.iter().flat_map(longer).collect();
            }
            let set = |hand: &[u8]| {
                // Equal ranks get different suits.
                let suit = |at: usize| hand[..at].iter().filter(|&&rank| rank == hand[at]).count();
                (0..hand.len()).fold(0, |set, at| {
                    set | 1_u64 << (usize::from(4 * hand[at]) + suit(at))
                })
            };
            let ranked: Vec<_> = hands
                .iter()
                .map(|hand| (shown_by_the_book(hand), open_hand_strength(set(hand))))
                .collect();
            assert_eq!(ranked.len(), [13, 91, 455, 1820][count - 1]);
            for (number, (book, ours)) in ranked.iter().enumerate() {
                for (other, (other_book, other_ours)) in ranked.iter().enumerate() {
                    assert_eq!(
                        book.cmp(other_book),
                        ours.cmp(other_ours),
                        "{:?} {:?}",
                        hands[number],
                        hands[other]
                    );
                }
            }
        }
    }

    #[test]
    fn a_tally_does_not_depend_on_the_grouping_of_cards() {
        let (board, hand) = (
            card::parse_set("2c5d9hJsQs").unwrap(),
            card::parse_set("AsTs").unwrap(),
        );
        assert_eq!(
            Tally::of(board).plus(Group::of(hand)).strength(),
            Strength::of(board | hand)
        );
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn adding_a_group_twice_panics() {
        let _ = Tally::of(0b111).plus(Group::of(0b100));
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn adding_a_card_twice_panics() {
        let _ = Tally::new().with(7).with(8).with(7);
    }

    #[test]
    #[should_panic(expected = "5 to 7")]
    fn ranking_eight_cards_panics() {
        let _ = Tally::of(0xff).strength();
    }
}
