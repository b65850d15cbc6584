//! The table of the bots.

use super::{BOTS_MAX, Detail, none, ordinal, score_axis};
use crate::numbers::{decimals, fixed, level, percent, short, unsigned_interval};
use crate::report::Report;
use crate::report::figures::intervals;
use crate::report::part::{Figure, ReportPart};
use crate::report::table::{Align, Cell, Grid, Section, Tone};
use crate::standings::{BotStanding, Standings, Testable};
use hattari_agents::text::{counted, grouped};

/// The bots, the highest mean first.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let mut part =
        ReportPart::new("standings", "Standings", "Standings").with([section(standings)]);
    if detail.page {
        part.figures.extend(figure(standings));
    }
    Some(part)
}

fn figure(standings: &Standings) -> Option<Figure> {
    let confidence = level(standings.settings.confidence);
    let digits = decimals(
        standings
            .bots
            .iter()
            .filter_map(|bot| Some(bot.estimate.tested()?.se)),
    );
    let rows = standings.bots.iter().filter_map(|bot| {
        let value = bot.mean?;
        let estimate = bot.estimate.tested();
        let text = fixed(value, digits);
        let title = match &bot.estimate {
            Testable::Tested(e) => {
                format!(
                    "{}: {text} ({confidence} % CI {})",
                    bot.name,
                    unsigned_interval((e.low, e.high), digits)
                )
            }
            Testable::NotTestable(why) => format!("{}: {text}; no interval: {why}", bot.name),
        };
        Some(intervals::IntervalRow {
            name: &bot.name,
            value,
            interval: estimate.map(|e| (e.low, e.high)),
            text,
            title,
        })
    });
    let rows: Vec<_> = rows.take(BOTS_MAX).collect();
    let first = rows.first().map_or_else(String::new, |row| {
        format!(" The highest is {} with {}.", row.name, row.text)
    });
    let label = format!(
        "Mean {} of {} with {confidence} % confidence intervals.{first}",
        score_axis(standings),
        counted(rows.len() as u64, "bot")
    );
    if rows.is_empty() {
        return None;
    }
    let caption = format!(
        "Mean {} with its {confidence} % confidence interval. Two bots with overlapping \
         intervals may still differ significantly: they played the same deals, so the error of \
         their difference is computed separately.",
        score_axis(standings)
    );
    Some(intervals::figure(&rows, &score_axis(standings), &label).caption(caption))
}

fn section(standings: &Standings) -> Section {
    let bots = &standings.bots;
    let unit = standings.about.unit;
    let digits = decimals(
        bots.iter()
            .filter_map(|bot| bot.estimate.tested().map(|estimate| estimate.se)),
    );
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let places = bots.iter().map(|bot| bot.places.len()).max().unwrap_or(0);
    let place_names: Vec<String> = (1..=places)
        .map(|place| format!("{} %", ordinal(place)))
        .collect();
    let deals = format!("{unit}s");
    let any = |has: fn(&BotStanding) -> bool| bots.iter().any(has);
    let with_speed = any(|bot| bot.decisions_per_second.is_some());
    let with_faults = any(|bot| bot.faults > 0);
    let with_forfeits = any(|bot| bot.forfeits > 0);

    let mut columns = vec![
        ("bot", Align::Left),
        (standings.about.score, Align::Right),
        ("se", Align::Right),
        (confidence.as_str(), Align::Right),
    ];
    columns.extend(place_names.iter().map(|name| (name.as_str(), Align::Right)));
    columns.extend([("blocks", Align::Right), (deals.as_str(), Align::Right)]);
    if with_faults {
        columns.push(("faults", Align::Right));
    }
    if with_forfeits {
        columns.push(("forfeits", Align::Right));
    }
    if with_speed {
        columns.push(("decisions/s", Align::Right));
    }
    let mut table = Grid::new(&columns);
    let alike = if standings.line_ups.len() > 1 {
        ", with equal weight for each line-up"
    } else {
        ""
    };
    let mut notes = vec![format!(
        "{}: mean per {unit}{alike}; se and interval are computed from blocks, the unit of \
         observation.",
        standings.about.score
    )];
    if places > 0 {
        notes[0] += " Places: share of deals in which the bot came first, second, …; tied bots \
             share the better place.";
    }
    if with_speed {
        notes.push(
            "decisions/s: speed of the bot itself, measured on one thread for a sample of its \
             decisions."
                .to_owned(),
        );
    }
    for bot in bots {
        let mut row: Vec<Cell> = vec![bot.name.as_str().into()];
        row.push(
            bot.mean
                .map_or_else(none, |mean| fixed(mean, digits).into()),
        );
        match &bot.estimate {
            Testable::Tested(estimate) => row.extend([
                fixed(estimate.se, digits).into(),
                unsigned_interval((estimate.low, estimate.high), digits).into(),
            ]),
            Testable::NotTestable(why) => {
                row.extend([none(), none()]);
                notes.push(format!("{}: no interval: {why}.", bot.name));
            }
        }
        let share = |place: usize| {
            bot.places
                .get(place)
                .map_or_else(none, |share| percent(*share).into())
        };
        row.extend((0..places).map(share));
        row.extend([grouped(bot.blocks).into(), grouped(bot.deals).into()]);
        let warn = |number: u64| {
            Cell::toned(
                grouped(number),
                if number > 0 {
                    Tone::Warning
                } else {
                    Tone::Plain
                },
            )
        };
        if with_faults {
            row.push(warn(bot.faults));
        }
        if with_forfeits {
            row.push(warn(bot.forfeits));
        }
        if with_speed {
            row.push(
                bot.decisions_per_second
                    .map_or_else(none, |speed| short(speed).into()),
            );
        }
        table.rows.push(row);
    }
    Section {
        table: Some(table),
        notes,
        ..Section::new("Standings")
    }
}
