//! Points in units of the stake, such as big blinds per 100 deals in poker.

use super::{Detail, none};
use crate::numbers::{decimals, fixed, level};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::{Estimate, Standings, Testable};

/// Number of deals per unit of winnings.
const PER: f64 = 100.0;

/// Winnings of each bot over all line-ups and, on request, by line-up; omitted if the game has no
/// stake.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let section = section(report.standings, detail.per_line_up)?;
    Some(ReportPart::new("winnings", "Winnings", "Winnings").with([section]))
}

fn section(standings: &Standings, per_line_up: bool) -> Option<Section> {
    let stake = standings.about.league.as_ref()?.stake.as_ref()?;
    let scale = PER / stake.points as f64;
    let mut rows: Vec<(String, &str, &Testable<Estimate>)> = standings
        .bots
        .iter()
        .map(|bot| ("all".to_owned(), bot.name.as_str(), &bot.estimate))
        .collect();
    if per_line_up {
        for line_up in &standings.line_ups {
            let number = line_up.line_up.to_string();
            rows.extend(
                line_up
                    .bots
                    .iter()
                    .map(|bot| (number.clone(), bot.name.as_str(), &bot.estimate)),
            );
        }
    }
    let digits = decimals(
        rows.iter()
            .filter_map(|(_, _, answer)| answer.tested().map(|estimate| estimate.se * scale)),
    );
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let per_hundred = format!("{}s / 100", stake.name);
    let thousandths = format!("m{} / deal", initials(stake.name));
    let mut table = Grid::new(&[
        ("line-up", Align::Right),
        ("bot", Align::Left),
        (&per_hundred, Align::Right),
        ("se", Align::Right),
        (&confidence, Align::Right),
        (&thousandths, Align::Right),
    ]);
    for (line_up, name, answer) in rows {
        let mut row: Vec<Cell> = vec![line_up.into(), name.into()];
        match answer {
            Testable::Tested(estimate) => row.extend([
                fixed(estimate.value * scale, digits).into(),
                fixed(estimate.se * scale, digits).into(),
                format!(
                    "{} to {}",
                    fixed(estimate.low * scale, digits),
                    fixed(estimate.high * scale, digits)
                )
                .into(),
                fixed(estimate.value * 1000.0 / stake.points as f64, 0).into(),
            ]),
            Testable::NotTestable(_) => row.extend([none(), none(), none(), none()]),
        }
        table.rows.push(row);
    }
    let note = format!(
        "One {} is {} {}; the column {thousandths} is in thousandths of it.",
        stake.name, stake.points, standings.about.score
    );
    Some(Section {
        table: Some(table),
        notes: vec![note],
        ..Section::new("Winnings")
    })
}

/// Returns the initials of a stake, such as `bb` for big blind.
fn initials(name: &str) -> String {
    name.split(' ')
        .filter_map(|word| word.chars().next())
        .collect()
}
