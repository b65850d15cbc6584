//! The comparisons of a sequential league.

use super::*;
use crate::standings::{SequentialPair, SequentialRule, evidence_text};
use hattari_stats::sequential::{Bias, Decision, StoppingRule};

/// Returns the stopping rule and the state of each comparison; `None` if the league is not
/// sequential.
pub(super) fn part(standings: &Standings, _: Detail) -> Option<ReportPart> {
    let rule = standings.sequential.as_ref()?;
    let pairs = || pairs_with(standings, |pair| pair.sequential.as_ref());
    let widths = pairs()
        .filter_map(|(_, result)| result.low.zip(result.high))
        .map(|(low, high)| (high - low) / 4.0);
    let digits = decimals(widths);
    let table = grid! { (pair, result) in pairs();
        "first", Left = &result.first;
        "second", Left = &result.second;
        "first − second", Right = signed(result.estimate?, digits);
        "interval", Right = interval(result.low.zip(result.high)?, digits);
        "evidence", Left = result.evidence.as_ref().map(evidence_text);
        "rounds", Right = result.rounds;
        "decision", Left = Cell::coloured(decision(result), verdict_colour(result, pair));
        "estimate", Left = bias_text(result.bias);
    };
    let mut section = Section::new("Stopping rule")
        .caption("State of each comparison")
        .sentence(rule_text(rule))
        .note(
            "A round is one block of every line-up that is still open; a line-up is closed when \
             every comparison at its table is decided. Blocks played after a comparison has \
             stopped do not count in this table. Biased away from zero: the comparison stopped on \
             a lead, so the estimate is too far from zero on average. Biased towards zero: it \
             stopped on equality, so the estimate is too close to zero on average. In both cases \
             the interval is valid. Biased: the estimate is biased and no interval is valid.",
        );
    section.table = (!table.rows.is_empty()).then_some(table);
    section.notes.extend(explain_equal(&rule.rule));
    Some(ReportPart::new("stopping", "Stopping rule", "The stopping rule").with([section]))
}

/// Returns a sentence that explains the decision "equal"; `None` if the rule never makes it.
fn explain_equal(rule: &StoppingRule) -> Option<String> {
    match rule {
        StoppingRule::ConfidenceSequence(options) => options.precision.map(|precision| {
            format!(
                "Equal: the whole interval lies within {precision} of zero, so the difference is \
                 smaller than this margin."
            )
        }),
        StoppingRule::Sprt(options) if !options.one_sided => Some(format!(
            "Equal: in both directions the test has accepted a difference of {} and rejected one \
             of {} (h0 and h1 of the rule). Neither bot is ahead by {} or more; a smaller \
             difference is not ruled out.",
            options.h0, options.h1, options.h1
        )),
        _ => None,
    }
}

fn rule_text(rule: &SequentialRule) -> String {
    let each = match (&rule.rule, &rule.each) {
        (StoppingRule::ConfidenceSequence(all), StoppingRule::ConfidenceSequence(each)) => {
            let precision = all.precision.map_or_else(String::new, |precision| {
                format!(" or lies within {precision} of zero")
            });
            format!(
                "its asymptotic confidence sequence (normal mixture) excludes zero{precision} \
                 (level {} % for all comparisons together, {} % for each)",
                level(all.confidence),
                level(each.confidence)
            )
        }
        (StoppingRule::Sprt(all), StoppingRule::Sprt(each)) => format!(
            "Wald's probability ratio test, {}, decides between a difference of {} and one of {} \
             (error rates {} and {} for all comparisons together, {} and {} for each)",
            if all.one_sided {
                "one-sided"
            } else {
                "two-sided"
            },
            all.h0,
            all.h1,
            p_value(all.alpha),
            p_value(all.beta),
            p_value(each.alpha),
            p_value(each.beta)
        ),
        _ => "a fixed number of blocks is played".to_owned(),
    };
    let state = if rule.finished {
        "the league is finished"
    } else {
        "the league continues"
    };
    format!(
        "A comparison stops when {each}. {} of {} decided after {}; {state}.",
        rule.decided,
        counted(rule.comparisons, "comparison"),
        counted(rule.rounds, "round")
    )
}

/// Returns the colour of the verdict from the point of view of the first bot of the comparison,
/// which may be the second bot of the pair.
fn verdict_colour(result: &SequentialPair, pair: &PairStanding) -> CellColour {
    let kind = pair.verdict.kind;
    colour_of(if pair.a == result.first {
        kind
    } else {
        kind.mirrored()
    })
}

fn decision(result: &SequentialPair) -> &'static str {
    match result.decision {
        Decision::Continue => "not decided",
        Decision::Ahead => "first is ahead",
        Decision::Behind => "first is behind",
        Decision::EqualWithin => "equal",
        Decision::AcceptH0 => "h1 rejected",
        Decision::AcceptH1 => "h0 rejected",
    }
}

fn bias_text(bias: Bias) -> &'static str {
    match bias {
        Bias::None => "not stopped",
        Bias::EstimateLeans => "biased away from zero",
        Bias::EstimateLeansToZero => "biased towards zero",
        Bias::Biased => "biased",
    }
}
