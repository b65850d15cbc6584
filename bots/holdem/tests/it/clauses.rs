//! Tests each rule of the published players as a table: win rate and situation, then decision.

use hattari_bots_holdem::honest;
use hattari_bots_holdem::situation::Decision::{self, Fold, RaiseBy, Stay};
use hattari_bots_holdem::situation::Situation;
use hattari_bots_holdem::small_bluff::{Chances, decide, published, repaired, table};

/// Six players after the flop, pot 80, nothing to call, big blind 2, maximum raise 500.
const FREE: Situation = Situation {
    n: 6,
    pot: 80,
    to_call: 0,
    big_blind: 2,
    raise_max: 500,
    is_preflop: false,
};
/// Like `FREE`, with a bet of 20 to call: odds 5.
const FACING: Situation = Situation {
    to_call: 20,
    ..FREE
};

#[test]
fn honest_decides_according_to_its_published_clauses() {
    let no_raise = |situation| Situation {
        raise_max: 0,
        ..situation
    };
    let table: &[(f64, Situation, Decision)] = &[
        // 1. It raises from 1.5 even shares, by a quarter of the pot …
        (0.25, FREE, RaiseBy(20)),
        (0.2499, FREE, Stay),
        (0.25, FACING, RaiseBy(20)),
        (0.75, Situation { n: 2, ..FREE }, RaiseBy(20)),
        (0.7499, Situation { n: 2, ..FREE }, Stay),
        // … rounded down, at least the big blind, at most the maximum raise.
        (0.9, Situation { pot: 83, ..FREE }, RaiseBy(20)),
        (0.9, Situation { pot: 7, ..FREE }, RaiseBy(2)),
        (
            0.9,
            Situation {
                raise_max: 13,
                ..FREE
            },
            RaiseBy(13),
        ),
        (
            0.9,
            Situation {
                raise_max: 1,
                pot: 7,
                ..FREE
            },
            RaiseBy(1),
        ),
        // 2. If no raise is possible, or the hand is not good enough, it calls by the odds: 5 times
        //    0.2 is 1 …
        (0.2, FACING, Stay),
        (0.1999, FACING, Fold),
        (0.25, no_raise(FACING), Stay),
        (0.1999, no_raise(FACING), Fold),
        // … and before the flop from 0.66.
        (
            0.132,
            Situation {
                is_preflop: true,
                ..FACING
            },
            Stay,
        ),
        (
            0.1319,
            Situation {
                is_preflop: true,
                ..FACING
            },
            Fold,
        ),
        // 3. Otherwise it checks.
        (0.0, FREE, Stay),
        (0.9, no_raise(FREE), Stay),
    ];
    for (w, situation, decision) in table {
        assert_eq!(
            honest::decide(*w, situation),
            *decision,
            "{w} {situation:?}"
        );
    }
}

fn close(chances: Chances, raise: f64, stay: f64, fold: f64, what: &str) {
    for (chance, expected) in [
        (chances.raise, raise),
        (chances.stay, stay),
        (chances.fold, fold),
    ] {
        assert!((chance - expected).abs() < 1e-12, "{what}: {chances:?}");
    }
}

#[test]
fn the_small_bluff_probabilities_match_the_published_table() {
    for (x, raise, stay, fold) in [
        (6.0, 0.9, 0.1, 0.0),
        (1.5, 0.9, 0.1, 0.0),
        (1.25, 0.55, 0.45, 0.0),
        (1.0, 0.2, 0.8, 0.0),
        (0.75, 0.1, 0.4, 0.5),
        (0.5, 0.0, 0.0, 1.0),
        (0.49, 0.0, 0.0, 1.0),
        (0.0, 0.0, 0.0, 1.0),
    ] {
        close(table(x), raise, stay, fold, &format!("{x}"));
    }
    // The function is continuous at the borders of the pieces.
    for x in [0.5, 1.0, 1.5] {
        let (below, above) = (table(x - 1e-9), table(x + 1e-9));
        assert!((below.raise - above.raise).abs() < 1e-6 && (below.fold - above.fold).abs() < 1e-6);
    }
}

#[test]
fn the_published_small_bluff_player_keeps_its_two_known_faults() {
    let capped = |situation| Situation {
        raise_max: 0,
        ..situation
    };
    close(published(0.25, &FACING), 0.9, 0.1, 0.0, "a good hand");
    close(
        published(1.0, &capped(FACING)),
        0.0,
        0.0,
        1.0,
        "the best hand where it may not raise",
    );
    close(
        published(1.0, &capped(FREE)),
        0.0,
        0.0,
        1.0,
        "the same where a check is free",
    );
    close(
        published(0.05, &FREE),
        0.0,
        0.0,
        1.0,
        "a weak hand where a check is free",
    );
    close(
        published(0.125, &FREE),
        0.1,
        0.4,
        0.5,
        "a middling hand where a check is free",
    );
}

#[test]
fn the_repaired_player_calls_at_the_cap_and_never_folds_for_free() {
    let capped = |situation| Situation {
        raise_max: 0,
        ..situation
    };
    close(repaired(0.25, &FACING, 0.0), 0.9, 0.1, 0.0, "a good hand");
    close(
        repaired(1.0, &capped(FACING), 0.0),
        0.0,
        1.0,
        0.0,
        "the best hand where it may not raise",
    );
    close(
        repaired(0.125, &capped(FACING), 0.0),
        0.0,
        0.5,
        0.5,
        "a middling hand where it may not raise",
    );
    close(
        repaired(0.125, &FACING, 0.0),
        0.1,
        0.4,
        0.5,
        "a middling hand facing a bet",
    );
    close(
        repaired(0.125, &FREE, 0.0),
        0.1,
        0.9,
        0.0,
        "a middling hand where a check is free",
    );
    close(
        repaired(0.0, &FREE, 0.0),
        0.0,
        1.0,
        0.0,
        "a weak hand where a check is free",
    );
    close(
        repaired(0.0, &FACING, 0.0),
        0.0,
        0.0,
        1.0,
        "a weak hand facing a bet",
    );
    // Bluffs only occur with hands that always fold by the table, and if a raise is possible.
    close(repaired(0.0, &FACING, 0.1), 0.1, 0.0, 0.9, "a bluff");
    close(
        repaired(0.0, &FREE, 0.1),
        0.1,
        0.9,
        0.0,
        "a bluff or a free check",
    );
    close(
        repaired(0.0, &capped(FACING), 0.1),
        0.0,
        0.0,
        1.0,
        "a bluff that cannot be made",
    );
    close(
        repaired(0.125, &FACING, 0.1),
        0.1,
        0.4,
        0.5,
        "no bluff with a middling hand",
    );
}

#[test]
fn random_numbers_select_the_action_and_raises_are_a_fifth_of_the_pot() {
    let chances = Chances {
        raise: 0.1,
        stay: 0.4,
        fold: 0.5,
    };
    for (drawn, decision) in [
        (0.0, RaiseBy(16)),
        (0.0999, RaiseBy(16)),
        (0.1, Stay),
        (0.4999, Stay),
        (0.5, Fold),
        (0.9999, Fold),
    ] {
        assert_eq!(decide(&chances, drawn, &FACING), decision, "{drawn}");
    }
    // Rounding errors never cause a fold with probability 0.
    let sure = Chances {
        raise: 0.2,
        stay: 0.7999999999,
        fold: 0.0,
    };
    assert_eq!(decide(&sure, 0.99999999999, &FACING), Stay);
    assert_eq!(
        decide(&chances, 0.0, &Situation { pot: 5, ..FACING }),
        RaiseBy(2)
    );
    assert_eq!(
        decide(
            &chances,
            0.0,
            &Situation {
                raise_max: 3,
                ..FACING
            }
        ),
        RaiseBy(3)
    );
}
