//! Properties of inference and learning for all inputs.

use hattari_bots_stud::fuzzy::Config;
use hattari_bots_stud::fuzzy::config::{Adjustment, Sets};
use hattari_bots_stud::fuzzy::infer::{
    Premise, RULES, Tendencies, adjust, infer, strongest, superiority,
};
use hattari_bots_stud::fuzzy::learn::{Learner, change, modification};
use proptest::prelude::*;

fn premise() -> impl Strategy<Value = Premise> {
    (-1.0..=1.0, 0.0..=1.0, 1u8..=7).prop_map(|(exp, bet, turn)| Premise { exp, bet, turn })
}

fn tendencies() -> impl Strategy<Value = Tendencies> {
    prop::array::uniform18(0.0..=100.0).prop_map(Tendencies)
}

fn forms() -> impl Strategy<Value = Adjustment> {
    prop_oneof![Just(Adjustment::Scaled), Just(Adjustment::Added)]
}

/// Computes equation (3) literally, with the closed form for two disjoint sets: the weights are h
/// (2 - h).
fn listed(firing: &[f64; RULES], tendencies: &Tendencies) -> f64 {
    let rules: Vec<usize> = (0..RULES).filter(|&rule| 0.0 < firing[rule]).collect();
    let mut sum = 0.0;
    for consequents in 0..1u32 << rules.len() {
        let (mut probability, mut heights) = (1.0, [0.0f64; 2]);
        for (index, &rule) in rules.iter().enumerate() {
            let positive = consequents >> index & 1 == 1;
            let t = tendencies.0[rule] / 100.0;
            probability *= if positive { t } else { 1.0 - t };
            let height = &mut heights[usize::from(positive)];
            *height = height.max(firing[rule]);
        }
        let [negative, positive] = heights.map(|height| height * (2.0 - height));
        sum += probability * (positive - negative) / (positive + negative);
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn between_one_and_eight_rules_fire(premise in premise()) {
        let firing = premise.firing(&Sets::default());
        let fire = firing.iter().filter(|degree| 0.0 < **degree).count();
        prop_assert!((1..=8).contains(&fire));
        let best = strongest(&firing);
        prop_assert!((0..RULES).all(|rule| firing[rule] < firing[best] || (best <= rule && firing[rule] == firing[best])));
    }

    #[test]
    fn the_inference_is_the_sum_over_all_consequents(premise in premise(), tendencies in tendencies()) {
        let sets = Sets::default();
        let firing = premise.firing(&sets);
        let inferred = infer(&firing, &tendencies, &sets);
        prop_assert!((inferred - listed(&firing, &tendencies)).abs() < 1e-9);
        let mirrored = Tendencies(tendencies.0.map(|t| 100.0 - t));
        prop_assert!((inferred + infer(&firing, &mirrored, &sets)).abs() < 1e-9);
    }

    #[test]
    fn neutral_tendencies_have_no_effect_and_extreme_ones_reach_the_limits(premise in premise(), p in 0.0..=1.0) {
        let exp = p - (premise.exp + 1.0) / 2.0;
        let premise = Premise { exp, ..premise };
        let result = |t: f64, adjustment: Adjustment| {
            let config = Config { adjustment, ..Config::default() };
            superiority(&premise, p, &Tendencies([t; RULES]), &config).result
        };
        for form in [Adjustment::Scaled, Adjustment::Added] {
            prop_assert!((result(50.0, form) - exp).abs() < 1e-9);
            prop_assert!((result(100.0, form) - p).abs() < 1e-9);
            prop_assert!((result(0.0, form) - (p - 1.0)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_higher_tendency_never_lowers_the_inferred_superiority(premise in premise(), tendencies in tendencies(), rule in 0..RULES,
                                               more in 0.0..100.0f64) {
        let sets = Sets::default();
        let firing = premise.firing(&sets);
        let mut higher = tendencies;
        higher.0[rule] = f64::min(higher.0[rule] + more, 100.0);
        prop_assert!(infer(&firing, &tendencies, &sets) <= infer(&firing, &higher, &sets) + 1e-9);
    }

    #[test]
    fn adjusted_results_are_monotonic_and_stay_between_p_minus_1_and_p(p in 0.0..=1.0, share in 0.0..=1.0, one in -1.0..=1.0, other in -1.0..=1.0,
                                               form in forms()) {
        let exp = p - share;
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        let (a, b) = (adjust(exp, low, p, form), adjust(exp, high, p, form));
        prop_assert!(p - 1.0 <= a && a <= b + 1e-12 && b <= p);
    }

    #[test]
    fn tendency_modifications_point_from_the_estimate_to_the_actual_value(estimated in -1.0..=1.0, actual in -1.0..=1.0) {
        let sets = Sets::default();
        let there = modification(estimated, actual, &sets);
        prop_assert!((there + modification(actual, estimated, &sets)).abs() < 1e-9);
        prop_assert!(there * (actual - estimated) >= -1e-9 && there.abs() <= 10.0);
        prop_assert!(modification(actual, actual, &sets).abs() < 1e-9);
    }

    #[test]
    fn the_change_function_is_odd_and_symmetric(mean in -10.0..=10.0, newest in -10.0..=10.0) {
        let sets = Sets::default();
        let value = change(mean, newest, &sets);
        prop_assert!((value + change(-mean, -newest, &sets)).abs() < 1e-9);
        prop_assert!((value - change(newest, mean, &sets)).abs() < 1e-9);
    }

    #[test]
    fn tendencies_stay_between_0_and_100(lessons in prop::collection::vec((0..RULES, -1.0..=1.0, -1.0..=1.0), 0..200)) {
        let config = Config::default();
        let mut learner = Learner::new(&config);
        for (rule, estimated, actual) in lessons {
            learner.learn(rule, estimated, actual, &config);
            prop_assert!(learner.tendencies.0.iter().all(|t| (0.0..=100.0).contains(t)));
        }
    }
}

#[test]
fn repeatedly_overestimating_an_opponent_raises_only_its_tendency() {
    let config = Config::default();
    let mut learner = Learner::new(&config);
    let mut before = 50.0;
    for _ in 0..500 {
        learner.learn(7, -0.6, 0.4, &config);
        let now = learner.tendencies.0[7];
        assert!(before < now || now == 100.0);
        before = now;
    }
    assert_eq!(before, 100.0);
    assert!(
        (0..RULES)
            .filter(|&rule| rule != 7)
            .all(|rule| learner.tendencies.0[rule] == 50.0)
    );
}

#[test]
fn the_mean_uses_only_the_newest_modifications() {
    let config = Config {
        history: 2,
        ..Config::default()
    };
    let mut learner = Learner::new(&config);
    for (estimated, actual) in [(-1.0, 1.0), (0.3, -0.9), (-0.2, 0.5)] {
        learner.learn(0, estimated, actual, &config);
    }
    let sets = &config.sets;
    let [a, b, c] = [(-1.0, 1.0), (0.3, -0.9), (-0.2, 0.5)]
        .map(|(estimated, actual)| modification(estimated, actual, sets));
    let expected =
        50.0 + change(a, a, sets) + change((a + b) / 2.0, b, sets) + change((b + c) / 2.0, c, sets);
    assert!((learner.tendencies.0[0] - expected).abs() < 1e-9);
}
