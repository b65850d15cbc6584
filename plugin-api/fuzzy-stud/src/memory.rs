//! Remembers the counts of first turns: they take longest, and up to an exchange of suits there are few of them.

use crate::card::{CardSet, DECK, ranks_of_suit};
use crate::score::SCORES;
use std::cell::RefCell;
use std::collections::HashMap;

/// Most cards that are known in a situation that comes again: three own ones and the first that the opponent shows. With
/// two cards more there are hundreds of times as many situations, which are counted faster as well.
const KNOWN_MAX: u32 = 4;
/// Most situations that are remembered, 112 bytes each. First turns are about 47,000.
const ENTRIES_MAX: usize = 1 << 16;

type Counts = HashMap<u128, [u64; SCORES]>;

thread_local! {
    /// What a thread has counted. It outlives players, but changes nothing of what they decide: counts do not depend on when
    /// they are made.
    static MEMORY: RefCell<Counts> = RefCell::new(Counts::new());
}

/// What `count` gives for the completions of `known` from `deck`, remembered where that pays.
pub(crate) fn recall(known: CardSet, deck: CardSet, count: impl FnOnce() -> [u64; SCORES]) -> [u64; SCORES] {
    if KNOWN_MAX < (DECK & !deck).count_ones() || known == 0 {
        return count();
    }
    let key = key(known, deck);
    if let Some(counts) = MEMORY.with_borrow(|memory| memory.get(&key).copied()) {
        return counts;
    }
    let counts = count();
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() < ENTRIES_MAX {
            memory.insert(key, counts);
        }
    });
    counts
}

/// The same number for situations that differ by an exchange of suits: what is known and what is gone of each suit, the
/// suits sorted.
fn key(known: CardSet, deck: CardSet) -> u128 {
    let mut suits: [u32; 4] = std::array::from_fn(|suit| {
        u32::from(ranks_of_suit(known, suit)) << 13 | u32::from(ranks_of_suit(DECK & !deck & !known, suit))
    });
    suits.sort_unstable();
    suits.iter().fold(0, |key, &suit| key << 26 | u128::from(suit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{cards, parse_set};
    use crate::counts::count;

    fn turn_1(own: &str, shown: &str) -> (CardSet, CardSet) {
        let set = |names: &str| parse_set(&names.split(' ').collect::<Vec<_>>()).unwrap();
        (set(shown), DECK & !set(own) & !set(shown))
    }

    #[test]
    fn suits_do_not_matter_and_all_else_does() {
        let key_of = |own, shown| {
            let (known, deck) = turn_1(own, shown);
            key(known, deck)
        };
        let one = key_of("Js 6d Qc", "5h");
        assert_eq!(one, key_of("Jh 6c Qd", "5s"));
        for (own, shown) in [("Js 6d Qs", "5h"), ("Js 6h Qc", "5h"), ("5h 6d Qc", "Js"), ("Js 7d Qc", "5h")] {
            assert_ne!(one, key_of(own, shown), "{own} {shown}");
        }
    }

    #[test]
    fn what_is_remembered_is_what_was_counted() {
        let (known, deck) = turn_1("Js 6d Qc", "5h");
        let counted = count(known, deck, 6);
        assert_eq!(recall(known, deck, || counted), counted);
        let (known, deck) = turn_1("Jh 6c Qd", "5s");
        assert_eq!(recall(known, deck, || unreachable!("it is remembered")), counted);
        assert_eq!(count(known, deck, 6), counted);
        // Later turns are counted every time.
        let later = deck & !(1 << cards(deck).next().unwrap());
        let other = [1; SCORES];
        assert_eq!(recall(known, later, || other), other);
    }
}
