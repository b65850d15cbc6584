//! The table of preflop equities, compared with counts of all boards, known values and itself.

use hattari_games::poker::card::{self, CardSet, parse_list};
use hattari_games::poker::equity::exact_between;
use hattari_games::poker::heads_up::{BOARDS, HALVES, PLACES, entry_index, half_pots};
use std::collections::BTreeSet;

fn hand(text: &str) -> [u8; 2] {
    parse_list(text).unwrap().try_into().unwrap()
}

/// Returns all hands of two cards, the higher card first.
fn hands() -> impl Iterator<Item = [u8; 2]> + Clone {
    (0..52).flat_map(|high| (0..high).map(move |low| [high, low]))
}

/// Returns all pairs of hands without a common card, in both orders.
fn pairs() -> impl Iterator<Item = ([u8; 2], [u8; 2])> {
    let shares = |one: [u8; 2], two: [u8; 2]| one.iter().any(|card| two.contains(card));
    hands().flat_map(move |one| {
        hands()
            .filter(move |&two| !shares(one, two))
            .map(move |two| (one, two))
    })
}

/// Pairs of every kind and with every coincidence of suits, with and without common ranks.
#[test]
fn table_entries_equal_counts_over_all_boards() {
    for (one, two) in [
        ("AsAh", "AdAc"),
        ("AsAh", "KsKh"),
        ("2c2d", "3c3h"),
        ("8s8h", "AhKh"),
        ("9c9d", "9h8h"),
        ("QdQh", "AhKd"),
        ("QdQh", "AdKh"),
        ("AsKs", "7d2c"),
        ("JhTh", "6h5h"),
        ("AsKs", "AdKd"),
        ("5s4s", "5h4d"),
        ("AsKd", "AhKc"),
        ("AsKd", "AdQs"),
        ("Jd3h", "Th9c"),
    ] {
        let (one, two) = (hand(one), hand(two));
        let counts = exact_between(&[card::set_of(&one), card::set_of(&two)], 0, 0);
        let counted = [0, 1].map(|seat: usize| 2 * counts[seat].wins() + counts[seat].ties());
        assert_eq!(
            half_pots(one, two).map(u64::from),
            counted,
            "{one:?} {two:?}"
        );
        assert_eq!(counts[0].deals, u64::from(BOARDS));
    }
}

/// The names of suits and the orders of hands and cards have no influence. Two permutations that
/// generate all others suffice.
#[test]
fn shares_do_not_depend_on_suit_names_or_hand_order() {
    let renamed = |hand: [u8; 2], order: [u8; 4]| {
        hand.map(|card| card / 4 * 4 + order[usize::from(card % 4)])
    };
    for (one, two) in pairs() {
        let [own, other] = half_pots(one, two);
        assert_eq!(own + other, HALVES);
        assert_eq!(half_pots(two, one), [other, own], "{one:?} {two:?}");
        for order in [[1, 0, 2, 3], [1, 2, 3, 0]] {
            let ([high, low], two) = (renamed(one, order), renamed(two, order));
            assert_eq!(half_pots([low, high], two), [own, other], "{one:?} {two:?}");
        }
    }
}

/// There are 47,008 pairs of hands up to the names of suits and the order of hands. Each has its
/// own entry; pairs of the same kind and ranks may have one for each order.
#[test]
fn different_pairs_of_hands_have_different_entries() {
    let (mut places, mut classes) = (BTreeSet::new(), BTreeSet::new());
    for (one, two) in pairs() {
        let (place_of_both, is_of_first) = entry_index(one, two);
        let (other_way, is_of_second) = entry_index(two, one);
        assert!(is_of_first || is_of_second);
        assert!(place_of_both == other_way || (is_of_first && is_of_second));
        places.insert(place_of_both);
        classes.insert(place_of_both.min(other_way));
    }
    assert_eq!(classes.len(), 47_008);
    assert!(places.last() < Some(&PLACES));
}

/// Known shares against a random hand.
#[test]
fn shares_against_a_random_hand_match_known_values() {
    for (text, known) in [
        ("AsAh", 0.8520),
        ("KsKh", 0.8240),
        ("AsKs", 0.6704),
        ("7c2d", 0.3458),
        ("3c2d", 0.3230),
    ] {
        let own = hand(text);
        let meets = |other: &[u8; 2]| card::set_of(&own) & card::set_of(other) == 0 as CardSet;
        let won: u64 = hands()
            .filter(meets)
            .map(|other| u64::from(half_pots(own, other)[0]))
            .sum();
        let share = won as f64 / (1225.0 * f64::from(HALVES));
        assert!((share - known).abs() < 1e-4, "{text}: {share}");
    }
}
