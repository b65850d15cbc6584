//! Faults of the bots.

use super::*;
use hattari_agents::record::FaultKind;

/// Returns the first faults of each bot and the first of each kind; a page also shows counts. Other
/// formats omit the section if there are no faults.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let part = ReportPart::new("faults", "Faults", "Faults");
    let counts = detail.is_page().then(|| counts(standings));
    let part = part.with(counts).with(section(standings));
    (!part.sections.is_empty()).then_some(part)
}

/// Returns the fault counts by bot, or a sentence if no bot committed a fault.
fn counts(standings: &Standings) -> Section {
    let bots = standings.bots.iter();
    let table = grid! { bot in bots.filter(|bot| bot.faults > 0 || bot.forfeits > 0);
        "bot", Left = &bot.name;
        "faults", Right = bot.faults;
        "forfeited blocks", Right = bot.forfeits;
        "blocks", Right = bot.blocks;
    };
    Section::of("Faults by bot", table)
        .unless_empty()
        .unwrap_or_else(|| Section::default().sentence("No bot committed a fault."))
}

fn section(standings: &Standings) -> Option<Section> {
    let notes = || {
        standings
            .bots
            .iter()
            .flat_map(|bot| bot.fault_notes.iter().map(move |note| (bot, note)))
    };
    let table = grid! { (bot, (line_up, note)) in notes();
        "bot", Left = &bot.name;
        "line-up", Right = *line_up;
        "block", Right = note.block;
        "deal", Right = note.deal;
        "decision", Right = note.decision;
        "fault", Left = note.kind.name();
        "message", Wrap = &note.message;
    };
    let mut section = Section::of("Faults", table)
        .caption("The first faults with their messages")
        .folded()
        .note(
            "The table lists the first faults of each bot and the first fault of each kind. \
             Line-ups, blocks, deals and decisions are numbered from 0, as in `hattari replay`. \
             The standings count all faults; `--format csv` lists more of them.",
        );
    if notes().any(|(_, (_, note))| note.kind == FaultKind::Clock) {
        section = section.note(
            "A fault of the kind `clock` depends on the machine: the bot was stopped at its \
             limit of processor time, because its work is not counted in steps or fuel. Another \
             run of the league may give different results.",
        );
    }
    section.unless_empty()
}
