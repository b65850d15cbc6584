//! Tests each rule of the published players as a table: win rate and situation, then decision.
//!
//! A situation is `free` or `facing` a bet, with the values that are different, as in
//! `facing n=2 pot=83`. `capped` is `raise_max=0`.

use hattari_bots_holdem::honest;
use hattari_bots_holdem::situation::Decision::{Fold, RaiseBy, Stay};
use hattari_bots_holdem::situation::Situation;
use hattari_bots_holdem::small_bluff::{Chances, decide, published, repaired, table};

const FREE: Situation = Situation {
    n: 6,
    pot: 80,
    to_call: 0,
    big_blind: 2,
    raise_max: 500,
    is_preflop: false,
};
const FACING: Situation = Situation {
    to_call: 20,
    ..FREE
};

/// Parses a win rate and a situation.
fn parse(text: &str) -> (f64, Situation) {
    let mut words = text.split_whitespace();
    let rate = words.next().unwrap().parse().expect(text);
    let mut situation = if words.next() == Some("free") {
        FREE
    } else {
        FACING
    };
    for word in words {
        let (name, value) = word.split_once('=').unwrap_or((word, "0"));
        match name {
            "n" => situation.n = value.parse().expect(text),
            "pot" => situation.pot = value.parse().expect(text),
            "raise_max" | "capped" => situation.raise_max = value.parse().expect(text),
            "preflop" => situation.is_preflop = true,
            _ => panic!("{text}: {name}"),
        }
    }
    (rate, situation)
}

/// Returns the lines of a table without comments, in two parts.
fn cases(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.trim().lines().filter(|line| !line.starts_with("--"));
    lines.map(|line| line.split_once(" > ").expect(line))
}

/// Asserts the chances to raise, to stay and to fold.
fn close(chances: Chances, expected: &str, what: &str) {
    let found = [chances.raise, chances.stay, chances.fold];
    for (found, expected) in found.into_iter().zip(expected.split(' ')) {
        let expected: f64 = expected.parse().expect(what);
        assert!((found - expected).abs() < 1e-12, "{what}: {chances:?}");
    }
}

const HONEST: &str = "
-- 1. It raises from 1.5 even shares, by a quarter of the pot …
0.25 free > RaiseBy(20)
0.2499 free > Stay
0.25 facing > RaiseBy(20)
0.75 free n=2 > RaiseBy(20)
0.7499 free n=2 > Stay
-- … rounded down, at least the big blind, at most the maximum raise.
0.9 free pot=83 > RaiseBy(20)
0.9 free pot=7 > RaiseBy(2)
0.9 free raise_max=13 > RaiseBy(13)
0.9 free raise_max=1 pot=7 > RaiseBy(1)
-- 2. If no raise is possible, or the hand is not good enough, it calls by the odds: 5 times 0.2 is 1 …
0.2 facing > Stay
0.1999 facing > Fold
0.25 facing capped > Stay
0.1999 facing capped > Fold
-- … and before the flop from 0.66.
0.132 facing preflop > Stay
0.1319 facing preflop > Fold
-- 3. Otherwise it checks.
0.0 free > Stay
0.9 free capped > Stay
";

#[test]
fn honest_decides_according_to_its_published_clauses() {
    for (case, decision) in cases(HONEST) {
        let (rate, situation) = parse(case);
        let decided = honest::decide(rate, &situation);
        assert_eq!(format!("{decided:?}"), decision, "{case}");
    }
}

const TABLE: &str = "
6.0 > 0.9 0.1 0.0
1.5 > 0.9 0.1 0.0
1.25 > 0.55 0.45 0.0
1.0 > 0.2 0.8 0.0
0.75 > 0.1 0.4 0.5
0.5 > 0.0 0.0 1.0
0.49 > 0.0 0.0 1.0
0.0 > 0.0 0.0 1.0
";

#[test]
fn the_small_bluff_probabilities_match_the_published_table() {
    for (x, expected) in cases(TABLE) {
        close(table(x.parse().unwrap()), expected, x);
    }
    // The function is continuous at the borders of the pieces.
    for x in [0.5, 1.0, 1.5] {
        let (below, above) = (table(x - 1e-9), table(x + 1e-9));
        assert!((below.raise - above.raise).abs() < 1e-6 && (below.fold - above.fold).abs() < 1e-6);
    }
}

const PUBLISHED: &str = "
-- A good hand.
0.25 facing > 0.9 0.1 0.0
-- The best hand where it may not raise, facing a bet and where a check is free.
1.0 facing capped > 0.0 0.0 1.0
1.0 free capped > 0.0 0.0 1.0
-- A weak hand and a middling hand where a check is free.
0.05 free > 0.0 0.0 1.0
0.125 free > 0.1 0.4 0.5
";

#[test]
fn the_published_small_bluff_player_keeps_its_two_known_faults() {
    for (case, expected) in cases(PUBLISHED) {
        let (rate, situation) = parse(case);
        close(published(rate, &situation), expected, case);
    }
}

/// The chance of a bluff, then the case.
const REPAIRED: &str = "
-- A good hand, and the best and a middling hand where it may not raise.
0.0 0.25 facing > 0.9 0.1 0.0
0.0 1.0 facing capped > 0.0 1.0 0.0
0.0 0.125 facing capped > 0.0 0.5 0.5
-- A middling hand facing a bet, and where a check is free.
0.0 0.125 facing > 0.1 0.4 0.5
0.0 0.125 free > 0.1 0.9 0.0
-- A weak hand where a check is free, and facing a bet.
0.0 0.0 free > 0.0 1.0 0.0
0.0 0.0 facing > 0.0 0.0 1.0
-- Bluffs only occur with hands that always fold by the table, and if a raise is possible.
0.1 0.0 facing > 0.1 0.0 0.9
0.1 0.0 free > 0.1 0.9 0.0
0.1 0.0 facing capped > 0.0 0.0 1.0
0.1 0.125 facing > 0.1 0.4 0.5
";

#[test]
fn the_repaired_player_calls_at_the_cap_and_never_folds_for_free() {
    for (case, expected) in cases(REPAIRED) {
        let (bluff, rest) = case.split_once(' ').unwrap();
        let (rate, situation) = parse(rest);
        let chances = repaired(rate, &situation, bluff.parse().unwrap());
        close(chances, expected, case);
    }
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
    for (situation, raise) in [("0 facing pot=5", 2), ("0 facing raise_max=3", 3)] {
        let decided = decide(&chances, 0.0, &parse(situation).1);
        assert_eq!(decided, RaiseBy(raise), "{situation}");
    }
}
