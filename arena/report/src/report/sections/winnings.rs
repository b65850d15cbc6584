//! Points in units of the stake, such as big blinds per 100 deals in poker.

use super::{Detail, none};
use crate::numbers::{decimals, fixed, interval, level, signed};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::{Estimate, PairStanding, Stake, Standings};

/// Returns the winnings of each bot over all line-ups and, on request, by line-up; `None` if the
/// game has no stake.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let stake = standings.about.stake()?;
    let sections = [bots(standings, stake, detail.per_line_up)];
    let part = ReportPart::new("winnings", "Winnings", "Winnings").with(sections);
    Some(part.with(pairs(standings, stake)))
}

fn bots(standings: &Standings, stake: &Stake, per_line_up: bool) -> Section {
    let mut rows: Vec<(String, &str, Option<Estimate>)> = standings
        .bots
        .iter()
        .map(|bot| ("all".to_owned(), bot.name.as_str(), bot.winnings))
        .collect();
    if per_line_up {
        for line_up in &standings.line_ups {
            let number = line_up.line_up.to_string();
            rows.extend(line_up.bots.iter().map(|bot| {
                let points = bot.estimate.tested();
                let winnings = points.map(|points| stake.per_hundred(*points));
                (number.clone(), bot.name.as_str(), winnings)
            }));
        }
    }
    let digits = decimals(
        rows.iter()
            .filter_map(|(.., winnings)| Some(winnings.as_ref()?.se)),
    );
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let per_hundred = format!("{}s / 100", stake.name);
    let thousandths = format!("m{} / deal", stake.initials());
    let mut table = Grid::new(&[
        ("line-up", Align::Right),
        ("bot", Align::Left),
        (&per_hundred, Align::Right),
        ("se", Align::Right),
        (&confidence, Align::Right),
        (&thousandths, Align::Right),
    ]);
    for (line_up, name, winnings) in rows {
        let mut row: Vec<Cell> = vec![line_up.into(), name.into()];
        match winnings {
            Some(winnings) => row.extend([
                fixed(winnings.value, digits).into(),
                fixed(winnings.se, digits).into(),
                format!(
                    "{} to {}",
                    fixed(winnings.low, digits),
                    fixed(winnings.high, digits)
                )
                .into(),
                // Thousandths of the stake per deal.
                fixed(winnings.value * 10.0, 0).into(),
            ]),
            None => row.extend([none(), none(), none(), none()]),
        }
        table.rows.push(row);
    }
    let note = format!(
        "One {0} is {1} {2}; the column {thousandths} is in thousandths of one {0}.",
        stake.name, stake.points, standings.about.score
    );
    Section {
        table: Some(table),
        notes: vec![note],
        ..Section::new("Winnings")
    }
}

/// Returns the differences of the pairs that can be tested.
fn pairs(standings: &Standings, stake: &Stake) -> Option<Section> {
    let tested = || {
        let pairs = standings.pairs.iter();
        pairs.filter_map(|pair| Some((pair, pair.winnings?)))
    };
    let digits = decimals(tested().map(|(_, winnings)| winnings.se));
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let difference = format!("a − b in {}", stake.unit());
    let mut table = Grid::new(&[
        ("a", Align::Left),
        ("b", Align::Left),
        (&difference, Align::Right),
        ("se", Align::Right),
        (&confidence, Align::Right),
    ])
    .keyed_by(2);
    let row = |(pair, winnings): (&PairStanding, Estimate)| {
        vec![
            pair.a.as_str().into(),
            pair.b.as_str().into(),
            signed(winnings.value, digits).into(),
            fixed(winnings.se, digits).into(),
            interval((winnings.low, winnings.high), digits).into(),
        ]
    };
    table.rows = tested().map(row).collect();
    let note = format!(
        "{}: {}s per 100 deals. The table of pairs shows the tests and verdicts.",
        stake.unit(),
        stake.name
    );
    (!table.rows.is_empty()).then(|| Section {
        table: Some(table),
        notes: vec![note],
        ..Section::new("Winnings by pair")
    })
}
