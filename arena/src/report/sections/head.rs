//! What was played, and what a reader must know first.

use crate::numbers::{count, counted};
use crate::report::table::{Align, Section, Table};
use crate::standings::{AboutLeague, Standings};

/// The head of a report, and the cautions where there are any.
pub fn sections(standings: &Standings, full: bool) -> Vec<Section> {
    let about = &standings.about;
    let mut head = Section::new(about.title.clone());
    let progress = standings.progress;
    match &about.league {
        Some(league) => {
            head.text.push(sentence(league, progress.line_ups, progress.deals_played));
            head.text.push(format!("Seed {}. Faults: {}. hattari {}.", league.seed, league.faults, about.version));
        }
        None => head.text.push(format!(
            "{}, {}. hattari {}.",
            counted(progress.blocks_played, "block"),
            counted(progress.deals_played, about.unit),
            about.version
        )),
    }
    let mut sections = Vec::new();
    if full {
        head.text.push(format!("Made by `{}`.", about.command));
        if let Some(league) = &about.league {
            head.text.push(format!("Rules in force: `{}`.", league.options));
            head.table = Some(entrants(league));
        }
    }
    sections.push(head);
    if !standings.cautions.is_empty() {
        sections.push(Section { text: standings.cautions.clone(), ..Section::new("Mind") });
    }
    sections
}

fn sentence(league: &AboutLeague, line_ups: u64, deals: u64) -> String {
    let duplicate = if league.duplicate { ", each dealt once for every rotation of the seats" } else { "" };
    format!(
        "{} ({}), {}: {}, {} each of {}{duplicate}; {} played.",
        league.game,
        league.preset,
        league.format,
        counted(line_ups, "line-up"),
        counted(league.blocks.into(), "block"),
        counted(league.deals.into(), "deal"),
        count(deals),
    )
}

fn entrants(league: &AboutLeague) -> Table {
    let mut table = Table::new(&[
        ("entrant", Align::Left),
        ("bot", Align::Left),
        ("version", Align::Left),
        ("settings", Align::Wrap),
    ]);
    for entrant in &league.entrants {
        let settings = match &entrant.config {
            serde_json::Value::Object(fields) if fields.is_empty() => String::new(),
            serde_json::Value::Null => String::new(),
            config => format!("`{config}`"),
        };
        let version = entrant.version.as_str().into();
        table.rows.push(vec![entrant.name.as_str().into(), entrant.bot.as_str().into(), version, settings.into()]);
    }
    table
}
