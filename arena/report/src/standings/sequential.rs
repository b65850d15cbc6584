//! The results of a sequential league's stopping rule, and the verdicts that follow from them.

use super::{About, PairVerdict, SequentialPair, SequentialRule, VerdictKind};
use crate::numbers::{decimals, interval, p_equals, signed};
use hattari_agents::text::counted;
use hattari_play::stopping::{FollowedComparison, StoppingState};
use hattari_stats::sequential::{Bias, Decision, Evidence, SprtOptions, Standing, StoppingRule};
use std::collections::HashMap;

/// Returns the rule as set in the league, the rule as applied to each comparison, and the progress
/// of the comparisons.
pub(super) fn rule(stated: &StoppingRule, stopping: &StoppingState) -> SequentialRule {
    SequentialRule {
        rule: stated.current(),
        each: stopping.rule,
        comparisons: stopping.comparisons.len() as u64,
        decided: stopping
            .comparisons
            .iter()
            .filter(|comparison| comparison.decision != Decision::Continue)
            .count() as u64,
        rounds: stopping.rounds.into(),
        finished: stopping.is_finished(),
    }
}

/// The results of the comparisons, by the indices of the two entrants in ascending order.
pub(super) type SequentialPairs = HashMap<(usize, usize), SequentialPair>;

/// Returns the results of all comparisons of a sequential league.
pub(super) fn pairs(stopping: &StoppingState, names: &[String]) -> SequentialPairs {
    stopping
        .comparisons
        .iter()
        .map(|comparison| {
            let pair = sequential_pair(comparison, names, &stopping.rule);
            (ordered(comparison.a, comparison.b), pair)
        })
        .collect()
}

/// Returns two indices in ascending order.
pub(super) fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Returns the state of a comparison.
fn sequential_pair(
    comparison: &FollowedComparison,
    names: &[String],
    rule: &StoppingRule,
) -> SequentialPair {
    let standing = rule
        .apply(&comparison.differences)
        .unwrap_or_else(|reason| Standing {
            decision: Decision::Continue,
            blocks: comparison.differences.len(),
            estimate: None,
            interval: None,
            evidence: None,
            bias: Bias::None,
            note: Some(reason),
        });
    SequentialPair {
        first: names[comparison.a].clone(),
        second: names[comparison.b].clone(),
        decision: standing.decision,
        rounds: standing.blocks as u64,
        estimate: standing.estimate,
        low: standing.interval.map(|interval| interval.low),
        high: standing.interval.map(|interval| interval.high),
        evidence: standing.evidence,
        bias: standing.bias,
        note: standing.note.map(|note| note.to_string()),
    }
}

/// Returns the verdict of the rule on a pair. `a` is the name of its first bot.
pub(super) fn verdict(
    a: &str,
    pair: &SequentialPair,
    rule: &StoppingRule,
    about: &About,
) -> PairVerdict {
    let numbers = numbers(pair, about);
    let (first, second) = (&pair.first, &pair.second);
    let unit = about.unit_of_means();
    let after = format!("after {}", counted(pair.rounds, "round"));
    let beats = |winner: &str, loser: &str| {
        format!("{winner} beats {loser}, decided {after}: {first} minus {second} {numbers}")
    };
    let (kind, text) = match pair.decision {
        Decision::Ahead => (VerdictKind::Ahead, beats(first, second)),
        Decision::Behind => (VerdictKind::Behind, beats(second, first)),
        Decision::EqualWithin => {
            let (margin, refuted) = match rule {
                StoppingRule::ConfidenceSequence(options) => (options.precision, String::new()),
                StoppingRule::Sprt(SprtOptions { h1, .. }) => (
                    Some(*h1),
                    format!(" (a difference of {h1} or more is rejected in both directions)"),
                ),
                StoppingRule::Betting(_) => (None, String::new()),
            };
            let margin = margin.unwrap_or_default();
            let text = format!(
                "equal within {margin} {unit}{refuted}, decided {after}: {first} minus {second} \
                 {numbers}"
            );
            (VerdictKind::Equal, text)
        }
        Decision::AcceptH0 | Decision::AcceptH1 => {
            let end = format!("{unit}, decided {after}: {numbers}");
            accepted(pair, rule, &end)
        }
        Decision::Continue => {
            let text = match &pair.note {
                Some(why) => format!("undecided: {why}"),
                None => {
                    format!("undecided {after}: {first} minus {second} {numbers}")
                }
            };
            (VerdictKind::CannotTell, text)
        }
    };
    let kind = if first == a { kind } else { kind.mirrored() };
    PairVerdict { kind, text }
}

/// Returns the verdict if the rule accepted one of two hypotheses. `end` is the end of its
/// sentence, from the unit on.
fn accepted(pair: &SequentialPair, rule: &StoppingRule, end: &str) -> (VerdictKind, String) {
    let (h0, h1) = match rule {
        StoppingRule::Sprt(options) => (options.h0, options.h1),
        StoppingRule::ConfidenceSequence(_) | StoppingRule::Betting(_) => (0.0, 0.0),
    };
    // The rejected hypothesis includes all values beyond its bound.
    let (is_more, bound) = if pair.decision == Decision::AcceptH1 {
        (h0 < h1, h0)
    } else {
        (h1 < h0, h1)
    };
    let SequentialPair { first, second, .. } = pair;
    let side = if is_more { "more" } else { "less" };
    let text = format!("{first} minus {second} is {side} than {bound} {end}");
    match (is_more, bound) {
        (true, bound) if bound >= 0.0 => (VerdictKind::Ahead, text),
        (false, bound) if bound <= 0.0 => (VerdictKind::Behind, text),
        _ => (VerdictKind::CannotTell, format!("undecided, but {text}")),
    }
}

/// Returns the estimate, interval, evidence and a note on bias as text.
fn numbers(pair: &SequentialPair, about: &About) -> String {
    let Some(estimate) = pair.estimate else {
        return "is not known".to_owned();
    };
    let ends = pair.low.zip(pair.high);
    let digits = ends.map_or(3, |(low, high)| decimals([(high - low) / 20.0]));
    let mut text = signed(estimate, digits) + " " + &about.unit_of_means();
    let mut inside = Vec::new();
    if let Some((low, high)) = ends {
        inside.push(format!(
            "confidence sequence {}",
            interval((low, high), digits)
        ));
    }
    inside.extend(pair.evidence.map(|evidence| evidence_text(&evidence)));
    if !inside.is_empty() {
        text += &format!(" ({})", inside.join(", "));
    }
    text += match pair.bias {
        Bias::None => "",
        Bias::EstimateLeans => {
            "; the comparison stopped on a lead, so the estimate is biased away from zero; the \
             interval is valid"
        }
        Bias::EstimateLeansToZero => {
            "; the comparison stopped on equality, so the estimate is biased towards zero; the \
             interval is valid"
        }
        Bias::Biased => {
            "; this rule stopped the comparison, so the estimate is biased and has \
             no interval"
        }
    };
    text
}

/// Returns the evidence as text.
pub(crate) fn evidence_text(evidence: &Evidence) -> String {
    match evidence {
        Evidence::LogLikelihoodRatio(ratio) => {
            format!("log likelihood ratio {}", signed(*ratio, 2))
        }
        Evidence::AlwaysValidP(p) => format!("always-valid {}", p_equals(*p)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hattari_stats::sequential::{ConfidenceSequenceOptions, SprtModel};

    /// Returns the verdict for a first bot that is behind by about 0.324 per round.
    fn say(rule: &StoppingRule) -> (VerdictKind, String) {
        let differences: Vec<f64> = (0..60)
            .map(|round| -0.324 + 0.2 * f64::from(round % 5 - 2))
            .collect();
        let standing = rule.apply(&differences).unwrap();
        let pair = SequentialPair {
            first: "mine".into(),
            second: "base".into(),
            decision: standing.decision,
            rounds: standing.blocks as u64,
            estimate: standing.estimate,
            low: None,
            high: None,
            evidence: None,
            bias: standing.bias,
            note: None,
        };
        let PairVerdict { kind, text } = verdict("base", &pair, rule, &About::default());
        (kind, text)
    }

    fn sprt(h0: f64, h1: f64, one_sided: bool) -> StoppingRule {
        let model = SprtModel::Normal { sd: None };
        StoppingRule::Sprt(SprtOptions {
            model,
            h0,
            h1,
            one_sided,
            alpha: 0.05,
            beta: 0.05,
        })
    }

    #[test]
    fn an_entrant_far_behind_is_never_reported_as_equal() {
        let (kind, text) = say(&sprt(0.0, 0.05, false));
        assert_eq!(
            kind,
            VerdictKind::Ahead,
            "base stands first in the table and is ahead"
        );
        assert!(text.starts_with("base beats mine, decided after"), "{text}");
        // A one-sided rule tests and reports only "not ahead by 0.05".
        let (kind, text) = say(&sprt(0.0, 0.05, true));
        assert_eq!(kind, VerdictKind::CannotTell);
        assert!(
            text.starts_with("undecided, but mine minus base is less than 0.05 points per deal"),
            "{text}"
        );
        // With h1 = −0.05 the rule rejects h0 = 0 and everything above it, but nothing below.
        let (kind, text) = say(&sprt(0.0, -0.05, true));
        assert_eq!(kind, VerdictKind::Ahead);
        assert!(
            text.starts_with("mine minus base is less than 0 points per deal, decided after"),
            "{text}"
        );
    }

    #[test]
    fn a_wide_precision_gives_an_equal_or_ahead_verdict() {
        let precise = |precision| {
            StoppingRule::ConfidenceSequence(ConfidenceSequenceOptions {
                precision: Some(precision),
                ..Default::default()
            })
        };
        assert_eq!(say(&precise(0.3)).0, VerdictKind::Ahead);
        let (kind, text) = say(&precise(1.5));
        assert!(
            kind == VerdictKind::Ahead || text.starts_with("equal within 1.5 points per deal"),
            "{kind:?} {text}"
        );
    }
}
