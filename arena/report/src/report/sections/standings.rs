//! The table of the bots.

use super::{BOTS_MAX, Detail, none, ordinal, score_axis};
use crate::numbers::{decimals, fixed, level, percent, short, unsigned_interval};
use crate::report::Report;
use crate::report::figures::intervals;
use crate::report::part::{Figure, ReportPart, Verdicts};
use crate::report::table::{Align, Cell, CellColour, Column, Grid, Section};
use crate::standings::{BotStanding, Standings, TestResult, Tiers};
use hattari_agents::text::{counted, grouped};

/// Returns the tiers and the table of the bots, the highest mean first.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let mut part = ReportPart::new("standings", "Standings", "Standings");
    if detail.page {
        if let TestResult::Tested(tiers) = &standings.tiers {
            let lines = tier_lines(tiers);
            part.verdicts.push(Verdicts {
                title: String::new(),
                lines: lines
                    .map(|(number, names)| ("even", number, names))
                    .collect(),
            });
        }
        part = part.sentence(tier_statement(standings));
        part.figures.extend(figure(standings));
    } else {
        part = part.with([tiers(standings)]);
    }
    Some(part.with([section(standings)]))
}

/// Maximum number of bots of a tier that are listed by name.
const NAMED_MAX: usize = 30;

/// Returns the number of each tier and the names of its bots, as texts.
fn tier_lines(tiers: &Tiers) -> impl Iterator<Item = (String, String)> {
    (1..).zip(&tiers.groups).map(|(number, names)| {
        let mut text = names[..names.len().min(NAMED_MAX)].join(", ");
        if NAMED_MAX < names.len() {
            text += &format!(" and {} more", grouped((names.len() - NAMED_MAX) as u64));
        }
        (number.to_string(), text)
    })
}

/// Returns the tiers as a table, for text reports.
fn tiers(standings: &Standings) -> Section {
    let table = standings.tiers.tested().map(|tiers| {
        let mut table = Grid::new(&[("tier", Align::Right), ("bots", Align::Wrap)]);
        table.rows = tier_lines(tiers)
            .map(|(number, names)| vec![number.into(), names.into()])
            .collect();
        table
    });
    Section {
        table,
        notes: vec![tier_statement(standings)],
        ..Section::new("Tiers")
    }
}

/// Returns the standings for a paper, with a column for the tiers.
pub(super) fn for_paper(standings: &Standings) -> Section {
    let mut section = section(standings);
    let confidence = format!("{} % CI", level(standings.settings.confidence));
    let columns = ["bot", standings.about.score, "se", &confidence, "blocks"];
    section.table = section.table.map(|table| {
        let mut table = table.only(&columns);
        let TestResult::Tested(tiers) = &standings.tiers else {
            return table;
        };
        let head = Column {
            header: "tier".to_owned(),
            align: Align::Right,
        };
        table.columns.insert(0, head);
        for (row, bot) in table.rows.iter_mut().zip(&standings.bots) {
            let tier = tiers.tier_of(&bot.name);
            row.insert(0, tier.map_or_else(none, |tier| tier.to_string().into()));
        }
        table
    });
    section.notes = vec![
        format!(
            "{}: mean per {}.",
            standings.about.score, standings.about.unit
        ),
        tier_statement(standings),
    ];
    section
}

/// Returns a sentence on the meaning of the tiers, or on the reason why there are none.
pub(super) fn tier_statement(standings: &Standings) -> String {
    let tiers = match &standings.tiers {
        TestResult::NotTestable(why) => return format!("No tiers: {why}."),
        TestResult::Tested(tiers) => tiers,
    };
    let statement = match tiers.groups.len() {
        0 | 1 => {
            "All bots are in one tier: the verdicts do not divide them into two groups so that every \
             bot of the first is significantly ahead of every bot of the second"
        }
        _ => {
            "Every bot of a tier is significantly ahead of every bot of the tiers below; bots of one \
             tier are not told apart, or share it with bots ranked between them"
        }
    };
    let alpha = level(tiers.level);
    let by = match (standings.sequential, standings.settings.correction_name()) {
        (Some(_), _) => ", by the stopping rule".to_owned(),
        (None, Some(name)) if standings.family > 1 => {
            let family = counted(standings.family, "comparison");
            format!(", p adjusted by {name} over {family}")
        }
        _ => String::new(),
    };
    let scope = if tiers.joint {
        "for all boundaries together"
    } else {
        "for each pair alone, because p is not adjusted"
    };
    format!("{statement} (significance level {alpha} % {scope}{by}).")
}

fn figure(standings: &Standings) -> Option<Figure> {
    let confidence = level(standings.settings.confidence);
    let digits = decimals(
        standings
            .bots
            .iter()
            .filter_map(|bot| Some(bot.estimate.tested()?.se)),
    );
    let tiers = standings.tiers.tested();
    let is_first = |bot: &BotStanding| {
        tiers.is_some_and(|tiers| {
            let mut first = tiers.groups.iter().filter_map(|group| group.first());
            first.any(|name| *name == bot.name)
        })
    };
    let rows = standings.bots.iter().filter_map(|bot| {
        let value = bot.mean?;
        let estimate = bot.estimate.tested();
        let text = fixed(value, digits);
        let title = match &bot.estimate {
            TestResult::Tested(e) => {
                format!(
                    "{}: {text} ({confidence} % CI {})",
                    bot.name,
                    unsigned_interval((e.low, e.high), digits)
                )
            }
            TestResult::NotTestable(why) => format!("{}: {text}; no interval: {why}", bot.name),
        };
        Some(intervals::IntervalRow {
            name: &bot.name,
            value,
            interval: estimate.map(|e| (e.low, e.high)),
            text,
            title,
            starts_group: is_first(bot),
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
         their difference is computed separately. Dashed lines separate tiers.",
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
            TestResult::Tested(estimate) => row.extend([
                fixed(estimate.se, digits).into(),
                unsigned_interval((estimate.low, estimate.high), digits).into(),
            ]),
            TestResult::NotTestable(why) => {
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
            Cell::coloured(
                grouped(number),
                if number > 0 {
                    CellColour::Warning
                } else {
                    CellColour::Plain
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
