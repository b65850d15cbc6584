//! Statistics of play.

use super::{Detail, interval_header};
use crate::grid;
use crate::numbers::{decimals, fixed, percent, unsigned_interval};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::Section;
use crate::standings::{Estimate, PlayRow};

/// Returns a table of the statistics; `None` if they were not computed.
pub(super) fn part(report: &Report<'_>, _detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    if standings.play.is_empty() {
        return None;
    }
    let payoffs = standings.play.iter().filter(|row| row.is_payoff());
    let errors = payoffs.filter_map(|row| Some(row.estimate.tested()?.se));
    let digits = decimals(errors);
    let value = |row: &PlayRow, value: f64| match row.is_payoff() {
        true => fixed(value, digits),
        false => percent(value) + " %",
    };
    let interval = |row: &PlayRow, found: &Estimate| match row.is_payoff() {
        true => unsigned_interval(found.ends(), digits),
        false => format!(
            "{} to {}",
            percent(found.low.max(0.0)),
            percent(found.high.min(1.0))
        ),
    };
    let table = grid! { row in &standings.play;
        "statistic", Left = row.statistic;
        "bot", Left = &row.bot;
        "value", Right = row.value.map(|found| value(row, found));
        &interval_header(standings), Right =
            row.estimate.tested().map(|found| interval(row, found));
        "n", Right = row.count.to_string();
    };
    let note = "Percentages are shares of the decisions in such positions; for VPIP and PFR, shares \
        of the deals with a decision before the flop or on the first street. Points are means over \
        deals with such a decision. Forced moves do not count. n is the number of decisions or \
        deals. Intervals are over blocks and for each number alone.";
    let section = Section::of("Play", table.keyed_by(2)).note(note);
    Some(ReportPart::new("play", "Play", "How the bots play").with([section]))
}
