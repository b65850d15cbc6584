//! The hands that satisfy constraints: their number, and uniform draws without rejection.

use super::cards::{CardSet, HONOUR_POINTS};
use super::constraints::HandConstraints;
use crate::chance::below_wide;
use rand::Rng;

/// Number of spot cards (two to ten) of a suit. Their bits are below those of the four honours.
const SPOTS: u32 = 9;
/// The sets of spot cards of a suit, by their number of cards.
const SPOT_SETS: [[u16; 126]; SPOTS as usize + 1] = {
    let (mut sets, mut counts) = ([[0; 126]; 10], [0; 10]);
    let mut set = 0_u16;
    while set < 1 << SPOTS {
        let size = set.count_ones() as usize;
        sets[size][counts[size]] = set;
        counts[size] += 1;
        set += 1;
    }
    sets
};
/// The number of sets of spot cards that give a suit its length, by that length and by the set of
/// honours.
const SPOT_WAYS: [[u64; 16]; 14] = {
    let mut ways = [[0; 16]; 14];
    let mut cards = 0_usize;
    while cards < 1 << 13 {
        ways[cards.count_ones() as usize][cards >> SPOTS] += 1;
        cards += 1;
    }
    ways
};

/// The hands that satisfy constraints, in a fixed order: by suit lengths, then by the honours and
/// spot cards of each suit.
#[derive(Clone, Debug)]
pub(super) struct FittingHands {
    /// Number of hands.
    pub count: u64,
    shapes: Vec<Shape>,
}

/// The hands with the same suit lengths.
#[derive(Clone, Debug)]
struct Shape {
    lengths: [u32; 4],
    /// Number of hands with earlier shapes.
    before: u64,
    /// Number of ways to choose the cards of a suit and the later suits, by the suit and by the
    /// points of the earlier suits. After the last suit this is 1 if the points are allowed.
    ways: [[u64; 41]; 5],
}

impl FittingHands {
    /// Counts the hands that satisfy the constraints.
    pub(super) fn of(constraints: &HandConstraints) -> FittingHands {
        let (mut count, mut shapes) = (0, Vec::new());
        let mut shape = Shape {
            lengths: [u32::MAX; 4],
            before: 0,
            ways: [[0; 41]; 5],
        };
        for (points, ways) in (0..).zip(&mut shape.ways[4]) {
            *ways = constraints.fits_points(points).into();
        }
        for n in 0..14_u32.pow(3) {
            let [clubs, diamonds, hearts] = [n / 14 / 14, n / 14 % 14, n % 14];
            let Some(spades) = 13_u32.checked_sub(clubs + diamonds + hearts) else {
                continue;
            };
            let lengths = [spades, hearts, diamonds, clubs];
            if constraints.fits_lengths(lengths) {
                shape.set_lengths(lengths);
                shape.before = count;
                count += shape.ways[0][0];
                shapes.push(shape.clone());
            }
        }
        FittingHands { count, shapes }
    }

    /// Draws one of the hands, all with equal probability. There must be at least one.
    pub(super) fn draw(&self, chance: &mut impl Rng) -> CardSet {
        self.hand(below_wide(chance, self.count))
    }

    /// Returns the hand with this index, which must be less than the number of hands.
    fn hand(&self, mut index: u64) -> CardSet {
        let after = self.shapes.partition_point(|shape| shape.before <= index);
        let shape = &self.shapes[after - 1];
        index -= shape.before;
        let (mut hand, mut points) = (0, 0);
        for (suit, &length) in shape.lengths.iter().enumerate() {
            let later_ways = &shape.ways[suit + 1];
            for (honours, &spot_ways) in SPOT_WAYS[length as usize].iter().enumerate() {
                let more = usize::from(HONOUR_POINTS[honours]);
                let each = later_ways[points + more];
                if index < spot_ways * each {
                    let spots = length - honours.count_ones();
                    let spots = SPOT_SETS[spots as usize][((index / each) & 127) as usize];
                    hand |= (u64::from(spots) | (honours as u64) << SPOTS) << (13 * suit);
                    points += more;
                    index %= each;
                    break;
                }
                index -= spot_ways * each;
            }
        }
        CardSet(hand)
    }
}

impl Shape {
    /// Sets the lengths, and computes the numbers of ways that change.
    fn set_lengths(&mut self, lengths: [u32; 4]) {
        for suit in (0..4).rev() {
            if lengths[suit..] == self.lengths[suit..] {
                continue;
            }
            let spot_ways = &SPOT_WAYS[lengths[suit] as usize];
            for points in 0..=10 * suit {
                let later = &self.ways[suit + 1][points..];
                let ways = |honours| spot_ways[honours] * later[HONOUR_POINTS[honours] as usize];
                self.ways[suit][points] = (0..16).map(ways).sum();
            }
        }
        self.lengths = lengths;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::constraints::is_balanced;
    use std::collections::{BTreeMap, HashSet};

    const ANY: HandConstraints = HandConstraints {
        hcp: [0, 37],
        balanced: false,
        spades: [0, 13],
        hearts: [0, 13],
        diamonds: [0, 13],
        clubs: [0, 13],
    };

    /// Counts all hands by suit lengths and points. Each suit is one of 8,192 sets of cards.
    fn hands_by_lengths_and_points() -> BTreeMap<([u32; 4], u8), u64> {
        let mut suits: BTreeMap<(u32, u8), u64> = BTreeMap::new();
        for set in 0..1 << 13 {
            let suit = CardSet(set);
            *suits
                .entry((suit.len(), suit.high_card_points()))
                .or_default() += 1;
        }
        let mut hands = BTreeMap::from([(([0; 4], 0), 1)]);
        for suit in 0..4 {
            let mut longer = BTreeMap::new();
            for ((lengths, points), count) in hands {
                for ((length, more), ways) in &suits {
                    let mut lengths: [u32; 4] = lengths;
                    lengths[suit] = *length;
                    if lengths.iter().sum::<u32>() <= 13 {
                        *longer.entry((lengths, points + more)).or_default() += count * ways;
                    }
                }
            }
            hands = longer;
        }
        hands.retain(|(lengths, _), _| lengths.iter().sum::<u32>() == 13);
        hands
    }

    /// The literals are known numbers: all hands, hands with 15, 16 and 17 points, hands of the
    /// shapes 4-3-3-3, 4-4-3-2 and 5-3-3-2, and hands with 37 points.
    #[test]
    fn hands_are_counted_by_points_and_lengths() {
        let all = hands_by_lengths_and_points();
        let points = |least, most| HandConstraints {
            hcp: [least, most],
            ..ANY
        };
        let balanced = HandConstraints {
            balanced: true,
            ..ANY
        };
        for (constraints, expected) in [
            (ANY, Some(635_013_559_600)),
            (points(0, 255), Some(635_013_559_600)),
            (
                points(15, 17),
                Some(28_090_962_724 + 21_024_781_756 + 14_997_082_848),
            ),
            (
                balanced,
                Some(66_905_856_160 + 136_852_887_600 + 98_534_079_072),
            ),
            (points(37, 37), Some(4)),
            (points(38, 40), Some(0)),
            (
                HandConstraints {
                    hcp: [15, 17],
                    ..balanced
                },
                None,
            ),
            (
                HandConstraints {
                    spades: [0, 3],
                    hearts: [0, 3],
                    ..points(10, 14)
                },
                None,
            ),
            (
                HandConstraints {
                    spades: [5, 13],
                    clubs: [0, 2],
                    ..points(8, 37)
                },
                None,
            ),
        ] {
            let fits = |&&(lengths, points): &&([u32; 4], u8)| {
                let bounds = [
                    constraints.spades,
                    constraints.hearts,
                    constraints.diamonds,
                    constraints.clubs,
                ];
                (constraints.hcp[0]..=constraints.hcp[1]).contains(&points)
                    && bounds.iter().zip(lengths).all(|(&[least, most], length)| {
                        u32::from(least) <= length && length <= most.into()
                    })
                    && (!constraints.balanced || is_balanced(lengths))
            };
            let counted: u64 = all.keys().filter(fits).map(|key| all[key]).sum();
            assert_eq!(
                FittingHands::of(&constraints).count,
                counted,
                "{constraints:?}"
            );
            assert!(
                expected.is_none_or(|expected| expected == counted),
                "{constraints:?}"
            );
        }
    }

    /// Together with the number of hands, this shows that draws are uniform.
    #[test]
    fn every_index_gives_another_hand_that_fits() {
        let strong = HandConstraints {
            hcp: [34, 37],
            ..ANY
        };
        let long = HandConstraints {
            hcp: [7, 20],
            hearts: [9, 13],
            clubs: [0, 0],
            ..ANY
        };
        let balanced = HandConstraints {
            hcp: [31, 33],
            balanced: true,
            diamonds: [5, 6],
            ..ANY
        };
        for (constraints, count) in [
            (strong, Some(4484 + 624 + 60 + 4)),
            (long, None),
            (balanced, None),
        ] {
            let hands = FittingHands::of(&constraints);
            assert!(count.is_none_or(|count| hands.count == count));
            let mut seen = HashSet::new();
            for index in 0..hands.count {
                let hand = hands.hand(index);
                assert!(
                    hand.len() == 13 && constraints.fits(hand),
                    "{index}: {hand:?}"
                );
                assert!(seen.insert(hand), "{index}: {hand:?}");
            }
        }
    }
}
