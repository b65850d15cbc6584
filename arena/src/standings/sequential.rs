//! What a sequential league's rule says of each comparison, and the verdict that follows from it.

use super::about::About;
use super::types::{Evidence, SequentialPair, SequentialRule, Verdict, VerdictKind};
use crate::numbers::{decimals, fixed, p_equals, signed};
use crate::stopping::{Followed, Stopping};
use crate::text::counted;
use hattari_stats::sequential::{self, Bias, Decision, Standing, StoppingRule};

/// The rule, as the league states it and as each comparison is judged.
pub fn rule(stated: &StoppingRule, stopping: &Stopping) -> SequentialRule {
    SequentialRule {
        rule: *stated,
        each: *stopping.rule(),
        comparisons: stopping.comparisons().len() as u64,
        decided: stopping.comparisons().iter().filter(|one| one.decision != Decision::Continue).count() as u64,
        rounds: stopping.rounds().into(),
        finished: stopping.is_finished(),
    }
}

/// Where the comparison of `a` and `b` stands, `None` where the league does not follow it.
pub fn pair(a: usize, b: usize, names: &[String], stopping: &Stopping) -> Option<SequentialPair> {
    let is_theirs = |one: &&Followed| (one.a, one.b) == (a, b) || (one.a, one.b) == (b, a);
    let one = stopping.comparisons().iter().find(is_theirs)?;
    let (first, second) = (names[one.a].clone(), names[one.b].clone());
    let rounds = one.differences.len() as u64;
    let none = |why: String| SequentialPair {
        first: first.clone(),
        second: second.clone(),
        decision: Decision::Continue,
        rounds,
        estimate: None,
        low: None,
        high: None,
        evidence: None,
        bias: Bias::None,
        note: Some(why),
    };
    Some(match stopping.rule().apply(&one.differences) {
        Err(reason) => none(reason.to_string()),
        Ok(found) => {
            let Standing { decision, blocks, estimate, interval, evidence, bias } = found.standing;
            SequentialPair {
                first,
                second,
                decision,
                rounds: blocks as u64,
                estimate,
                low: interval.map(|interval| interval.low),
                high: interval.map(|interval| interval.high),
                evidence: evidence.map(of_evidence),
                bias,
                note: found.note.map(|note| note.to_string()),
            }
        }
    })
}

fn of_evidence(evidence: sequential::Evidence) -> Evidence {
    let (kind, value) = match evidence {
        sequential::Evidence::P(p) => ("p", p),
        sequential::Evidence::AlwaysValidP(p) => ("always-valid-p", p),
        sequential::Evidence::EValue(e) => ("e-value", e),
        sequential::Evidence::LogLikelihoodRatio(ratio) => ("log-likelihood-ratio", ratio),
    };
    Evidence { kind, value }
}

/// The verdict on the pair `(a, b)` by the rule.
pub fn verdict(a: &str, pair: &SequentialPair, rule: &StoppingRule, about: &About) -> Verdict {
    let towards = |difference: f64| match difference {
        d if 0.0 < d => VerdictKind::Ahead,
        d if d < 0.0 => VerdictKind::Behind,
        _ => VerdictKind::NoDifference,
    };
    let accepted = |second: bool| match rule {
        StoppingRule::Sprt(options) if second => options.h1,
        StoppingRule::Sprt(options) => options.h0,
        _ => 0.0,
    };
    let kind = match pair.decision {
        Decision::Ahead => VerdictKind::Ahead,
        Decision::Behind => VerdictKind::Behind,
        Decision::NoDifference => VerdictKind::NoDifference,
        Decision::AcceptH0 => towards(accepted(false)),
        Decision::AcceptH1 => towards(accepted(true)),
        Decision::Continue => VerdictKind::CannotTell,
    };
    let kind = match kind {
        VerdictKind::Ahead if pair.first != a => VerdictKind::Behind,
        VerdictKind::Behind if pair.first != a => VerdictKind::Ahead,
        kind => kind,
    };
    let numbers = numbers(pair, about);
    let (first, second) = (&pair.first, &pair.second);
    let after = format!("after {}", counted(pair.rounds, "round"));
    let text = match pair.decision {
        Decision::Ahead => format!("{first} beats {second}, decided {after}: {numbers}"),
        Decision::Behind => format!("{second} beats {first}, decided {after}: {first} less {second} {numbers}"),
        Decision::NoDifference => {
            format!(
                "no difference larger than the precision asked for, decided {after}: {first} less {second} {numbers}"
            )
        }
        Decision::AcceptH0 | Decision::AcceptH1 => {
            let (yes, no) = match pair.decision {
                Decision::AcceptH0 => (accepted(false), accepted(true)),
                _ => (accepted(true), accepted(false)),
            };
            let score = about.score;
            let accepted = format!("{first} less {second} is {yes} {score} a {} rather than {no}", about.unit);
            format!("{accepted}, decided {after}: {numbers}")
        }
        Decision::Continue => match &pair.note {
            Some(why) => format!("cannot tell: {why}"),
            None => format!("cannot tell: not decided {after}: {first} less {second} {numbers}"),
        },
    };
    Verdict { kind, text }
}

/// Estimate, interval, evidence, and how far the estimate can be trusted.
fn numbers(pair: &SequentialPair, about: &About) -> String {
    let Some(estimate) = pair.estimate else { return "nothing played".to_owned() };
    let ends = pair.low.zip(pair.high);
    let digits = ends.map_or(3, |(low, high)| decimals([(high - low) / 20.0]));
    let mut text = format!("{} {} a {}", signed(estimate, digits), about.score, about.unit);
    let mut inside = Vec::new();
    if let Some((low, high)) = ends {
        inside.push(format!("confidence sequence {} to {}", signed(low, digits), signed(high, digits)));
    }
    inside.extend(pair.evidence.map(|evidence| evidence_text(&evidence)));
    if !inside.is_empty() {
        text += &format!(" ({})", inside.join(", "));
    }
    text += match pair.bias {
        Bias::None => "",
        Bias::EstimateLeans => "; it stopped on a lead, so the estimate leans away from zero, the interval holds",
        Bias::Biased => "; it stopped by this rule, so the estimate is biased and has no interval",
    };
    text
}

/// The evidence in words.
pub fn evidence_text(evidence: &Evidence) -> String {
    match evidence.kind {
        "e-value" if evidence.value < 1e4 => format!("e-value {}", fixed(evidence.value, 2)),
        "e-value" => format!("e-value {:.1e}", evidence.value),
        "log-likelihood-ratio" => format!("log likelihood ratio {}", signed(evidence.value, 2)),
        "always-valid-p" => format!("always-valid {}", p_equals(evidence.value)),
        _ => p_equals(evidence.value),
    }
}
