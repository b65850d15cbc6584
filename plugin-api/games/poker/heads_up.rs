//! Two hands of two cards before the flop: what each wins of the pot over all boards that can come,
//! from a table.
//!
//! `cargo run --release -p hattari-games --example heads_up` makes the table again, byte by byte as
//! it is.

use super::card;

/// Boards that two hands leave.
pub const BOARDS: u32 = 1_712_304;
/// Half pots that the two hands share: two a board.
pub const HALVES: u32 = 2 * BOARDS;
/// Places of the table: pairs of hands that no exchange of suits makes equal have places of their
/// own.
pub const PLACES: usize = START[5] + WIDTHS[5] * (SPREAD * (SPREAD + 1) / 2);
/// Bits of an entry, which lie behind each other from the lowest bit of the first byte on.
pub const BITS: usize = 22;
const _: () = assert!(HALVES < 1 << BITS);
/// Bytes of the table. The last entry can be read as those before, with the three bytes that
/// follow.
pub const SIZE: usize = (PLACES * BITS).div_ceil(8) + 3;

static TABLE: &[u8; SIZE] = include_bytes!("heads_up.bin");

/// Pairs of equal ranks.
const PAIRS: usize = 13;
/// Pairs of unequal ranks.
const SPREAD: usize = 78;
/// Ways in which the suits of two hands can be alike, by the kinds of the hands, the first of which
/// is not above the second: two pairs, a pair and suited cards, a pair and others, twice suited,
/// suited and others, twice others.
const WIDTHS: [usize; 6] = [3, 2, 4, 2, 3, 7];
/// Where the places of each of these begin.
const START: [usize; 6] = {
    let counts = [
        PAIRS * (PAIRS + 1) / 2,
        PAIRS * SPREAD,
        PAIRS * SPREAD,
        SPREAD * (SPREAD + 1) / 2,
        SPREAD * SPREAD,
    ];
    let mut start = [0; 6];
    let mut kinds = 0;
    while kinds < counts.len() {
        start[kinds + 1] = start[kinds] + WIDTHS[kinds] * counts[kinds];
        kinds += 1;
    }
    start
};

/// What of a hand the ranks say, in the order in which hands stand in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Pair,
    Suited,
    Offsuit,
}

/// A hand with its higher card first.
#[derive(Clone, Copy, Debug)]
struct Hole {
    kind: Kind,
    /// Number of its ranks among those of the kind.
    number: usize,
    /// Suits of the higher card and of the lower one.
    suits: [u8; 2],
}

impl Hole {
    #[inline]
    fn of(cards: [u8; 2]) -> Hole {
        let [low, high] = if cards[0] < cards[1] {
            cards
        } else {
            [cards[1], cards[0]]
        };
        let (rank, lower) = (usize::from(card::rank(high)), usize::from(card::rank(low)));
        let suits = [card::suit(high), card::suit(low)];
        if rank == lower {
            return Hole {
                kind: Kind::Pair,
                number: rank,
                suits,
            };
        }
        let kind = if suits[0] == suits[1] {
            Kind::Suited
        } else {
            Kind::Offsuit
        };
        Hole {
            kind,
            number: rank * (rank - 1) / 2 + lower,
            suits,
        }
    }

    /// Which of the own cards has a suit: 0 for the higher one, 1 for the lower, 2 for none.
    #[inline]
    fn holder(&self, suit: u8) -> usize {
        if self.suits[0] == suit {
            0
        } else if self.suits[1] == suit {
            1
        } else {
            2
        }
    }

    #[inline]
    fn has(&self, suit: u8) -> usize {
        usize::from(self.suits.contains(&suit))
    }
}

/// The place of two hands, and whether its entry is what the first of them wins; else it is what
/// the second does. Where the hands share a card it is some place.
#[inline]
#[must_use]
pub fn place(one: [u8; 2], two: [u8; 2]) -> (usize, bool) {
    let (one, two) = (Hole::of(one), Hole::of(two));
    let in_order = (one.kind, one.number) <= (two.kind, two.number);
    let (one, two) = if in_order { (one, two) } else { (two, one) };
    let [high, low] = two.suits;
    let square = one.number * SPREAD + two.number;
    let triangle = two.number * (two.number + 1) / 2 + one.number;
    let (kinds, ranks, suits) = match (one.kind, two.kind) {
        (Kind::Pair, Kind::Pair) => (0, triangle, one.has(high) + one.has(low)),
        (Kind::Pair, Kind::Suited) => (1, square, one.has(high)),
        (Kind::Pair, _) => (2, square, 2 * one.has(high) + one.has(low)),
        (Kind::Suited, Kind::Suited) => (3, triangle, one.has(high)),
        (Kind::Suited, _) => (4, square, two.holder(one.suits[0])),
        // Two cards of one suit cannot be others' equals, which are numbers 0 and 4 of nine.
        _ => {
            let number = 3 * one.holder(high) + one.holder(low);
            (5, triangle, number - 1 - usize::from(number > 4))
        }
    };
    (START[kinds] + WIDTHS[kinds] * ranks + suits, in_order)
}

/// What each of two hands wins over all boards, in half pots: two of a board that it wins, one of a
/// board that they split. In all [`HALVES`]. The hands have no card in common.
#[inline]
#[must_use]
pub fn halves(one: [u8; 2], two: [u8; 2]) -> [u32; 2] {
    let (place, is_of_first) = place(one, two);
    let bit = place * BITS;
    let four = TABLE[bit / 8..].first_chunk().copied().unwrap_or_default();
    let won = u32::from_le_bytes(four) >> (bit % 8) & ((1 << BITS) - 1);
    if is_of_first {
        [won, HALVES - won]
    } else {
        [HALVES - won, won]
    }
}
