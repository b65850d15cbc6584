//! Results of single line-ups.

use super::pairs::degrees;
use super::{Detail, none};
use crate::numbers::{decimals, fixed, interval, level, p_value, signed, unsigned_interval};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::{PairAtLineUp, PairStanding, Standings, TestResult};
use hattari_agents::text::{counted, grouped};

/// Maximum number of line-ups on a page.
const LINE_UPS_MAX: usize = 300;

/// Returns the mean scores of each line-up for a page. For other formats, returns the bots and
/// pairs of each line-up, on request.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let part = ReportPart::new("line-ups", "Line-ups", "Line-ups");
    match detail {
        Detail { page: true, .. } if standings.line_ups.len() > 1 => {
            Some(part.with([means(standings)]))
        }
        Detail {
            page: false,
            per_line_up: true,
            ..
        } => Some(part.with([bots(standings), pairs(standings)])),
        _ => None,
    }
}

fn means(standings: &Standings) -> Section {
    let digits = decimals(
        standings
            .line_ups
            .iter()
            .flat_map(|at| &at.bots)
            .filter_map(|bot| Some(bot.estimate.tested()?.se)),
    );
    let mut table = Grid::new(&[
        ("line-up", Align::Right),
        ("bots with mean scores, highest first", Align::Wrap),
        ("blocks", Align::Right),
        ("deals", Align::Right),
    ]);
    for line_up in standings.line_ups.iter().take(LINE_UPS_MAX) {
        let mut bots: Vec<(&str, f64)> = line_up
            .bots
            .iter()
            .filter_map(|bot| Some((bot.name.as_str(), bot.mean?)))
            .collect();
        bots.sort_by(|x, y| y.1.total_cmp(&x.1));
        let text = bots
            .iter()
            .map(|(name, mean)| format!("{name} {}", fixed(*mean, digits)))
            .collect::<Vec<_>>();
        table.rows.push(vec![
            line_up.line_up.to_string().into(),
            text.join(", ").into(),
            grouped(line_up.blocks).into(),
            grouped(line_up.deals).into(),
        ]);
    }
    let mut section = Section {
        table: Some(table),
        folded: true,
        ..Section::new("Mean scores by line-up")
    };
    let all = standings.progress.line_ups - standings.progress.line_ups_missing;
    if (LINE_UPS_MAX as u64) < all {
        section.text.push(format!(
            "Only the first {LINE_UPS_MAX} of {} are shown; `hattari report --format csv` writes \
             all of them.",
            counted(all, "line-up")
        ));
    }
    section
}

fn bots(standings: &Standings) -> Section {
    let all = || standings.line_ups.iter().flat_map(|line_up| &line_up.bots);
    let digits =
        decimals(all().filter_map(|bot| bot.estimate.tested().map(|estimate| estimate.se)));
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let mut table = Grid::new(&[
        ("line-up", Align::Right),
        ("bot", Align::Left),
        ("points", Align::Right),
        ("se", Align::Right),
        (&confidence, Align::Right),
        ("blocks", Align::Right),
    ]);
    for line_up in &standings.line_ups {
        for bot in &line_up.bots {
            let mut row: Vec<Cell> =
                vec![line_up.line_up.to_string().into(), bot.name.as_str().into()];
            row.push(
                bot.mean
                    .map_or_else(none, |mean| fixed(mean, digits).into()),
            );
            match &bot.estimate {
                TestResult::Tested(estimate) => row.extend([
                    fixed(estimate.se, digits).into(),
                    unsigned_interval((estimate.low, estimate.high), digits).into(),
                ]),
                TestResult::NotTestable(_) => row.extend([none(), none()]),
            }
            row.push(grouped(line_up.blocks).into());
            table.rows.push(row);
        }
    }
    Section {
        table: Some(table),
        ..Section::new("Bots by line-up")
    }
}

fn pairs(standings: &Standings) -> Section {
    let mut rows: Vec<(&PairStanding, &PairAtLineUp)> = standings
        .pairs
        .iter()
        .flat_map(|pair| pair.line_ups.iter().map(move |at| (pair, at)))
        .collect();
    rows.sort_by_key(|(_, at)| at.line_up);
    let tests = rows.iter().flat_map(|(_, at)| [&at.by_block, &at.by_deal]);
    let digits = decimals(tests.filter_map(|test| test.tested().map(|test| test.se)));
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let adjusted = format!(
        "p {}",
        standings
            .settings
            .other_correction_name()
            .unwrap_or("unadjusted")
    );
    let mut table = Grid::new(&[
        ("line-up", Align::Right),
        ("a", Align::Left),
        ("b", Align::Left),
        ("a − b", Align::Right),
        (&confidence, Align::Right),
        ("t", Align::Right),
        ("df", Align::Right),
        ("p", Align::Right),
        (&adjusted, Align::Right),
        ("t by deals", Align::Right),
        ("p by deals", Align::Right),
    ])
    .keyed_by(3);
    for (pair, at) in rows {
        let mut row: Vec<Cell> = vec![
            at.line_up.to_string().into(),
            pair.a.as_str().into(),
            pair.b.as_str().into(),
        ];
        match &at.by_block {
            TestResult::Tested(test) => row.extend([
                signed(test.difference, digits).into(),
                interval((test.low, test.high), digits).into(),
                fixed(test.t, 2).into(),
                degrees(test.df).into(),
                p_value(test.p).into(),
                p_value(test.p_adjusted).into(),
            ]),
            TestResult::NotTestable(_) => {
                row.extend([none(), none(), none(), none(), none(), none()])
            }
        }
        match &at.by_deal {
            TestResult::Tested(test) => {
                row.extend([fixed(test.t, 2).into(), p_value(test.p).into()])
            }
            TestResult::NotTestable(_) => row.extend([none(), none()]),
        }
        table.rows.push(row);
    }
    let notes = vec![
        "The second p is adjusted for all pairs of the line-up; t and p by deals (the paper's \
         test) are not adjusted."
            .to_owned(),
    ];
    Section {
        table: Some(table),
        notes,
        ..Section::new("Pairs by line-up")
    }
}
