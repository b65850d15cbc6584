//! Tests of the comparison in reports: verdicts, reasons, families and tables over line-ups.

use crate::common::{compared, one_line_up};
use hattari_stats::compare::Verdict;
use hattari_stats::{
    BotSample, CompareOptions, Comparison, Correction, Method, Rng, Untestable, paired_t,
    required_whole_blocks,
};

/// Returns the scores of one bot: its strength plus uniform noise of width 1.
fn scores(seed: u64, blocks: usize, strength: f64) -> Vec<Option<f64>> {
    let mut rng = Rng::new(seed);
    (0..blocks)
        .map(|_| Some(strength + rng.uniform()))
        .collect()
}

fn with_correction(correction: Correction) -> CompareOptions {
    CompareOptions {
        correction,
        ..CompareOptions::default()
    }
}

fn reason(comparison: &Comparison, a: usize, b: usize) -> Untestable {
    match &comparison.pair(a, b).unwrap().verdict {
        Verdict::CannotTell { reason } => reason.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn pair_comparisons_are_tested_adjusted_and_mirrored() {
    let rows = [scores(1, 40, 3.0), scores(2, 40, 2.5), scores(3, 40, 2.5)];
    let comparison = compared(&rows, &with_correction(Correction::Holm));
    assert_eq!(
        (
            comparison.bots.len(),
            comparison.pairs.len(),
            comparison.family
        ),
        (3, 3, 3)
    );

    let ahead = comparison.pair(0, 1).unwrap();
    assert_eq!((ahead.a, ahead.b, &ahead.verdict), (0, 1, &Verdict::Ahead));
    let flat = |row: &[Option<f64>]| row.iter().map(|s| s.unwrap()).collect::<Vec<f64>>();
    let direct = paired_t(&flat(&rows[0]), &flat(&rows[1]), 0.95).unwrap();
    let test = ahead.test.unwrap();
    assert_eq!(
        (test.kind, test.n_a, test.df),
        (Method::PairedBlocks, 40, 39.0)
    );
    assert!(
        (test.t - direct.t).abs() < 1e-12
            && (test.interval.low - direct.interval.low).abs() < 1e-12,
        "{test:?}"
    );
    let holm = Correction::Holm.adjust(
        &[(0, 1), (0, 2), (1, 2)]
            .map(|(a, b)| comparison.pair(a, b).and_then(|pair| pair.test).unwrap().p),
    );
    assert_eq!(ahead.p_adjusted, Some(holm[0]));

    let behind = comparison.pair(1, 0).unwrap();
    assert_eq!(
        (behind.a, behind.b, &behind.verdict),
        (1, 0, &Verdict::Behind)
    );
    assert_eq!(behind.test, Some(test.mirrored()));
    assert_eq!(behind.mean_difference, ahead.mean_difference.map(|d| -d));
    assert_eq!(comparison.pair(1, 2).unwrap().verdict, Verdict::Undecided);
    assert!(comparison.pair(1, 1).is_none() && comparison.pair(0, 3).is_none());
    for (k, pair) in comparison.pairs.iter().enumerate() {
        assert_eq!(
            comparison.pair(pair.a, pair.b).as_ref(),
            comparison.pairs.get(k)
        );
        assert_eq!(comparison.pair(pair.b, pair.a), Some(pair.mirrored()));
    }
}

#[test]
fn required_blocks_use_the_level_of_the_verdict() {
    let options = with_correction(Correction::Holm);
    let two = compared(&[scores(1, 40, 2.6), scores(2, 40, 2.5)], &options);
    let alone = two.pair(0, 1).unwrap();
    let required = alone.required(&options).unwrap();
    let effect = alone.test.unwrap().unbiased_effect();
    assert_eq!(
        required.blocks,
        required_whole_blocks(effect, 0.05, 0.8).unwrap()
    );
    assert!(
        required.low < required.blocks && required.high.is_none_or(|high| required.blocks < high),
        "{required:?}"
    );
    // With a third bot of similar strength, there are three comparisons.
    let three = compared(
        &[scores(1, 40, 2.6), scores(2, 40, 2.5), scores(3, 40, 2.55)],
        &options,
    );
    let among = three.pair(0, 1).unwrap();
    assert_eq!(among.test, alone.test);
    assert!(
        among
            .level
            .is_some_and(|level| (level - 0.05 / 3.0).abs() < 1e-12),
        "{:?}",
        among.level
    );
    let required = among.required(&options).unwrap();
    assert_eq!(
        required.blocks,
        required_whole_blocks(effect, 0.05 / 3.0, 0.8).unwrap()
    );
}

#[test]
fn pairs_with_the_same_blocks_are_adjusted_for_their_dependence() {
    // Ten comparisons of five bots depend on only four differences.
    let mut rows: Vec<_> = (1..5).map(|seed| scores(seed, 40, 2.5)).collect();
    rows.push(scores(5, 40, 2.6));
    let by = |correction| {
        let options = with_correction(correction);
        let comparison = compared(&rows, &options);
        assert_eq!(comparison.options.correction, correction);
        let pair = comparison.pair(0, 4).unwrap().clone();
        (
            pair.p_adjusted.unwrap(),
            pair.level.unwrap(),
            pair.required(&options).unwrap().blocks,
        )
    };
    let (holm, max_t) = (by(Correction::Holm), by(Correction::MaxT));
    // Max-T needs about five to ten percent fewer blocks for the same power.
    let saved = 1.0 - max_t.2 as f64 / holm.2 as f64;
    assert!(
        max_t.0 < holm.0 && holm.1 < max_t.1 && (0.02..0.15).contains(&saved),
        "{holm:?} {max_t:?}"
    );
    // A bot without a score in one block has fewer blocks than the others.
    rows[2][7] = None;
    let apart = compared(&rows, &CompareOptions::default());
    assert_eq!(apart.options.correction, Correction::Holm);
}

#[test]
fn close_bots_are_equal_only_if_a_larger_difference_is_rejected() {
    let rows = [
        scores(1, 400, 2.5),
        scores(2, 400, 2.5),
        scores(3, 12, 2.5)
            .into_iter()
            .chain(vec![None; 388])
            .collect(),
    ];
    let verdict = |margin: Option<f64>, a: usize, b: usize| {
        let comparison = compared(
            &rows,
            &CompareOptions {
                equal_within: margin,
                ..CompareOptions::default()
            },
        );
        let pair = comparison.pair(a, b).unwrap().clone();
        (pair.verdict, pair.equivalence.map(|equal| equal.p_adjusted))
    };
    assert_eq!(verdict(None, 0, 1), (Verdict::Undecided, None));
    let (wide, p) = verdict(Some(0.1), 0, 1);
    assert_eq!(wide, Verdict::Equal);
    assert!(p.is_some_and(|p| p <= 0.05), "{p:?}");
    // The result is the same in reverse order. Twelve blocks are not enough to show equality; four
    // hundred are.
    assert_eq!(verdict(Some(0.1), 1, 0), (Verdict::Equal, p));
    assert_eq!(verdict(Some(0.1), 0, 2).0, Verdict::Undecided);
    assert_eq!(verdict(Some(0.001), 0, 1).0, Verdict::Undecided);
}

#[test]
fn fewer_than_ten_blocks_give_numbers_but_no_verdict() {
    let rows = [scores(1, 9, 9.0), scores(2, 9, 0.0)];
    let comparison = compared(&rows, &CompareOptions::default());
    let why = Untestable::TooFewBlocks {
        blocks: 9,
        needed: 10,
    };
    assert_eq!(reason(&comparison, 0, 1), why);
    assert!(
        comparison
            .pair(0, 1)
            .is_some_and(|pair| pair.test.is_some_and(|test| test.p < 1e-6))
    );
    assert_eq!(comparison.bots[0].note, Some(why));

    let one = compared(
        &[scores(1, 1, 9.0), scores(2, 1, 0.0)],
        &CompareOptions::default(),
    );
    assert_eq!(
        reason(&one, 0, 1),
        Untestable::TooFewBlocks {
            blocks: 1,
            needed: 2
        }
    );
    assert!(one.bots[0].mean.is_some() && one.bots[0].se.is_none());
    assert_eq!(one.family, 0);
}

#[test]
fn constant_scores_are_untestable_and_return_the_reason() {
    let constant = |score: f64| vec![Some(score); 20];
    let comparison = compared(
        &[constant(3.0), constant(3.0), constant(2.0)],
        &CompareOptions::default(),
    );
    assert_eq!(reason(&comparison, 0, 1), Untestable::ZeroVariance);
    let permutation_p = 0.5f64.powi(19);
    assert_eq!(
        reason(&comparison, 0, 2),
        Untestable::ConstantDifference {
            difference: 1.0,
            permutation_p
        }
    );
    assert_eq!(
        reason(&comparison, 2, 0),
        Untestable::ConstantDifference {
            difference: -1.0,
            permutation_p
        }
    );
    assert_eq!(
        comparison.pair(0, 2).and_then(|pair| pair.mean_difference),
        Some(1.0)
    );
    assert_eq!(comparison.bots[0].note, Some(Untestable::ZeroVariance));
    assert_eq!(
        (comparison.bots[0].mean, comparison.bots[0].interval),
        (Some(3.0), None)
    );
}

#[test]
fn pairs_with_missing_cells_are_compared_over_shared_blocks() {
    let mut rows = [
        scores(1, 30, 3.0),
        scores(2, 30, 2.0),
        scores(3, 30, 1.0),
        vec![None; 30],
    ];
    for block in 0..30 {
        if block % 3 == 0 {
            rows[0][block] = None;
        }
        // The third bot plays only in blocks that the second does not play.
        rows[if block % 2 == 0 { 1 } else { 2 }][block] = None;
    }
    let comparison = compared(&rows, &CompareOptions::default());
    let shared = comparison.pair(0, 1).unwrap();
    assert_eq!(
        (shared.shared_blocks, shared.test.map(|test| test.kind)),
        (10, Some(Method::PairedBlocks))
    );
    assert_eq!(reason(&comparison, 1, 2), Untestable::NeverMet);
    assert_eq!(reason(&comparison, 0, 3), Untestable::MissingScores);
    assert_eq!(comparison.bots[3].note, Some(Untestable::MissingScores));
    assert_eq!(comparison.bots[3].mean, None);
}

#[test]
fn a_bot_that_forfeited_every_block_gets_no_verdict() {
    let rows = [scores(1, 20, 3.0), scores(2, 20, 0.0)];
    let all = vec![true; 20];
    let mut most = all.clone();
    most[7] = false;
    let sample = |scores, forfeited| BotSample { scores, forfeited };
    let with = |forfeited| {
        one_line_up(
            &[sample(&rows[0], &[]), sample(&rows[1], forfeited)],
            &CompareOptions::default(),
        )
        .unwrap()
    };
    assert_eq!(reason(&with(&all), 0, 1), Untestable::AllForfeited);
    assert_eq!(with(&all).bots[1].note, Some(Untestable::AllForfeited));
    assert_eq!(with(&most).pair(0, 1).unwrap().verdict, Verdict::Ahead);
    // The second bot has only forfeits without a score.
    let nothing = vec![None; 20];
    let comparison = one_line_up(
        &[sample(&rows[0], &[]), sample(&nothing, &all)],
        &CompareOptions::default(),
    );
    assert_eq!(reason(&comparison.unwrap(), 0, 1), Untestable::AllForfeited);
}

#[test]
fn invalid_input_is_rejected() {
    let (long, short) = (scores(1, 12, 0.0), scores(1, 11, 0.0));
    let sample = |scores| BotSample {
        scores,
        ..BotSample::default()
    };
    let options = CompareOptions::default();
    assert_eq!(
        one_line_up(&[sample(&long), sample(&short)], &options).err(),
        Some(Untestable::LengthMismatch)
    );
    let infinite = vec![Some(f64::INFINITY); 12];
    assert_eq!(
        one_line_up(&[sample(&infinite)], &options).err(),
        Some(Untestable::NotFinite)
    );
    for options in [
        CompareOptions {
            confidence: 1.0,
            ..options
        },
        CompareOptions {
            power: 0.01,
            ..options
        },
        CompareOptions {
            equal_within: Some(0.0),
            ..options
        },
        CompareOptions {
            confidence: f64::NAN,
            ..options
        },
    ] {
        assert!(
            matches!(
                one_line_up(&[sample(&long)], &options),
                Err(Untestable::BadParameter { .. })
            ),
            "{options:?}"
        );
    }
    assert_eq!(
        one_line_up(&[], &options).map(|c| (c.bots.len(), c.pairs.len())),
        Ok((0, 0))
    );
}

/// Matches that one of two equal bots happens to win, among other pairs.
#[test]
fn few_blocks_that_are_almost_equal_are_not_better_evidence_than_their_signs() {
    let row = |of: fn(usize) -> f64, blocks| (0..blocks).map(|block| Some(of(block))).collect();
    let p_adjusted = |blocks| {
        let won: fn(usize) -> f64 = |block| if block == 3 { 248.0 } else { 250.0 };
        let rows: [Vec<Option<f64>>; 3] = [
            row(won, blocks),
            row(|_| 0.0, blocks),
            scores(3, blocks, -0.5),
        ];
        let comparison = compared(&rows, &with_correction(Correction::Holm));
        let pair = comparison.pair(0, 1).unwrap();
        assert!(pair.test.unwrap().p < 1e-20);
        pair.p_adjusted.unwrap()
    };
    for blocks in [10, 13, 14, 40] {
        // A pattern and its mirror image give the same t statistic.
        let patterns = 2.0_f64.powi(i32::try_from(blocks).unwrap() - 1);
        let found = p_adjusted(blocks) * patterns;
        assert!((2.0..=3.0).contains(&found), "{blocks}: {found}");
    }
    assert!(p_adjusted(201) < 1e-200, "too many blocks for sign flips");
}
