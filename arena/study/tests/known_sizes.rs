//! Sizes that two independent programs solved (`tests/data/tanhinmin.json`, which states the
//! conventions).

#![expect(clippy::cast_possible_truncation, reason = "test data is small")]

use hattari_study::tanhinmin::{
    Conventions, HandReport, Memory, PassRule, Size, SizeReport, TieRule, solve_size,
};
use serde_json::Value;

fn known() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/tanhinmin.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn size_of(cell: &Value) -> Size {
    let number = |key: &str| cell[key].as_u64().unwrap() as u32;
    Size {
        cards: number("cards"),
        players: number("players"),
    }
}

fn solve(size: Size, pass: PassRule) -> (SizeReport, Vec<HandReport>) {
    let conventions = Conventions {
        pass,
        ..Conventions::default()
    };
    solve_size(
        size,
        conventions,
        TieRule::Every,
        Memory::for_size(size),
        2,
        &|_| (),
    )
    .unwrap()
}

fn check(size: Size, pass: PassRule, known: &Value) {
    let (ours, _) = solve(size, pass);
    let number = |key: &str| known[key].as_u64().unwrap();
    for (value, key) in [
        (ours.zero, "zero"),
        (ours.hands, "hands"),
        (ours.worst, "worst_best_count"),
        (ours.deals, "D"),
    ] {
        assert_eq!(value, number(key), "{size:?} {pass:?}: {key}");
    }
    for (value, key) in [
        (ours.worst_deviation(), "worst_cns_sd"),
        (ours.worst_variance(), "worst_cns_var"),
    ] {
        let expected = known[key].as_f64().unwrap();
        assert!((value - expected).abs() < 5e-5, "{size:?} {pass:?}: {key}");
    }
    let histogram = known["best_count_histogram"].as_object().unwrap();
    assert_eq!(ours.histogram.len(), histogram.len());
    for (best, hands) in &ours.histogram {
        assert_eq!(
            histogram[&best.to_string()].as_u64(),
            Some(*hands),
            "{size:?} {pass:?}: {best}"
        );
    }
}

#[test]
fn every_size_is_solved_with_the_known_result() {
    let mut checked = 0;
    for cell in known()["cells"].as_array().unwrap() {
        let size = size_of(cell);
        for (key, pass) in [
            ("pass_permanent", PassRule::Permanent),
            ("pass_not_permanent", PassRule::Free),
        ] {
            if let Some(known) = cell.get(key) {
                check(size, pass, known);
                checked += 1;
            }
        }
    }
    assert!(checked >= 18, "{checked} sizes");
}

/// Compares, for each lead, the number of deals in which it is best and in which it is the only
/// best.
#[test]
fn every_hand_is_solved_with_the_known_result() {
    let numbers = |value: &Value| -> Vec<u64> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .collect()
    };
    let mut checked = 0;
    for cell in known()["cells"].as_array().unwrap() {
        let Some(hands) = cell
            .get("per_hand_pass_permanent")
            .and_then(Value::as_array)
        else {
            continue;
        };
        let size = size_of(cell);
        let (outlook, reports) = solve(size, PassRule::Permanent);
        assert_eq!(outlook.hands, hands.len() as u64);
        for known in hands {
            let own = numbers(&known["own"]);
            let is_own = |report: &&HandReport| {
                report
                    .hand
                    .iter()
                    .map(|&card| u64::from(card))
                    .eq(own.iter().copied())
            };
            let ours = reports.iter().find(is_own).unwrap();
            assert_eq!(ours.best, numbers(&known["E_count"]), "{size:?} {own:?}");
            assert_eq!(ours.sole, numbers(&known["sole"]), "{size:?} {own:?}");
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked} hands");
}

#[test]
fn numbers_of_deals_match_table_1_of_the_paper() {
    let deals = |cards, players| Size { cards, players }.all_deals();
    assert_eq!(
        [
            deals(1, 5),
            deals(2, 5),
            deals(3, 4),
            deals(4, 3),
            deals(5, 3)
        ],
        [120.0, 113_400.0, 369_600.0, 34_650.0, 756_756.0]
    );
}

#[test]
fn sizes_that_cannot_be_solved_are_refused() {
    for (cards, players) in [
        (0, 2),
        (3, 1),
        (2, 7),
        (14, 2),
        (9, 3),
        (7, 4),
        (4, 5),
        (3, 6),
        (u32::MAX, 5),
    ] {
        assert!(
            Size { cards, players }.check().is_err(),
            "{cards} x {players}"
        );
    }
    for (cards, players) in [(13, 2), (8, 3), (6, 4), (3, 5), (2, 6)] {
        assert!(
            Size { cards, players }.check().is_ok(),
            "{cards} x {players}"
        );
    }
}
