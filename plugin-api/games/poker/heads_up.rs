//! A table of the exact preflop equity of two hands of two cards over all boards.
//!
//! `cargo run --release -p hattari-games --example heads_up` generates the same table again.

use super::card;

/// Number of boards for two hands.
pub const BOARDS: u32 = 1_712_304;
/// Sum of the half pots that two hands win over all boards: two per board.
pub const HALVES: u32 = 2 * BOARDS;
/// Number of table entries. Pairs of hands that differ only in the names of suits share an entry.
pub const PLACES: usize = START[5] + WIDTHS[5] * (RANK_PAIRS * (RANK_PAIRS + 1) / 2);
/// Bits per entry. Entries are packed, starting at the lowest bit of the first byte.
pub const BITS: usize = 22;
const _: () = assert!(HALVES < 1 << BITS);
/// Size of the table in bytes. Entries are read as four bytes, so three bytes of padding follow.
pub const SIZE: usize = (PLACES * BITS).div_ceil(8) + 3;

static TABLE: &[u8; SIZE] = include_bytes!("heads_up.bin");

/// Number of ranks that a pair can have.
const PAIRS: usize = 13;
/// Number of combinations of two different ranks.
const RANK_PAIRS: usize = 78;
/// Number of ways in which the suits of two hands can coincide, for each combination of kinds. The
/// combinations are pair and pair, pair and suited, pair and offsuit, suited and suited, suited and
/// offsuit, offsuit and offsuit.
const WIDTHS: [usize; 6] = [3, 2, 4, 2, 3, 7];
/// Index of the first entry for each combination of kinds, in the order of [`WIDTHS`].
const START: [usize; 6] = {
    let counts = [
        PAIRS * (PAIRS + 1) / 2,
        PAIRS * RANK_PAIRS,
        PAIRS * RANK_PAIRS,
        RANK_PAIRS * (RANK_PAIRS + 1) / 2,
        RANK_PAIRS * RANK_PAIRS,
    ];
    let mut start = [0; 6];
    let mut kinds = 0;
    while kinds < counts.len() {
        start[kinds + 1] = start[kinds] + WIDTHS[kinds] * counts[kinds];
        kinds += 1;
    }
    start
};

/// The kind of a hand, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HandKind {
    Pair,
    Suited,
    Offsuit,
}

/// A hand, with the higher card first.
struct HoleCards {
    kind: HandKind,
    /// Index of the hand's ranks among all hands of its kind.
    number: usize,
    /// Suits of the higher and the lower card.
    suits: [u8; 2],
}

impl HoleCards {
    #[inline]
    fn of(cards: [u8; 2]) -> HoleCards {
        let [low, high] = if cards[0] < cards[1] {
            cards
        } else {
            [cards[1], cards[0]]
        };
        let (rank, lower) = (usize::from(card::rank(high)), usize::from(card::rank(low)));
        let suits = [card::suit(high), card::suit(low)];
        let (kind, number) = if rank == lower {
            (HandKind::Pair, rank)
        } else if suits[0] == suits[1] {
            (HandKind::Suited, rank * (rank - 1) / 2 + lower)
        } else {
            (HandKind::Offsuit, rank * (rank - 1) / 2 + lower)
        };
        HoleCards {
            kind,
            number,
            suits,
        }
    }

    /// Returns the card that has the suit: 0 for the higher, 1 for the lower, 2 for neither.
    #[inline]
    fn card_with_suit(&self, suit: u8) -> usize {
        self.suits.iter().position(|&own| own == suit).unwrap_or(2)
    }

    #[inline]
    fn has(&self, suit: u8) -> usize {
        usize::from(self.suits.contains(&suit))
    }
}

/// Returns the index of the entry for two hands, and `true` if the entry is the result of the first
/// hand, `false` if of the second. The index has no meaning if the hands share a card.
#[inline]
pub fn entry_index(one: [u8; 2], two: [u8; 2]) -> (usize, bool) {
    let (one, two) = (HoleCards::of(one), HoleCards::of(two));
    let in_order = (one.kind, one.number) <= (two.kind, two.number);
    let (one, two) = if in_order { (one, two) } else { (two, one) };
    let [high, low] = two.suits;
    let square = one.number * RANK_PAIRS + two.number;
    let triangle = two.number * (two.number + 1) / 2 + one.number;
    let (kinds, ranks, suits) = match (one.kind, two.kind) {
        (HandKind::Pair, HandKind::Pair) => (0, triangle, one.has(high) + one.has(low)),
        (HandKind::Pair, HandKind::Suited) => (1, square, one.has(high)),
        (HandKind::Pair, _) => (2, square, 2 * one.has(high) + one.has(low)),
        (HandKind::Suited, HandKind::Suited) => (3, triangle, one.has(high)),
        (HandKind::Suited, _) => (4, square, two.card_with_suit(one.suits[0])),
        // Of nine numbers, 0 and 4 cannot occur, because the suits of `two` differ.
        _ => {
            let number = 3 * one.card_with_suit(high) + one.card_with_suit(low);
            (5, triangle, number - 1 - usize::from(number > 4))
        }
    };
    (START[kinds] + WIDTHS[kinds] * ranks + suits, in_order)
}

/// Returns the results of two hands over all boards in half pots, two per win and one per tie. The
/// sum is [`HALVES`]. The hands must not share a card.
#[inline]
pub fn half_pots(one: [u8; 2], two: [u8; 2]) -> [u32; 2] {
    let (place, is_of_first) = entry_index(one, two);
    let bit = place * BITS;
    let four = TABLE[bit / 8..].first_chunk().copied().unwrap_or_default();
    let won = u32::from_le_bytes(four) >> (bit % 8) & ((1 << BITS) - 1);
    if is_of_first {
        [won, HALVES - won]
    } else {
        [HALVES - won, won]
    }
}
