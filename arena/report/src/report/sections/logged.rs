//! The section on the numbers that bots log: means by turn, as a table and figures.

use super::*;
use crate::report::figures::curve::{self, CurvePoint};
use crate::standings::LoggedRow;

/// Maximum number of rows in a terminal.
const ROWS_MAX: usize = 40;
/// Maximum number of figures.
const FIGURES_MAX: usize = 16;

/// Returns a table of all means, and a figure for each name under which bots log numbers; `None` if
/// no bot logs numbers.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let (rows, confidence) = (&standings.numbers, standings.settings.confidence);
    if rows.is_empty() {
        return None;
    }
    let of_name: Vec<(&[LoggedRow], usize)> = rows
        .chunk_by(|one, next| one.name == next.name)
        .map(|rows| (rows, digits_of(rows.iter().map(|row| &row.estimate))))
        .collect();
    let shown = if !detail.is_screen() {
        rows.len()
    } else {
        ROWS_MAX
    };
    let each = of_name
        .iter()
        .flat_map(|(rows, digits)| rows.iter().map(move |row| (row, *digits)));
    let table = grid! { (row, digits) in each.take(shown);
        "name", Left = &row.name;
        "bot", Left = &row.bot;
        "turn", Right = row.turn;
        "mean", Right = fixed(row.value?, digits);
        &interval_header(standings), Right =
            unsigned_interval(row.estimate.tested()?.ends(), digits);
        "n", Right = row.count;
    };
    let mut section = Section::of("Logged numbers", table.keyed_by(3)).note(
        "Means of the numbers that bots logged in their decisions. A turn is the number of a bot's \
         decision in the deal, from 1; only long deals have late turns. n is the number of logged \
         numbers. Intervals are computed from blocks and hold for each mean separately.",
    );
    if shown < rows.len() {
        section = section.note(format!(
            "The table shows the first {shown} of {} rows; pages and files show all rows.",
            rows.len()
        ));
    }
    let mut part =
        ReportPart::new("numbers", "Numbers", "Numbers that the bots log").with([section.folded()]);
    if detail.is_page() {
        part.figures = of_name
            .iter()
            .take(FIGURES_MAX)
            .filter_map(|(rows, digits)| figure(rows, *digits, &level(confidence)))
            .collect();
    }
    Some(part)
}

/// Returns the figure for one name of logged numbers, with a panel for each bot; `None` if no mean
/// is known.
fn figure(rows: &[LoggedRow], digits: usize, confidence: &str) -> Option<Figure> {
    let name = &rows[0].name;
    let point = |row: &LoggedRow| {
        let value = row.value?;
        let interval = row.estimate.tested().map(Estimate::ends);
        let range = interval.map(|ends| format!(" ({})", unsigned_interval(ends, digits)));
        Some(CurvePoint {
            x: row.turn.into(),
            y: value,
            interval: interval.unwrap_or((value, value)),
            title: format!(
                "{}, turn {}: {name} {}{}",
                row.bot,
                row.turn,
                fixed(value, digits),
                range.unwrap_or_default()
            ),
        })
    };
    let curves: Vec<_> = rows
        .chunk_by(|one, next| one.bot == next.bot)
        .take(BOTS_MAX)
        .map(|rows| (rows[0].bot.clone(), rows.iter().filter_map(point).collect()))
        .filter(|(_, points): &(String, Vec<CurvePoint>)| !points.is_empty())
        .collect();
    let label = |bot: &str| format!("Mean {name} of {bot} by turn.");
    // Ticks of at least three turns are whole numbers.
    let figure = curve::panels(&curves, [1.0, 3.0], ["turn", name], label).caption(format!(
        "Mean {name} by turn; the band connects the {confidence} % confidence intervals."
    ));
    (!curves.is_empty()).then_some(figure)
}
