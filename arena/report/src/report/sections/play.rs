//! Statistics of play.

use super::{Detail, none};
use crate::numbers::{decimals, fixed, level, percent, unsigned_interval};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::PlayRow;

/// Returns a table of the statistics; `None` if they were not computed.
pub(super) fn part(report: &Report<'_>, _detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    if standings.play.is_empty() {
        return None;
    }
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let mut table = Grid::new(&[
        ("statistic", Align::Left),
        ("bot", Align::Left),
        ("value", Align::Right),
        (&confidence, Align::Right),
        ("n", Align::Right),
    ])
    .keyed_by(2);
    let payoffs = standings.play.iter().filter(|row| row.is_payoff());
    let errors = payoffs.filter_map(|row| Some(row.estimate.tested()?.se));
    let digits = decimals(errors);
    table.rows = standings.play.iter().map(|one| row(one, digits)).collect();
    let note = "Percentages are shares of the decisions in such positions; for VPIP and PFR, shares \
        of the deals with a decision before the flop or on the first street. Points are means over \
        deals with such a decision. Forced moves do not count. n is the number of decisions or \
        deals. Intervals are over blocks and for each number alone.";
    let section = Section {
        table: Some(table),
        notes: vec![note.to_owned()],
        ..Section::new("Play")
    };
    Some(ReportPart::new("play", "Play", "How the bots play").with([section]))
}

/// Returns the row of a statistic; points have `digits` decimals.
fn row(row: &PlayRow, digits: usize) -> Vec<Cell> {
    let value = row.value.map_or_else(none, |value| {
        let text = match row.is_payoff() {
            true => fixed(value, digits),
            false => percent(value) + " %",
        };
        text.into()
    });
    let interval = row.estimate.tested().map_or_else(none, |estimate| {
        let text = match row.is_payoff() {
            true => unsigned_interval((estimate.low, estimate.high), digits),
            false => format!(
                "{} to {}",
                percent(estimate.low.max(0.0)),
                percent(estimate.high.min(1.0))
            ),
        };
        text.into()
    });
    vec![
        row.statistic.into(),
        row.bot.as_str().into(),
        value,
        interval,
        row.count.to_string().into(),
    ]
}
