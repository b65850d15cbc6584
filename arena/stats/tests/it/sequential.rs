//! Sequential rules, compared with independent computations in SciPy and numpy, and the stored form
//! of their options.

use crate::common::{close, number, numbers, precise, reference, sprt};
use hattari_stats::Untestable;
use hattari_stats::sequential::{
    Bias, ConfidenceSequenceOptions, Decision, Evidence, SprtModel, SprtOptions, StoppingRule,
    confidence_sequence,
};

#[test]
fn the_confidence_sequence_matches_the_scipy_mixture_boundary() {
    let cs = &reference()["confidence_sequence"];
    let x = numbers(&cs["x"]);
    let options = ConfidenceSequenceOptions::default();
    let intervals = confidence_sequence(&x, &options).expect("valid");
    for row in cs["rows"].as_array().expect("rows") {
        let n = usize::try_from(row["n"].as_u64().expect("an index")).expect("small");
        let interval = intervals[n - 1].expect("an interval");
        close(
            0.5 * (interval.high - interval.low),
            number(&row["half_width"]),
            1e-9,
        );
        close(
            interval.low + interval.high,
            2.0 * x[..n].iter().sum::<f64>() / n as f64,
            1e-9,
        );
    }
    // The first p value is that of the tenth block.
    let first = StoppingRule::ConfidenceSequence(options)
        .apply(&x[..10])
        .expect("valid");
    match first.evidence {
        Some(Evidence::AlwaysValidP(p)) => close(p, number(&cs["rows"][0]["p"]), 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_confidence_sequence_stops_when_its_interval_excludes_zero() {
    let x: Vec<f64> = (0..200)
        .map(|k| 0.3 + f64::from((k * 37) % 100) / 50.0 - 1.0)
        .collect();
    let options = ConfidenceSequenceOptions::default();
    let apply = |x: &[f64]| {
        let rule = StoppingRule::ConfidenceSequence(options);
        rule.apply(x).expect("valid")
    };
    let intervals = confidence_sequence(&x, &options).expect("valid");
    let first_out = intervals
        .iter()
        .position(|i| i.is_some_and(|i| !i.contains(0.0)))
        .expect("it leaves zero out");
    let result = apply(&x);
    assert_eq!(
        (result.blocks, result.decision),
        (first_out + 1, Decision::Ahead)
    );
    assert_eq!(
        (result.interval, result.bias),
        (intervals[first_out], Bias::EstimateLeans)
    );
    assert!(matches!(result.evidence, Some(Evidence::AlwaysValidP(p)) if p <= 0.05));
    // Blocks after the stop do not change the result.
    let again = apply(&x[..first_out + 1]);
    assert_eq!(again, result);
    let before = apply(&x[..first_out]);
    assert_eq!(
        (before.decision, before.bias),
        (Decision::Continue, Bias::None)
    );
}

#[test]
fn the_log_likelihood_ratio_matches_the_formula_of_wald() {
    let ratio = |options, x: &[f64]| match StoppingRule::Sprt(options)
        .apply(x)
        .expect("valid")
        .evidence
    {
        Some(Evidence::LogLikelihoodRatio(r)) => r,
        other => panic!("{other:?}"),
    };
    // Known standard deviation 2: (h1 − h0)/σ² · (Σx − n (h0 + h1)/2).
    let x = [0.5, -1.0, 2.0];
    close(
        ratio(sprt(Some(2.0), 0.0, 1.0, true), &x),
        0.25 * (1.5 - 1.5),
        1e-13,
    );
    close(
        ratio(sprt(Some(2.0), 0.0, 0.5, true), &x),
        0.125 * (1.5 - 0.75),
        1e-13,
    );
    // Unknown standard deviation: n/2 · ln(Σ(x − h0)² / Σ(x − h1)²).
    let x: Vec<f64> = (0..12).map(|k| f64::from(k % 5) - 1.9).collect();
    let squares = |h: f64| x.iter().map(|x| (x - h).powi(2)).sum::<f64>();
    close(
        ratio(sprt(None, 0.0, 0.4, true), &x),
        6.0 * (squares(0.0) / squares(0.4)).ln(),
        1e-12,
    );
}

#[test]
fn estimates_after_an_sprt_are_labelled_biased_without_an_interval() {
    let options = sprt(Some(1.0), 0.0, 1.0, true);
    let result = StoppingRule::Sprt(options)
        .apply(&[2.0; 50])
        .expect("valid");
    assert_eq!(
        (result.decision, result.bias),
        (Decision::AcceptH1, Bias::Biased)
    );
    assert_eq!((result.blocks, result.interval), (2, None));
    let other = StoppingRule::Sprt(options)
        .apply(&[-1.0; 50])
        .expect("valid");
    assert_eq!(other.decision, Decision::AcceptH0);
}

#[test]
fn stopping_rules_are_parsed_in_their_stored_form() {
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
    let misspelt = r#"{"rule": "confidence_sequence", "tuned_fro": 4}"#;
    assert!(serde_json::from_str::<StoppingRule>(misspelt).is_err());
}

#[test]
fn a_stored_rule_of_version_0_2_is_applied_as_a_confidence_sequence() {
    let text = r#"{"rule":"betting","low":-4.0,"high":4.0,"confidence":0.9,"grid":1000}"#;
    let stored: StoppingRule = serde_json::from_str(text).expect("a rule");
    assert_eq!(serde_json::to_string(&stored).expect("JSON"), text);
    let current = StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
        confidence: 0.9,
        ..Default::default()
    });
    assert_eq!(stored.current(), current);
    let x: Vec<f64> = (0..40).map(|k| 0.5 + f64::from(k % 3)).collect();
    assert_eq!(stored.apply(&x), current.apply(&x));
}

#[test]
fn an_incremental_rule_decides_like_the_rule_applied_to_all_scores() {
    let x: Vec<f64> = (0..120)
        .map(|k| 0.12 + f64::from((k * 37) % 100) / 50.0 - 1.0)
        .collect();
    let rules = [
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions::default()),
        precise(0.25),
        StoppingRule::Sprt(sprt(Some(0.6), 0.0, 0.3, true)),
        StoppingRule::Sprt(sprt(None, 0.0, 0.3, true)),
    ];
    for rule in rules {
        let mut test = rule.start().expect("valid");
        for n in 1..=x.len() {
            let said = test.push(x[n - 1]).expect("valid");
            assert_eq!(
                said,
                rule.apply(&x[..n]).expect("valid").decision,
                "{rule:?} after {n}"
            );
            if said != Decision::Continue {
                break;
            }
        }
    }
    assert!(rules[0].start().expect("valid").push(f64::NAN).is_err());
}

#[test]
fn invalid_sequential_options_are_rejected() {
    let cs = ConfidenceSequenceOptions::default();
    let sprt = sprt(None, 0.5, 0.6, true);
    for rule in [
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            confidence: 0.0,
            ..cs
        }),
        StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
            tuned_for: 0.0,
            ..cs
        }),
        precise(-1.0),
        StoppingRule::Sprt(SprtOptions { h1: 0.5, ..sprt }),
        StoppingRule::Sprt(SprtOptions {
            h1: 0.4,
            one_sided: false,
            ..sprt
        }),
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
}
