//! Cache of the counts of [`count`](super::counts::count). Counts in first turns take longest, and
//! there are few of them up to permutations of suits, so all are kept. Of later turns, only the
//! latest counts are kept: a league may deal the same cards to many line-ups in succession.

use crate::fuzzy::score::{SCORES, ranks_of_suit};
use hattari_plugin::games::poker::card::{CardSet, DECK};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem;

/// Maximum number of known cards in a first turn: three cards of the player and the first open card
/// of the opponent.
const KNOWN_MAX: u32 = 4;
/// Maximum number of cached first turns, of 112 bytes each. There are about 47,000 first turns.
const ENTRIES_MAX: usize = 1 << 16;
/// Minimum number of later turns that stay cached; the maximum is twice this number. A hundred
/// games with the same cards at twelve tables need about two thousand.
const RECENT_MIN: usize = 1 << 13;

/// Numbers of completions by score, for each key of the cards.
type Counts = HashMap<u128, [u64; SCORES]>;

/// The counts cached by a thread.
#[derive(Default)]
struct Memory {
    first_turns: Counts,
    /// Counts of later turns. When their number reaches [`RECENT_MIN`], they replace `before`.
    recent: Counts,
    before: Counts,
}

impl Memory {
    fn get(&self, key: u128) -> Option<[u64; SCORES]> {
        [&self.first_turns, &self.recent, &self.before]
            .into_iter()
            .find_map(|counts| counts.get(&key))
            .copied()
    }

    fn keep(&mut self, key: u128, counts: [u64; SCORES], is_first_turn: bool) {
        if is_first_turn {
            if self.first_turns.len() < ENTRIES_MAX {
                self.first_turns.insert(key, counts);
            }
            return;
        }
        if RECENT_MIN <= self.recent.len() {
            self.before = mem::take(&mut self.recent);
        }
        self.recent.insert(key, counts);
    }
}

thread_local! {
    /// Cache that all players in a thread share. It does not affect decisions, because counts are
    /// pure functions of the cards.
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Returns the counts for the completions of `known` from `deck`: cached ones, or those of `count`.
pub(crate) fn get_or_insert_with(
    known: CardSet,
    deck: CardSet,
    count: impl FnOnce() -> [u64; SCORES],
) -> [u64; SCORES] {
    if known == 0 {
        return count();
    }
    let key = key(known, deck);
    if let Some(counts) = MEMORY.with_borrow(|memory| memory.get(key)) {
        return counts;
    }
    let counts = count();
    let is_first_turn = (DECK & !deck).count_ones() <= KNOWN_MAX;
    MEMORY.with_borrow_mut(|memory| memory.keep(key, counts, is_first_turn));
    counts
}

/// Returns a key that is equal for situations that differ only by a permutation of suits: the known
/// and the unavailable ranks of each suit, with the suits sorted.
fn key(known: CardSet, deck: CardSet) -> u128 {
    let mut suits: [u32; 4] = std::array::from_fn(|suit| {
        u32::from(ranks_of_suit(known, suit)) << 13
            | u32::from(ranks_of_suit(DECK & !deck & !known, suit))
    });
    suits.sort_unstable();
    suits
        .iter()
        .fold(0, |key, &suit| key << 26 | u128::from(suit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzzy::counts::count;
    use hattari_plugin::games::poker::card::{cards, parse_set};

    fn turn_1(own: &str, shown: &str) -> (CardSet, CardSet) {
        let set = |names: &str| parse_set(names).unwrap();
        (set(shown), DECK & !set(own) & !set(shown))
    }

    #[test]
    fn cache_keys_ignore_suit_permutations_only() {
        let key_of = |own, shown| {
            let (known, deck) = turn_1(own, shown);
            key(known, deck)
        };
        let one = key_of("Js 6d Qc", "5h");
        assert_eq!(one, key_of("Jh 6c Qd", "5s"));
        for (own, shown) in [
            ("Js 6d Qs", "5h"),
            ("Js 6h Qc", "5h"),
            ("5h 6d Qc", "Js"),
            ("Js 7d Qc", "5h"),
        ] {
            assert_ne!(one, key_of(own, shown), "{own} {shown}");
        }
    }

    #[test]
    fn cached_counts_equal_computed_counts() {
        let (known, deck) = turn_1("Js 6d Qc", "5h");
        let counted = count(known, deck, 6);
        assert_eq!(get_or_insert_with(known, deck, || counted), counted);
        let (known, deck) = turn_1("Jh 6c Qd", "5s");
        assert_eq!(
            get_or_insert_with(known, deck, || unreachable!("it is remembered")),
            counted
        );
        assert_eq!(count(known, deck, 6), counted);
        // A later turn is cached as well,
        let later = deck & !(1 << cards(deck).next().unwrap());
        let other = [1; SCORES];
        assert_eq!(get_or_insert_with(known, later, || other), other);
        assert_eq!(
            get_or_insert_with(known, later, || unreachable!("it is remembered")),
            other
        );
        // until enough other turns follow. First turns stay.
        let mut memory = Memory::default();
        memory.keep(0, other, true);
        for number in 1..=u128::try_from(2 * RECENT_MIN + 1).unwrap() {
            memory.keep(number, other, false);
        }
        assert_eq!(memory.get(0), Some(other));
        assert_eq!((memory.get(1), memory.get(2)), (None, None));
        assert_eq!(
            memory.get(u128::try_from(RECENT_MIN + 1).unwrap()),
            Some(other)
        );
    }
}
