//! What bots did wrong.

use crate::report::table::{Align, Section, Table};
use crate::standings::Standings;

/// The first faults of each bot and the first of every kind; nothing where there were none.
pub fn section(standings: &Standings) -> Option<Section> {
    let columns = [
        ("bot", Align::Left),
        ("line-up", Align::Right),
        ("block", Align::Right),
        ("deal", Align::Right),
        ("decision", Align::Right),
        ("fault", Align::Left),
        ("message", Align::Wrap),
    ];
    let mut table = Table::new(&columns);
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
    let notes = "The first of each bot, and the first of each kind; line-ups, blocks, deals and decisions count from 0, as `hattari replay` \
         does. The table of standings counts them all, `--format csv` lists more of them.";
    let notes = vec![notes.to_owned()];
    (!table.rows.is_empty()).then(|| Section { table: Some(table), notes, ..Section::new("Faults") })
}
