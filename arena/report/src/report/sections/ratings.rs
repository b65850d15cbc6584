//! The section on ratings.

use super::*;
use crate::report::figures::intervals;
use crate::standings::{Rating, RatingRange};

/// Returns the ratings; `None` for fewer than three bots, because the test of the pair gives the
/// same information.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let mut part = ReportPart::new("ratings", "Ratings", "Ratings").with([section(standings)?]);
    if detail.is_page() {
        let fit = standings
            .ratings
            .as_ref()
            .and_then(|ratings| ratings.fit.tested());
        part.figures.extend(fit.map(|fit| figure(fit)));
    }
    Some(part)
}

fn figure(fit: &[Rating]) -> Figure {
    let digits = digits(fit);
    let rows = fit.iter().take(BOTS_MAX).map(|rating| {
        let text = signed(rating.strength, digits);
        let ends = rating.range.map(|range| (range.low, range.high));
        let title = match (rating.range, ends) {
            (Some(range), Some(ends)) => {
                format!(
                    "{}: {text} ({}), rank {}",
                    rating.name,
                    interval(ends, digits),
                    ranks(&range)
                )
            }
            _ => format!("{}: {text}", rating.name),
        };
        intervals::IntervalRow {
            name: &rating.name,
            value: rating.strength,
            interval: ends,
            text,
            title,
            starts_group: false,
        }
    });
    let rows: Vec<_> = rows.collect();
    let label = format!(
        "Strengths of {} with their intervals.",
        counted(rows.len() as u64, "bot")
    );
    let mut caption = "Strengths fitted to who finished ahead of whom (Bradley-Terry).".to_owned();
    if has_ranges(fit) {
        caption += " The intervals use Student's t on the influence of each block, or of each set \
             of blocks with the same deals, on a strength.";
    }
    caption += &omitted_bots(fit.len());
    intervals::figure(&rows, "strength", &label).caption(caption)
}

fn has_ranges(fit: &[Rating]) -> bool {
    fit.iter().any(|rating| rating.range.is_some())
}

/// Returns the number of decimals for strengths. A quarter of the interval is used as the standard
/// error.
fn digits(fit: &[Rating]) -> usize {
    decimals(
        fit.iter()
            .filter_map(|rating| rating.range)
            .map(|range| (range.high - range.low) / 4.0),
    )
}

/// Returns the possible ranks as text: `2` or `2 to 4`.
fn ranks(range: &RatingRange) -> String {
    let (best, worst) = (range.best_rank, range.worst_rank);
    if best == worst {
        best.to_string()
    } else {
        format!("{best} to {worst}")
    }
}

fn section(standings: &Standings) -> Option<Section> {
    let ratings = standings
        .ratings
        .as_ref()
        .filter(|_| standings.bots.len() > 2)?;
    let unit = standings.about.unit;
    let fit = match &ratings.fit {
        TestResult::Tested(fit) => fit,
        TestResult::NotTestable(why) => {
            let section = Section::new("Ratings");
            return Some(section.sentence(format!("No ratings: {why}.")));
        }
    };
    let digits = digits(fit);
    let table = grid! { rating in fit;
        "bot", Left = &rating.name;
        "strength", Right = signed(rating.strength, digits);
        &interval_header(standings), Right =
            interval((rating.range?.low, rating.range?.high), digits);
        "points", Right = signed(rating.elo, 0);
        "rank", Right = ranks(&rating.range?);
    };
    let mut note = format!(
        "Strengths are fitted to who finished ahead of whom in each {unit} (Bradley-Terry). A \
         difference of x in strength means odds of e^x to finish ahead; 400 points mean odds of \
         ten to one."
    );
    if has_ranges(fit) {
        note += &format!(
            " Intervals: Student's t on the influence of each block on a strength. Ranks: \
             possible ranks, valid for all bots together, {}.",
            match ratings.samples {
                Some(samples) => format!(
                    "from flipped signs of whole blocks (all sign patterns, or {} random ones)",
                    grouped(samples)
                ),
                None => "from t-tests of the differences, adjusted by Holm".to_owned(),
            }
        );
    } else if !standings.is_adaptive() {
        note += " Intervals and ranks are omitted: they need the same opponents for all bots, \
             blocks that differ, and numbers of blocks that do not depend on results.";
    }
    if ratings.virtual_draws > 0.0 {
        note += &format!(
            " Some bot was always, or never, ahead of the others. To keep the ratings finite, {} \
             fictitious drawn {unit} is added for every pair of bots.",
            fixed(ratings.virtual_draws, 0)
        );
    }
    Some(
        Section::of("Ratings", table)
            .note(note)
            .caption("Ratings and possible ranks")
            .folded(),
    )
}
