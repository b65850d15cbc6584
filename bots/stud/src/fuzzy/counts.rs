//! Exact numbers of completions of a hand by score, computed without enumerating the completions.
//!
//! Scores below a flush depend only on ranks. Hands are therefore first counted by ranks, ignoring
//! suits, in one pass over the thirteen ranks. A flush needs five cards of a suit, so at most two
//! cards have other suits. Flush hands are enumerated by the ranks of their suit, subtracted from
//! the score of their ranks, and counted as flushes. Full houses and quads have at most four ranks
//! and are never flushes.

use crate::fuzzy::score::{
    NOTHING, PAIR, QUADS, RANKS, SCORES, STRAIGHT, TRIPS, TWO_PAIR, count_of_rank, flush_score,
    is_straight, ranks_of_suit, with_rank,
};
use hattari_plugin::games::poker::card::{CLUBS, CardSet};

/// Maximum number of cards in a hand.
pub(crate) const HAND_SIZE: usize = 7;

/// Returns, for each score from 0 to 9, the number of ways to choose `unknown` cards of `deck` that
/// give this score together with `known`.
///
/// The sum of the counts is the binomial coefficient "number of cards in `deck`, choose `unknown`".
///
/// `known` and `deck` must not share a card, and the hand must have at most seven cards.
pub(crate) fn count(known: CardSet, deck: CardSet, unknown: usize) -> [u64; SCORES] {
    let mut counts = count_by_ranks(known, deck, unknown);
    for suit in 0..4 {
        move_flushes(known, deck, unknown, suit, &mut counts);
    }
    counts
}

/// Number of ranks in a straight; longer runs are counted with this length.
const STRAIGHT_LENGTH: usize = 5;

/// Number of ways to choose cards of the ranks considered so far. The indexes are the number of
/// chosen cards, the class of equal ranks, and the length of the run that ends at the last rank.
type Ways = [[[u64; STRAIGHT_LENGTH + 1]; QUADS + 1]; HAND_SIZE + 1];

/// Counts hands by score, ignoring flushes.
fn count_by_ranks(known: CardSet, deck: CardSet, unknown: usize) -> [u64; SCORES] {
    const ACE: usize = RANKS - 1;
    let mut counts = [0; SCORES];
    let aces = count_of_rank(known, ACE);
    // The ace starts the run below the two. It may also end the run above the king, so hands with
    // and without an ace are counted separately.
    for has_ace in [false, true] {
        let mut ways: Ways = Default::default();
        let mut possible = false;
        for chosen in 0..=count_of_rank(deck, ACE).min(unknown) {
            if (aces + chosen != 0) == has_ace {
                ways[chosen][with_rank(NOTHING, aces + chosen)][usize::from(has_ace)] =
                    choose(count_of_rank(deck, ACE), chosen);
                possible = true;
            }
        }
        if !possible {
            continue;
        }
        for rank in 0..ACE {
            ways = add_rank(
                &ways,
                count_of_rank(known, rank),
                count_of_rank(deck, rank),
                unknown,
            );
        }
        for (class, runs) in ways[unknown].iter().enumerate() {
            for (run, &ways) in runs.iter().enumerate() {
                let straight = STRAIGHT_LENGTH <= run + usize::from(has_ace);
                counts[if straight { class.max(STRAIGHT) } else { class }] += ways;
            }
        }
    }
    counts
}

/// Returns `ways` after adding one more rank, of which `known` cards are in the hand and `left`
/// more can be drawn.
fn add_rank(ways: &Ways, known: usize, left: usize, unknown: usize) -> Ways {
    let mut next: Ways = Default::default();
    for used in 0..=unknown {
        for drawn in 0..=left.min(unknown - used) {
            let (count, factor) = (known + drawn, choose(left, drawn));
            for (class, runs) in ways[used].iter().enumerate() {
                let target = &mut next[used + drawn][with_rank(class, count)];
                for (run, &ways) in runs.iter().enumerate().filter(|(_, ways)| **ways != 0) {
                    let longer = if run == STRAIGHT_LENGTH {
                        STRAIGHT_LENGTH
                    } else if count == 0 {
                        0
                    } else {
                        run + 1
                    };
                    target[longer] += ways * factor;
                }
            }
        }
    }
    next
}

/// The cards of other suits in a hand with a flush: none, one or two.
struct OffSuitCards {
    /// Bit set of the ranks of these cards.
    ranks: u16,
    /// True if both have the same rank.
    pair: bool,
    /// Number of ways to choose cards with these ranks.
    ways: u64,
}

/// Moves hands with five or more cards of `suit` from the score of their ranks to the score of
/// their flush.
fn move_flushes(
    known: CardSet,
    deck: CardSet,
    unknown: usize,
    suit: usize,
    counts: &mut [u64; SCORES],
) {
    const FLUSH_SIZE: usize = 5;
    let (have, left) = (ranks_of_suit(known, suit), ranks_of_suit(deck, suit));
    let most = unknown.min(left.count_ones() as usize);
    for suited in FLUSH_SIZE.saturating_sub(have.count_ones() as usize)..=most {
        let others = others(known, deck, suit, unknown - suited);
        let all: u64 = others.iter().map(|other| other.ways).sum();
        if all == 0 {
            continue;
        }
        let mut by_ranks = [0; STRAIGHT + 1];
        for drawn in subsets(suited).filter(|drawn| drawn & !left == 0) {
            let ranks = have | drawn;
            counts[flush_score(ranks)] += all;
            if is_straight(ranks) {
                by_ranks[STRAIGHT] += all;
                continue;
            }
            for other in &others {
                by_ranks[score_by_ranks(ranks, other)] += other.ways;
            }
        }
        for (score, moved) in by_ranks.into_iter().enumerate() {
            counts[score] -= moved;
        }
    }
}

/// Returns all sets of `size` ranks, as bit sets in ascending order.
fn subsets(size: usize) -> impl Iterator<Item = u16> {
    const ALL: u16 = (1 << RANKS) - 1;
    std::iter::successors(Some((1 << size) - 1), move |&set: &u16| {
        // The next larger number with the same number of bits: the lowest run of ones moves up by
        // one bit, and its other bits move to the end.
        let lowest = set & set.wrapping_neg();
        let ripple = set + lowest;
        let next = ((ripple ^ set) >> 2).checked_div(lowest)? | ripple;
        (next <= ALL).then_some(next)
    })
}

/// Table that is true for each set of ranks with a straight.
static STRAIGHTS: [bool; 1 << RANKS] = {
    let mut straights = [false; 1 << RANKS];
    let mut ranks: u16 = 0;
    while ranks < 1 << RANKS {
        straights[ranks as usize] = is_straight(ranks);
        ranks += 1;
    }
    straights
};

/// Returns the score by ranks of a hand with a flush, ignoring suits.
fn score_by_ranks(ranks: u16, other: &OffSuitCards) -> usize {
    if STRAIGHTS[usize::from(ranks | other.ranks)] {
        return STRAIGHT;
    }
    match ((ranks & other.ranks).count_ones(), other.pair) {
        (0, false) => NOTHING,
        (0, true) | (1, false) => PAIR,
        (1, true) => TRIPS,
        _ => TWO_PAIR,
    }
}

/// Returns the possible sets of cards outside `suit`, made of the known ones and `drawn` others,
/// grouped by ranks. Returns an empty list for more than two cards, which no hand with a flush has.
fn others(known: CardSet, deck: CardSet, suit: usize, drawn: usize) -> Vec<OffSuitCards> {
    let outside = !(CLUBS << suit);
    let (known, deck) = (known & outside, deck & outside);
    let fixed: Vec<usize> = (0..RANKS)
        .flat_map(|rank| std::iter::repeat_n(rank, count_of_rank(known, rank)))
        .collect();
    let of = |ranks: &[usize], ways: u64| OffSuitCards {
        ranks: ranks.iter().fold(0, |bits, rank| bits | 1 << rank),
        pair: ranks.len() == 2 && ranks[0] == ranks[1],
        ways,
    };
    let left = |rank: usize| count_of_rank(deck, rank);
    let mut all = Vec::new();
    match (fixed.as_slice(), drawn) {
        (fixed @ ([] | [_] | [_, _]), 0) => all.push(of(fixed, 1)),
        ([], 1) => all.extend((0..RANKS).map(|rank| of(&[rank], choose(left(rank), 1)))),
        (&[first], 1) => {
            all.extend((0..RANKS).map(|rank| of(&[first, rank], choose(left(rank), 1))))
        }
        ([], 2) => {
            for low in 0..RANKS {
                all.push(of(&[low, low], choose(left(low), 2)));
                all.extend(
                    (low + 1..RANKS)
                        .map(|high| of(&[low, high], choose(left(low), 1) * choose(left(high), 1))),
                );
            }
        }
        _ => {}
    }
    all.retain(|others| others.ways != 0);
    all
}

/// Returns the number of ways to choose `k` of `n` cards of one rank.
fn choose(n: usize, k: usize) -> u64 {
    const CHOOSE: [[u64; 5]; 5] = [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 2, 1, 0, 0],
        [1, 3, 3, 1, 0],
        [1, 4, 6, 4, 1],
    ];
    CHOOSE[n][k]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzy::score::score;
    use hattari_plugin::games::poker::card::{DECK, cards, parse_set, set_of};
    use proptest::prelude::*;

    /// Counts all completions one by one.
    fn listed(hand: CardSet, deck: CardSet, unknown: usize, counts: &mut [u64; SCORES]) {
        if unknown == 0 {
            counts[score(hand)] += 1;
            return;
        }
        let mut rest = deck;
        for card in cards(deck) {
            rest &= !(1 << card);
            listed(hand | 1 << card, rest, unknown - 1, counts);
        }
    }

    /// Published frequencies of five- and seven-card hands, with royal flushes counted separately.
    #[test]
    fn hand_counts_of_a_full_deck_match_known_frequencies() {
        let five = [
            1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
        ];
        assert_eq!(count(0, DECK, 5), five);
        let seven = [
            23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184,
            224_848, 37_260, 4_324,
        ];
        assert_eq!(count(0, DECK, 7), seven);
    }

    #[test]
    fn visible_flushes_are_counted_as_flushes() {
        for hand in [
            "2s 4s 6s 8s Ts",
            "2s 3s 4s 5s 6s",
            "Ts Js Qs Ks As",
            "As 2s 3s 4s 4d",
            "4s 4d 5s 6s 7s 8s",
            "2s 4s 6s 8s Ts 2d",
            "As Ad Ah Ac",
            "2d 2s 3s 4s",
            "As 2s 3s 4s 6s Kd",
            "9c Tc Jc Qc",
        ] {
            let known = parse_set(hand).unwrap();
            let unknown = 7 - known.count_ones() as usize;
            let mut expected = [0; SCORES];
            listed(known, DECK & !known, unknown, &mut expected);
            assert_eq!(count(known, DECK & !known, unknown), expected, "{hand}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn hand_counts_match_enumeration(order in Just((0..52u8).collect::<Vec<_>>()).prop_shuffle(), known in 0usize..8,
                                      unknown in 0usize..5, gone in 0usize..30) {
            let unknown = unknown.min(7 - known);
            let (hand, deck) = (set_of(&order[..known]), set_of(&order[known + gone.min(44 - known)..]));
            let deck = deck & !hand;
            let mut expected = [0; SCORES];
            listed(hand, deck, unknown, &mut expected);
            prop_assert_eq!(count(hand, deck, unknown), expected);
        }
    }
}
