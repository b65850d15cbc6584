//! Scores over blocks.

use super::{BOTS_MAX, Detail, score_axis};
use crate::grid;
use crate::numbers::{decimals, fixed, level, signed};
use crate::report::Report;
use crate::report::figures::course::{LastEstimate, ScoreSeries, panel};
use crate::report::part::{Figure, ReportPart};
use crate::report::table::{Grid, Section};
use crate::standings::{Method, PairStanding, SequentialPair};
use hattari_stats::sequential::Decision;

/// Maximum number of pairs whose difference is plotted.
const PLOTTED_BOTS_MAX: usize = 12;

/// Returns differences and means over blocks, with confidence sequences, on a page only.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let Report {
        standings, samples, ..
    } = *report;
    // Confidence sequences are valid only if pairings do not depend on results.
    if !detail.page || standings.is_adaptive() {
        return None;
    }
    let mut part = ReportPart::new("course", "Over blocks", "Scores over blocks");
    let confidence = standings.settings.confidence;
    let number = |name: &str| samples.names.iter().position(|other| other == name);
    let of_bot =
        |name: &str| number(name).map_or_else(Vec::new, |bot| samples.bot_round_means(bot));
    let of_pair = |a: &str, b: &str| {
        samples.round_means(|line_up, round| {
            let (a, b) = (line_up.bot(number(a)?)?, line_up.bot(number(b)?)?);
            let both = a
                .means
                .get(round)
                .copied()
                .flatten()
                .zip(b.means.get(round).copied().flatten());
            Some(both.map(|(a, b)| a - b))
        })
    };
    let met = |pair: &&PairStanding| {
        pair.pooled
            .tested()
            .is_none_or(|test| test.method != Method::WelchBlocks)
    };
    let differences = standings
        .pairs
        .iter()
        .filter(met)
        .take(PLOTTED_BOTS_MAX)
        .map(|pair| ScoreSeries {
            title: format!("{} − {}", pair.a, pair.b),
            values: of_pair(&pair.a, &pair.b),
            is_difference: true,
            stop: pair.sequential.as_deref().and_then(stopping_round),
            ..ScoreSeries::default()
        });
    let scores = standings.bots.iter().take(BOTS_MAX).map(|bot| ScoreSeries {
        title: bot.name.clone(),
        values: of_bot(&bot.name),
        ..ScoreSeries::default()
    });
    let more = if BOTS_MAX < standings.bots.len() {
        ", first bots of the standings only"
    } else {
        ""
    };
    let level = level(confidence);
    let groups: [(&str, Vec<ScoreSeries>); 2] = [
        ("Differences", differences.collect()),
        ("Means", scores.collect()),
    ];
    let mut lasts = Vec::new();
    for (what, courses) in groups {
        let mut panels = Vec::new();
        for series in courses {
            if let Some((panel, last)) = panel(&series, confidence) {
                panels.push(panel);
                lasts.push((series, last));
            }
        }
        if panels.is_empty() {
            continue;
        }
        let few = if what == "Differences" && PLOTTED_BOTS_MAX < standings.pairs.len() {
            ", first pairs of the standings only"
        } else if what == "Means" {
            more
        } else {
            ""
        };
        let caption = format!(
            "{what} over the blocks played{few}, in {}: running mean with a {level} % confidence \
             sequence. The sequence is valid at all times simultaneously, so you may look at it \
             and stop at any time; its intervals are therefore wider than those in the tables.",
            score_axis(standings)
        );
        part.figures.push(Figure {
            panels,
            caption,
            ..Figure::default()
        });
    }
    if lasts.is_empty() {
        return Some(part.sentence("No games have been played."));
    }
    let heading = "Confidence sequences after the last round";
    let mut section = Section::of(heading, table(&lasts, &level)).folded().note(
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

/// Returns the round in which the stopping rule decided; `None` if it has not decided.
fn stopping_round(found: &SequentialPair) -> Option<usize> {
    let decided = found.decision != Decision::Continue;
    decided.then(|| usize::try_from(found.rounds).unwrap_or(usize::MAX))
}

fn table(lasts: &[(ScoreSeries, LastEstimate)], level: &str) -> Grid {
    let rows = lasts.iter().map(|(series, last)| {
        let error = last.interval.map_or(0.0, |(low, high)| (high - low) / 4.0);
        let digits = decimals([error]);
        let text = if series.is_difference { signed } else { fixed };
        (series, last, move |value| text(value, digits))
    });
    grid! { (series, last, text) in rows;
        "series", Left = &series.title;
        "rounds", Right = last.rounds as u64;
        "mean", Right = text(last.mean);
        &format!("{level} % confidence sequence"), Right =
            last.interval.map(|(low, high)| format!("{} to {}", text(low), text(high)));
    }
}
