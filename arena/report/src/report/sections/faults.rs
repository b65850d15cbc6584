//! Faults of the bots.

use super::Detail;
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Grid, Section};
use crate::standings::Standings;
use hattari_agents::record::FaultKind;
use hattari_agents::text::grouped;

/// Returns the first faults of each bot and the first of each kind; a page also shows counts. Other
/// formats omit the section if there are no faults.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let part = ReportPart::new("faults", "Faults", "Faults");
    let counts = if detail.page {
        Some(counts(standings))
    } else {
        None
    };
    let part = part.with(counts).with(section(standings));
    (!part.sections.is_empty()).then_some(part)
}

/// Returns the fault counts by bot, or a sentence if no bot committed a fault.
fn counts(standings: &Standings) -> Section {
    let erring = || {
        standings
            .bots
            .iter()
            .filter(|bot| 0 < bot.faults || 0 < bot.forfeits)
    };
    if erring().next().is_none() {
        return Section {
            text: vec!["No bot committed a fault.".to_owned()],
            ..Section::default()
        };
    }
    let mut table = Grid::new(&[
        ("bot", Align::Left),
        ("faults", Align::Right),
        ("forfeited blocks", Align::Right),
        ("blocks", Align::Right),
    ]);
    for bot in erring() {
        let numbers = [bot.faults, bot.forfeits, bot.blocks].map(|number| grouped(number).into());
        table.rows.push(
            std::iter::once(bot.name.as_str().into())
                .chain(numbers)
                .collect(),
        );
    }
    Section {
        table: Some(table),
        ..Section::new("Faults by bot")
    }
}

fn section(standings: &Standings) -> Option<Section> {
    let columns = [
        ("bot", Align::Left),
        ("line-up", Align::Right),
        ("block", Align::Right),
        ("deal", Align::Right),
        ("decision", Align::Right),
        ("fault", Align::Left),
        ("message", Align::Wrap),
    ];
    let mut table = Grid::new(&columns);
    for bot in &standings.bots {
        for (line_up, note) in &bot.fault_notes {
            table.rows.push(vec![
                bot.name.as_str().into(),
                line_up.to_string().into(),
                note.block.to_string().into(),
                note.deal.to_string().into(),
                note.decision.to_string().into(),
                note.kind.name().into(),
                note.message.as_str().into(),
            ]);
        }
    }
    let notes = "The table lists the first faults of each bot and the first fault of each kind. \
         Line-ups, blocks, deals and decisions are numbered from 0, as in `hattari replay`. The \
         standings count all faults; `--format csv` lists more of them.";
    let mut notes = vec![notes.to_owned()];
    let all = || standings.bots.iter().flat_map(|bot| &bot.fault_notes);
    if all().any(|(_, note)| note.kind == FaultKind::Clock) {
        notes.push(
            "A fault of the kind `clock` depends on the machine: the bot was stopped at its \
             limit of processor time, because its work is not counted in steps or fuel. Another \
             run of the league may give different results."
                .to_owned(),
        );
    }
    let caption = "The first faults with their messages";
    let section = |table| Section {
        table: Some(table),
        notes,
        caption,
        folded: true,
        ..Section::new("Faults")
    };
    (!table.rows.is_empty()).then(|| section(table))
}
