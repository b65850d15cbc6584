//! Compares the player with numbers from an independent program.

use super::limits;
use hattari_bots_stud::fuzzy::cases::{Cases, run};
use hattari_bots_stud::fuzzy::config::{Adjustment, Sets};
use hattari_bots_stud::fuzzy::decide::{amount, intention};
use hattari_bots_stud::fuzzy::infer::{Premise, RULES, Tendencies, adjust, infer};
use hattari_bots_stud::fuzzy::learn::{change, modification};
use serde::Deserialize;
use serde_json::{Value, from_value};

fn golden() -> Value {
    let text = include_str!("../../../../../tests/data/stud.json");
    serde_json::from_str(text).expect("the file is JSON")
}

fn read<'a, T: serde::de::DeserializeOwned>(value: &'a Value, keys: &[&str]) -> T {
    from_value(
        keys.iter()
            .fold(value, |value: &'a Value, key| &value[*key])
            .clone(),
    )
    .expect("as described")
}

#[track_caller]
fn assert_near(computed: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (computed - expected).abs() < tolerance,
        "{what}: {computed}, expected {expected}"
    );
}

#[test]
fn counts_expectations_and_potentials_match_the_golden_values() {
    let cases: Cases = from_value(golden()).unwrap();
    assert_eq!((cases.cases.len(), cases.potentials.len()), (22, 17));
    let report = run(&cases).unwrap();
    assert_eq!(report.differences, []);
    // 27 numbers per estimate, 12 per potential, and 10 for each of the two hand sizes of the whole
    // deck.
    assert_eq!(report.numbers, 22 * 27 + 17 * 12 + 20);
}

#[derive(Deserialize)]
struct Inferred {
    t: String,
    exp: f64,
    bet: f64,
    turn: u8,
    p: f64,
    k: usize,
    infer: f64,
    result: f64,
}

#[test]
fn fuzzy_inference_matches_the_golden_values() {
    let golden = golden();
    let sets = Sets::default();
    let cases: Vec<Inferred> = read(&golden, &["fuzzy_default_sets", "infer"]);
    assert_eq!(cases.len(), 30);
    for case in cases {
        let recorded = &golden["fuzzy_default_sets"]["tendency_sets"][&case.t];
        // Keys are the indices of strength, bet and turn.
        let value = |rule: usize| {
            recorded[format!("{}{}{}", rule / 9, rule / 3 % 3, rule % 3)]
                .as_f64()
                .unwrap()
        };
        let tendencies = Tendencies(std::array::from_fn::<_, RULES, _>(value));
        let firing = Premise {
            exp: case.exp,
            bet: case.bet,
            turn: case.turn,
        }
        .firing(&sets);
        let what = format!(
            "{} at exp {}, bet {}, turn {}",
            case.t, case.exp, case.bet, case.turn
        );
        assert_eq!(
            firing.iter().filter(|degree| 0.0 < **degree).count(),
            case.k,
            "{what}"
        );
        let computed = infer(&firing, &tendencies, &sets);
        assert_near(computed, case.infer, 1e-9, &what);
        assert_near(
            adjust(case.exp, computed, case.p, Adjustment::Scaled),
            case.result,
            1e-9,
            &what,
        );
    }
}

#[test]
fn drop_intentions_modifications_and_changes_match_the_golden_values() {
    #[derive(Deserialize)]
    struct DropCase {
        bet: f64,
        turn: u8,
        intention: f64,
    }
    #[derive(Deserialize)]
    struct Rated {
        #[serde(alias = "est", alias = "avg5")]
        first: f64,
        #[serde(alias = "act", alias = "latest")]
        second: f64,
        value: f64,
    }
    let golden = golden();
    let sets = Sets::default();
    let drops: Vec<DropCase> = read(&golden, &["fuzzy_default_sets", "drop_intention"]);
    assert!(40 <= drops.len());
    for case in drops {
        let what = format!("bet {}, turn {}", case.bet, case.turn);
        assert_near(
            intention(case.bet, case.turn, &sets),
            case.intention,
            1e-7,
            &what,
        );
    }
    type Rule = fn(f64, f64, &Sets) -> f64;
    for (key, rule) in [("modification", modification as Rule), ("change", change)] {
        let cases: Vec<Rated> = read(&golden, &["fuzzy_default_sets", key]);
        assert_eq!(cases.len(), 25);
        for case in cases {
            let what = format!("{key} of {} and {}", case.first, case.second);
            assert_near(
                rule(case.first, case.second, &sets),
                case.value,
                1e-6,
                &what,
            );
        }
    }
}

/// Equation (4) reaches every value in the paper, with these adjustments.
#[test]
fn both_forms_of_equation_4_match_the_published_values() {
    let scaled = [
        0.784, 0.621, 0.585, 0.184, 0.121, -0.119, -0.402, -0.551, -0.465, 0.324, 0.147, 0.224,
        0.207,
    ];
    let added = [
        0.582, 0.454, 0.407, 0.121, 0.079, -0.045, -0.102, -0.140, -0.118, 0.258, 0.117, 0.173,
        0.166,
    ];
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    for (case, (scaled, added)) in cases.iter().zip(scaled.into_iter().zip(added)) {
        let value = |key: &str| case[key].as_f64().unwrap();
        let (exp, p, printed) = (value("exp_lin"), value("p"), value("paper_result_value"));
        let name = case["name"].as_str().unwrap();
        assert!(p - 1.0 <= printed && printed <= p, "{name}");
        assert_near(
            adjust(exp, scaled, p, Adjustment::Scaled),
            printed,
            6e-4,
            name,
        );
        assert_near(
            adjust(exp, added, p, Adjustment::Added),
            printed,
            6e-4,
            name,
        );
    }
}

/// All bets in tables 6 to 8 are within the limits, and equation (6) gives the printed amounts for
/// their shares.
#[test]
fn published_bets_match_the_limits_and_equation_6() {
    #[derive(Deserialize)]
    struct Row {
        pot_before: u64,
        human_bet: u64,
        human_bet_over_pot: f64,
        system_bet: u64,
        a_observed: f64,
        a_mean: f64,
        z: f64,
    }
    let rows: Vec<Row> = read(&golden(), &["table_bets_under_pot_limit"]);
    assert_eq!(rows.len(), 17);
    for row in rows {
        let what = format!(
            "{} on {} into {}",
            row.system_bet, row.human_bet, row.pot_before
        );
        let limits = limits(row.pot_before, row.human_bet);
        assert!(
            limits.0 <= row.system_bet && row.system_bet <= limits.1,
            "{what}"
        );
        // Printed shares are rounded, and the amount is rounded down.
        assert_eq!(
            amount(row.a_observed + 1e-6, limits),
            row.system_bet,
            "{what}"
        );
        // In table 6, turn 1 has the share (12 - 10) / 10, and so on. The differences are within
        // the noise, whose variance (not standard deviation) is 0.1.
        assert_near(
            (row.a_observed - row.a_mean) / 0.1f64.sqrt(),
            row.z,
            1e-3,
            &what,
        );
        let (opening, share) = (row.human_bet, row.human_bet_over_pot);
        assert!(opening <= row.pot_before, "{what}");
        let situation = hattari_bots_stud::fuzzy::Situation {
            turn: 1,
            own: 0,
            shown: 0,
            opponent: 0,
            pot: row.pot_before,
            bet: opening,
        };
        assert_near(situation.bet_share(), share, 1e-6, &what);
    }
}
