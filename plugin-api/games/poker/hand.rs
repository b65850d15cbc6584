//! What hands are worth: the one place that knows the library behind the ranking.
//!
//! The tables are those of the package `pokers` (a perfect hash after zekyll's OMPEval). Its sums
//! of cards can be added to each other, which halves the time of a sampled win rate against
//! `rs_poker`, whose `SevenCardAccum` takes cards one by one only; `benches/poker.rs` has both. It
//! looks into its tables unchecked, so nothing else may hand it cards: [`Tally`] refuses a card
//! that is there already, and an eighth one, which keeps every look-up inside of the tables.

use super::card::{self, CardSet};
use pokers::{CARDS, Hand};

/// Fewest cards that can be ranked.
pub const RANKED_MIN: u32 = 5;
/// Most cards that can be ranked.
pub const RANKED_MAX: u32 = 7;

/// Cards on their way to a rank: adding is one addition, so that sums of common cards can be used
/// again.
#[derive(Clone, Copy, Debug)]
pub struct Tally(Hand);

/// Cards that are added to a [`Tally`] at once, such as a hand to the community cards.
#[derive(Clone, Copy, Debug)]
pub struct Group(Hand);

impl Group {
    /// The group of the cards of a set.
    ///
    /// # Panics
    /// If the set is empty or holds something else than cards of the deck.
    #[inline]
    #[must_use]
    pub fn of(set: CardSet) -> Group {
        let mut sums = card::cards(set).map(|card| CARDS[usize::from(card)]);
        let first = sums.next().expect("a group has a card");
        Group(sums.fold(first, |sum, card| sum + card))
    }
}

/// How good the best five cards of a hand are: higher beats lower, equal splits.
/// The default is below every hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u16);

/// Kinds of hand, from the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Nothing of the below.
    HighCard,
    /// Two cards of one rank.
    OnePair,
    /// Two pairs.
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
    /// All of them, from the weakest.
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

    /// Its name in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Category::HighCard => "high card",
            Category::OnePair => "one pair",
            Category::TwoPair => "two pair",
            Category::ThreeOfAKind => "three of a kind",
            Category::Straight => "straight",
            Category::Flush => "flush",
            Category::FullHouse => "full house",
            Category::FourOfAKind => "four of a kind",
            Category::StraightFlush => "straight flush",
        }
    }
}

impl Tally {
    /// The sum of no cards.
    #[inline]
    #[must_use]
    pub fn new() -> Tally {
        Tally(Hand::default())
    }

    /// The sum of a set.
    ///
    /// # Panics
    /// If the set holds something else than cards of the deck.
    #[inline]
    #[must_use]
    pub fn of(set: CardSet) -> Tally {
        card::cards(set).fold(Tally::new(), Tally::with)
    }

    /// The sum with one more card.
    ///
    /// # Panics
    /// If the number is no card's, or the card is among the others.
    #[inline]
    #[must_use]
    pub fn with(self, card: u8) -> Tally {
        // The library numbers cards as we do, but for the order of the suits, which are alike to a
        // rank.
        let sum = CARDS[usize::from(card)];
        assert!(
            self.0.get_mask() & sum.get_mask() == 0,
            "a card stands twice"
        );
        Tally(self.0 + sum)
    }

    /// The sum with more cards.
    ///
    /// # Panics
    /// If one of them is there already.
    #[inline]
    #[must_use]
    pub fn plus(self, more: Group) -> Tally {
        assert!(
            self.0.get_mask() & more.0.get_mask() == 0,
            "a card stands twice"
        );
        Tally(self.0 + more.0)
    }

    /// How good the best five of the cards are.
    ///
    /// # Panics
    /// If they are fewer than five or more than seven.
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

impl Default for Tally {
    fn default() -> Tally {
        Tally::new()
    }
}

impl Strength {
    /// How good the best five cards of a set are.
    ///
    /// # Panics
    /// If the set has fewer than five or more than seven cards.
    #[inline]
    #[must_use]
    pub fn of(set: CardSet) -> Strength {
        Tally::of(set).strength()
    }

    /// The kind of the hand.
    #[must_use]
    pub const fn category(self) -> Category {
        Category::ALL[(self.0 >> 12).saturating_sub(1) as usize]
    }

    /// A number that orders strengths, for tables.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }
}

/// How good one to four face-up cards are, where the best shown hand acts first: four of a rank
/// beat three, three beat two pairs, two pairs one, one none; then ranks count, the most frequent
/// first, each from the highest down. Higher beats lower; equal for hands that differ in suits
/// alone. Four cards make no straight and no flush. Of hands of unequal numbers of cards that are
/// alike as far as both go the longer one is higher.
#[must_use]
pub fn showing(up: CardSet) -> u32 {
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
    // The kind comes before every rank: two low pairs beat a pair of aces.
    let kind = 2 * most + u32::from(of_count(2).count() == 2);
    let ranks = (1..=4).rev().flat_map(of_count).zip([12, 8, 4, 0]);
    // Four bits a rank, none for a rank that is missing.
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
    fn hands_are_in_order() {
        // Each beats the one before it; the last cards of seven do not matter where five are
        // better.
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

    /// Frequencies of hands of five cards and of seven, as counted in every book.
    #[test]
    fn every_hand_has_its_kind() {
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
    fn shown_cards_are_in_order() {
        let showing = |cards: &str| showing(card::parse_set(cards).unwrap());
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

    /// A hand by the book: its kind, then the ranks to compare, out of the sorted ranks.
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

    /// All hands of up to four cards, as far as ranks go, each against each of as many cards.
    #[test]
    fn every_shown_hand_has_its_place() {
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
                // The cards of one rank take its suits one after the other.
                let suit = |at: usize| hand[..at].iter().filter(|&&rank| rank == hand[at]).count();
                (0..hand.len()).fold(0, |set, at| {
                    set | 1_u64 << (usize::from(4 * hand[at]) + suit(at))
                })
            };
            let ranked: Vec<_> = hands
                .iter()
                .map(|hand| (shown_by_the_book(hand), showing(set(hand))))
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
    fn sums_do_not_depend_on_how_they_are_made() {
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
    fn a_group_cannot_be_added_twice() {
        let _ = Tally::of(0b111).plus(Group::of(0b100));
    }

    #[test]
    #[should_panic(expected = "twice")]
    fn a_card_cannot_be_added_twice() {
        let _ = Tally::new().with(7).with(8).with(7);
    }

    #[test]
    #[should_panic(expected = "5 to 7")]
    fn eight_cards_are_not_ranked() {
        let _ = Tally::of(0xff).strength();
    }
}
