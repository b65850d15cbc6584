//! Sequential rules against independent computations with SciPy and numpy, and what is recorded of
//! them.

use crate::common::{close, number, numbers, reference};
use hattari_stats::sequential::{
    BettingOptions, Bias, ConfidenceSequenceOptions, Decision, Evidence, SprtModel, SprtOptions,
    StoppingRule, betting_sequence, confidence_sequence,
};
use hattari_stats::{Untestable, one_sample_t};

#[test]
fn confidence_sequence_is_the_mixture_boundary_scipy_gives() {
    let cs = &reference()["confidence_sequence"];
    let x = numbers(&cs["x"]);
    let options = ConfidenceSequenceOptions::default();
    let intervals = confidence_sequence(&x, &options).expect("valid");
    for row in cs["rows"].as_array().expect("rows") {
        let n = usize::try_from(row["n"].as_u64().expect("an index")).expect("small");
        let interval = intervals[n - 1].expect("an interval");
        close(0.5 * interval.width(), number(&row["half_width"]), 1e-9);
        close(
            interval.low + interval.high,
            2.0 * x[..n].iter().sum::<f64>() / n as f64,
            1e-9,
        );
    }
    // The first p is that of the tenth block alone.
    let first = StoppingRule::ConfidenceSequence(options)
        .apply(&x[..10])
        .expect("valid");
    match first.standing.evidence {
        Some(Evidence::AlwaysValidP(p)) => close(p, number(&cs["rows"][0]["p"]), 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_sequence_stops_exactly_when_its_interval_leaves_zero_out() {
    let x: Vec<f64> = (0..200)
        .map(|k| 0.3 + f64::from((k * 37) % 100) / 50.0 - 1.0)
        .collect();
    let options = ConfidenceSequenceOptions::default();
    let intervals = confidence_sequence(&x, &options).expect("valid");
    let first_out = intervals
        .iter()
        .position(|i| i.is_some_and(|i| !i.contains(0.0)))
        .expect("it leaves zero out");
    let result = StoppingRule::ConfidenceSequence(options)
        .apply(&x)
        .expect("valid");
    assert_eq!(
        (result.standing.blocks, result.standing.decision),
        (first_out + 1, Decision::Ahead)
    );
    assert_eq!(
        (result.standing.interval, result.standing.bias),
        (intervals[first_out], Bias::EstimateLeans)
    );
    assert!(matches!(result.standing.evidence, Some(Evidence::AlwaysValidP(p)) if p <= 0.05));
    // Blocks that come after the stop change nothing.
    let again = StoppingRule::ConfidenceSequence(options)
        .apply(&x[..first_out + 1])
        .expect("valid");
    assert_eq!(again, result);
    let before = StoppingRule::ConfidenceSequence(options)
        .apply(&x[..first_out])
        .expect("valid");
    assert_eq!(
        (before.standing.decision, before.standing.bias),
        (Decision::Continue, Bias::None)
    );
}

#[test]
fn a_precision_ends_a_comparison_without_a_difference() {
    let x: Vec<f64> = (0..2000)
        .map(|k| if k % 2 == 0 { 1.0 } else { -1.0 })
        .collect();
    let options = ConfidenceSequenceOptions {
        precision: Some(0.2),
        ..Default::default()
    };
    let result = StoppingRule::ConfidenceSequence(options)
        .apply(&x)
        .expect("valid");
    assert_eq!(result.standing.decision, Decision::EqualWithin);
    let interval = result.standing.interval.expect("an interval");
    assert!(
        interval.width() <= 0.4 && interval.contains(0.0) && result.standing.blocks < 2000,
        "{result:?}"
    );
}

#[test]
fn betting_is_the_hedged_capital_numpy_gives() {
    let expected = &reference()["betting"];
    let x = numbers(&expected["x"]);
    let grid = usize::try_from(expected["grid"].as_u64().expect("a number")).expect("small");
    let options = BettingOptions {
        low: number(&expected["low"]),
        high: number(&expected["high"]),
        confidence: 0.95,
        grid,
    };
    let last = *betting_sequence(&x, &options)
        .expect("valid")
        .last()
        .expect("an interval");
    let edges = numbers(&expected["interval"]);
    close(last.low, edges[0], 1e-9);
    close(last.high, edges[1], 1e-9);
    let result = StoppingRule::Betting(options).apply(&x).expect("valid");
    assert_eq!(result.standing.decision, Decision::Continue);
    let exact = numbers(&expected["exact"]);
    let interval = result.standing.interval.expect("an interval");
    close(interval.low, exact[0], 1e-9);
    close(interval.high, exact[1], 1e-9);
    match result.standing.evidence {
        Some(Evidence::EValue(e)) => close(e, number(&expected["e"]), 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn betting_decides_on_few_constant_blocks_and_refuses_what_is_out_of_bounds() {
    let options = BettingOptions {
        low: -1.0,
        high: 1.0,
        confidence: 0.95,
        grid: 201,
    };
    let result = StoppingRule::Betting(options)
        .apply(&[-0.9; 40])
        .expect("valid");
    assert_eq!(result.standing.decision, Decision::Behind);
    assert!(
        result.standing.blocks <= 10 && result.standing.interval.is_some_and(|i| i.high < 0.0),
        "{result:?}"
    );
    let out = StoppingRule::Betting(options).apply(&[1.5]);
    assert!(matches!(out, Err(Untestable::BadParameter { what }) if what.contains("1.5")));
}

#[test]
fn probability_ratio_is_wald_s_formula() {
    let sprt = |model, h0, h1| {
        StoppingRule::Sprt(SprtOptions {
            model,
            h0,
            h1,
            one_sided: true,
            alpha: 0.05,
            beta: 0.05,
        })
    };
    let ratio =
        |rule: StoppingRule, x: &[f64]| match rule.apply(x).expect("valid").standing.evidence {
            Some(Evidence::LogLikelihoodRatio(r)) => r,
            other => panic!("{other:?}"),
        };
    // Four wins, one loss at 0.5 against 0.6.
    let wins = [1.0, 0.0, 1.0, 1.0, 1.0];
    close(
        ratio(sprt(SprtModel::Bernoulli, 0.5, 0.6), &wins),
        4.0 * 1.2f64.ln() + 0.8f64.ln(),
        1e-13,
    );
    // A known deviation of 2: (h1 − h0)/σ² · (Σx − n (h0 + h1)/2).
    let x = [0.5, -1.0, 2.0];
    close(
        ratio(sprt(SprtModel::Normal { sd: Some(2.0) }, 0.0, 1.0), &x),
        0.25 * (1.5 - 1.5),
        1e-13,
    );
    close(
        ratio(sprt(SprtModel::Normal { sd: Some(2.0) }, 0.0, 0.5), &x),
        0.125 * (1.5 - 0.75),
        1e-13,
    );
    // An unknown one: n/2 · ln(Σ(x − h0)² / Σ(x − h1)²).
    let x: Vec<f64> = (0..12).map(|k| f64::from(k % 5) - 1.9).collect();
    let squares = |h: f64| x.iter().map(|x| (x - h).powi(2)).sum::<f64>();
    close(
        ratio(sprt(SprtModel::Normal { sd: None }, 0.0, 0.4), &x),
        6.0 * (squares(0.0) / squares(0.4)).ln(),
        1e-12,
    );
}

#[test]
fn estimates_after_a_probability_ratio_test_are_labelled_biased_and_have_no_interval() {
    let options = SprtOptions {
        model: SprtModel::Normal { sd: Some(1.0) },
        h0: 0.0,
        h1: 1.0,
        one_sided: true,
        alpha: 0.05,
        beta: 0.05,
    };
    let result = StoppingRule::Sprt(options)
        .apply(&[2.0; 50])
        .expect("valid");
    assert_eq!(
        (result.standing.decision, result.standing.bias),
        (Decision::AcceptH1, Bias::Biased)
    );
    assert_eq!(
        (result.standing.blocks, result.standing.interval),
        (2, None)
    );
    let other = StoppingRule::Sprt(options)
        .apply(&[-1.0; 50])
        .expect("valid");
    assert_eq!(other.standing.decision, Decision::AcceptH0);
}

#[test]
fn a_fixed_sample_is_tested_once_at_its_end() {
    let rule: StoppingRule =
        serde_json::from_str(r#"{"rule": "fixed_sample", "blocks": 20}"#).expect("a rule");
    let x: Vec<f64> = (0..30).map(|k| 1.0 + f64::from(k % 3)).collect();
    let early = rule.apply(&x[..19]).expect("valid");
    assert_eq!(
        (early.standing.decision, early.standing.interval),
        (Decision::Continue, None)
    );
    assert_eq!(
        early.note,
        Some(Untestable::TooFewBlocks {
            blocks: 19,
            needed: 20
        })
    );
    let done = rule.apply(&x).expect("valid");
    let test = one_sample_t(&x[..20], 0.95).expect("testable");
    assert_eq!(
        (done.standing.decision, done.standing.blocks),
        (Decision::Ahead, 20)
    );
    assert_eq!(
        (done.standing.interval, done.standing.evidence),
        (Some(test.interval), Some(Evidence::P(test.p)))
    );
    assert_eq!(done.standing.bias, Bias::None);
    let level: Vec<f64> = (0..20).map(|k| f64::from(k % 2) - 0.5).collect();
    assert_eq!(
        rule.apply(&level).expect("valid").standing.decision,
        Decision::NoDifference
    );
}

#[test]
fn rules_are_written_as_in_a_league_and_recorded_with_the_result() {
    let rule: StoppingRule =
        serde_json::from_str(r#"{"rule": "confidence_sequence", "tuned_for": 50}"#)
            .expect("a rule");
    assert_eq!(
        rule,
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            tuned_for: 50.0,
            ..Default::default()
        })
    );
    let sprt = r#"{"rule": "sprt", "model": {"normal": {}}, "h0": 0, "h1": 0.05}"#;
    assert!(
        matches!(serde_json::from_str(sprt), Ok(StoppingRule::Sprt(options)) if options.alpha == 0.05)
    );
    let misspelt = r#"{"rule": "betting", "low": -4, "high": 4, "gird": 10}"#;
    assert!(serde_json::from_str::<StoppingRule>(misspelt).is_err());
    let result = rule.apply(&[1.0, 2.0]).expect("valid");
    let json = serde_json::to_value(&result).expect("serialisable");
    assert_eq!(
        (&json["rule"]["rule"], &json["standing"]["decision"]),
        (&"confidence_sequence".into(), &"continue".into())
    );
    assert_eq!(json["note"]["why"], "too_few_blocks");
}

#[test]
fn a_rule_that_watches_says_what_it_says_of_the_whole() {
    let x: Vec<f64> = (0..120)
        .map(|k| 0.12 + f64::from((k * 37) % 100) / 50.0 - 1.0)
        .collect();
    let sprt = |sd| SprtOptions {
        model: SprtModel::Normal { sd },
        h0: 0.0,
        h1: 0.3,
        one_sided: true,
        alpha: 0.05,
        beta: 0.05,
    };
    let precise = ConfidenceSequenceOptions {
        precision: Some(0.25),
        ..ConfidenceSequenceOptions::default()
    };
    let rules = [
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions::default()),
        StoppingRule::ConfidenceSequence(precise),
        StoppingRule::Betting(BettingOptions {
            low: -2.0,
            high: 2.0,
            confidence: 0.9,
            grid: 10,
        }),
        StoppingRule::Sprt(sprt(Some(0.6))),
        StoppingRule::Sprt(sprt(None)),
        serde_json::from_str(r#"{"rule": "fixed_sample", "blocks": 40}"#).expect("a rule"),
    ];
    for rule in rules {
        let mut watch = rule.watch().expect("valid");
        for n in 1..=x.len() {
            let said = watch.push(x[n - 1]).expect("valid");
            assert_eq!(
                said,
                rule.apply(&x[..n]).expect("valid").standing.decision,
                "{rule:?} after {n}"
            );
            if said != Decision::Continue {
                break;
            }
        }
    }
    let mut watch = rules[2].watch().expect("valid");
    assert!(watch.push(2.5).is_err() && rules[0].watch().expect("valid").push(f64::NAN).is_err());
}

#[test]
fn bad_options_are_refused() {
    let cs = ConfidenceSequenceOptions::default();
    let betting = BettingOptions {
        low: -1.0,
        high: 1.0,
        confidence: 0.95,
        grid: 100,
    };
    let sprt = SprtOptions {
        model: SprtModel::Bernoulli,
        h0: 0.5,
        h1: 0.6,
        one_sided: true,
        alpha: 0.05,
        beta: 0.05,
    };
    for rule in [
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            confidence: 0.0,
            ..cs
        }),
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            tuned_for: 0.0,
            ..cs
        }),
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            precision: Some(-1.0),
            ..cs
        }),
        StoppingRule::Betting(BettingOptions {
            low: 0.5,
            ..betting
        }),
        StoppingRule::Betting(BettingOptions { grid: 1, ..betting }),
        StoppingRule::Sprt(SprtOptions { h1: 0.5, ..sprt }),
        StoppingRule::Sprt(SprtOptions { h1: 1.0, ..sprt }),
        StoppingRule::Sprt(SprtOptions { alpha: 0.5, ..sprt }),
        StoppingRule::Sprt(SprtOptions {
            model: SprtModel::Normal { sd: Some(0.0) },
            ..sprt
        }),
    ] {
        assert!(
            matches!(
                rule.apply(&[0.5, 0.0]),
                Err(Untestable::BadParameter { .. })
            ),
            "{rule:?}"
        );
    }
    assert_eq!(
        StoppingRule::Sprt(sprt).apply(&[f64::NAN]),
        Err(Untestable::NotFinite)
    );
    assert!(StoppingRule::Sprt(sprt).apply(&[1.5]).is_err());
}
