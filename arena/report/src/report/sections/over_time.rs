//! The section on scores over blocks. The confidence sequences of these scores are computed here,
//! for pages only.

use super::*;
use crate::report::figures::over_time::{LastEstimate, ScoreSeries, panel};
use crate::standings::{Method, SequentialPair};
use hattari_play::samples::Samples;
use hattari_stats::sequential::Decision;

/// Maximum number of pairs whose difference is plotted.
const PLOTTED_PAIRS_MAX: usize = 12;

/// The series of a figure.
struct SeriesGroup {
    title: &'static str,
    /// Text that says which series are left out; empty if all are plotted.
    left_out: &'static str,
    series: Vec<ScoreSeries>,
}

/// Returns differences and means over blocks for a page; `None` in other formats, and if earlier
/// results chose the pairings.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    // Confidence sequences are valid only if pairings do not depend on results.
    if !detail.is_page() || standings.is_adaptive() {
        return None;
    }
    let mut part = ReportPart::new("course", "Over blocks", "Scores over blocks");
    let confidence = standings.settings.confidence;
    let level = level(confidence);
    let mut last_estimates = Vec::new();
    for group in [differences(report), means(report)] {
        let mut panels = Vec::new();
        for series in group.series {
            if let Some((panel, last)) = panel(&series, confidence) {
                panels.push(panel);
                last_estimates.push((series, last));
            }
        }
        if panels.is_empty() {
            continue;
        }
        let caption = format!(
            "{} over the blocks played{}, in {}: running mean with a {level} % confidence \
             sequence. The sequence is valid at all times simultaneously, so you may look at it \
             and stop at any time; its intervals are therefore wider than those in the tables.",
            group.title,
            group.left_out,
            score_axis(standings)
        );
        part.figures.push(Figure {
            panels,
            caption,
            ..Figure::default()
        });
    }
    if last_estimates.is_empty() {
        return Some(part.sentence("No games have been played."));
    }
    let heading = "Confidence sequences after the last round";
    let table = table(&last_estimates, &level);
    let mut section = Section::of(heading, table).folded().note(
        "A round is one block of every line-up. There are no intervals before ten rounds, \
         because the theory assumes many blocks. The level applies to each sequence separately; \
         it is not adjusted for the number of panels.",
    );
    if standings.sequential.is_some() {
        section = section.note(
            "A dashed line marks the round in which the stopping rule of the league decided. The \
             rule uses a stricter level that holds for all its comparisons together. Later \
             blocks were played for other comparisons.",
        );
    }
    Some(part.with([section]))
}

/// Returns the differences of the first pairs that shared blocks.
fn differences(report: &Report<'_>) -> SeriesGroup {
    let pairs = &report.standings.pairs;
    let has_shared_blocks = |pair: &&PairStanding| {
        let test = pair.pooled.tested();
        pair.difference.is_some() && test.is_none_or(|test| test.method != Method::WelchBlocks)
    };
    let series = |pair: &PairStanding| ScoreSeries {
        title: format!("{} − {}", pair.a, pair.b),
        values: round_differences(report.samples, &pair.a, &pair.b),
        is_difference: true,
        stop: pair.sequential.as_deref().and_then(stopping_round),
        ..ScoreSeries::default()
    };
    let plotted = pairs
        .iter()
        .filter(has_shared_blocks)
        .take(PLOTTED_PAIRS_MAX);
    SeriesGroup {
        title: "Differences",
        left_out: if pairs.len() > PLOTTED_PAIRS_MAX {
            ", first pairs of the standings only"
        } else {
            ""
        },
        series: plotted.map(series).collect(),
    }
}

/// Returns the scores of the first bots.
fn means(report: &Report<'_>) -> SeriesGroup {
    let bots = &report.standings.bots;
    let series = |bot: &BotStanding| ScoreSeries {
        title: bot.name.clone(),
        values: number_of(report.samples, &bot.name)
            .map_or_else(Vec::new, |bot| report.samples.bot_round_means(bot)),
        ..ScoreSeries::default()
    };
    SeriesGroup {
        title: "Means",
        left_out: if bots.len() > BOTS_MAX {
            ", first bots of the standings only"
        } else {
            ""
        },
        series: bots.iter().take(BOTS_MAX).map(series).collect(),
    }
}

/// Returns the number of the entrant with this name.
fn number_of(samples: &Samples, name: &str) -> Option<usize> {
    samples.names.iter().position(|other| other == name)
}

/// Returns the difference `a` minus `b` in each round in which both have a score.
fn round_differences(samples: &Samples, a: &str, b: &str) -> Vec<f64> {
    let numbers = number_of(samples, a).zip(number_of(samples, b));
    samples.round_means(|line_up| {
        let (a, b) = numbers.filter(|_| line_up.has_equal_chances)?;
        Some(
            line_up
                .bot(a)?
                .means
                .iter()
                .zip(&line_up.bot(b)?.means)
                .map_while(|(a, b)| Some((*a)? - (*b)?))
                .collect(),
        )
    })
}

/// Returns the round in which the stopping rule decided; `None` if it has not decided.
fn stopping_round(pair: &SequentialPair) -> Option<usize> {
    let decided = pair.decision != Decision::Continue;
    decided.then(|| usize::try_from(pair.rounds).unwrap_or(usize::MAX))
}

fn table(lasts: &[(ScoreSeries, LastEstimate)], level: &str) -> Grid {
    let rows = lasts
        .iter()
        .map(|(series, last)| (series, last, last.format(series)));
    grid! { (series, last, text) in rows;
        "series", Left = &series.title;
        "rounds", Right = last.rounds as u64;
        "mean", Right = text(last.mean);
        &format!("{level} % confidence sequence"), Right =
            last.interval.map(|(low, high)| format!("{} to {}", text(low), text(high)));
    }
}
