//! The section on entrants that differ only in one numeric setting: scores by the value of the
//! setting, as a table and a figure.

use super::*;
use crate::report::figures::curve::{self, CurvePoint};
use crate::standings::SweptSetting;

/// Returns a table and, on a page, a figure for each such setting; `None` if there is none.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    if standings.swept.is_empty() {
        return None;
    }
    let mut part = ReportPart::new("swept", "Settings", "Score by setting");
    part.sections = standings
        .swept
        .iter()
        .map(|swept| section(standings, swept))
        .collect();
    if detail.is_page() {
        part.figures = standings
            .swept
            .iter()
            .filter_map(|swept| figure(standings, swept))
            .collect();
    }
    Some(part)
}

/// Returns the number of decimals for the scores of a table.
fn digits(swept: &SweptSetting) -> usize {
    decimals(
        swept
            .points
            .iter()
            .filter_map(|point| Some(point.estimate?.se)),
    )
}

/// Returns the name of the bot, with the settings that its entrants share, if there are any.
fn bot(swept: &SweptSetting) -> String {
    match swept.fixed.as_object() {
        Some(fields) if !fields.is_empty() => format!("{} with `{}`", swept.bot, swept.fixed),
        _ => swept.bot.clone(),
    }
}

fn section(standings: &Standings, swept: &SweptSetting) -> Section {
    let digits = digits(swept);
    let table = grid! { point in &swept.points;
        &swept.setting, Right = point.value.to_string();
        "bot", Left = &point.name;
        standings.about.score, Right = fixed(point.estimate?.value, digits);
        "se", Right = fixed(point.estimate?.se, digits);
        &interval_header(standings), Right = unsigned_interval(point.estimate?.ends(), digits);
    };
    let heading = format!("Score by {} of {}", swept.setting, bot(swept));
    Section::of(heading, table.keyed_by(2)).note(
        "Intervals hold for each value separately. Bots that met have correlated scores, so use \
         the tests of the pairs to compare two values.",
    )
}

fn figure(standings: &Standings, swept: &SweptSetting) -> Option<Figure> {
    let digits = digits(swept);
    let points: Vec<CurvePoint> = swept
        .points
        .iter()
        .filter_map(|point| {
            let estimate = point.estimate?;
            let interval = estimate.ends();
            Some(CurvePoint {
                x: point.value,
                y: estimate.value,
                interval,
                title: format!(
                    "{} = {}: {} ({})",
                    swept.setting,
                    point.value,
                    fixed(estimate.value, digits),
                    unsigned_interval(interval, digits)
                ),
            })
        })
        .collect();
    if points.len() < 2 {
        return None;
    }
    let score = score_axis(standings);
    let confidence = level(standings.settings.confidence);
    let label = format!(
        "Mean {score} of {} by {}, {} values.",
        swept.bot,
        swept.setting,
        points.len()
    );
    let caption = format!(
        "Mean {score} of {} by {}; the band connects the {confidence} % confidence intervals of \
         the values.",
        bot(swept),
        swept.setting
    );
    Some(curve::figure(&points, [&swept.setting, &score], &label).caption(caption))
}
