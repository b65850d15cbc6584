//! The sections of a report in words and tables; the terminal and Markdown print them.

pub(in crate::report) mod checks;
pub(in crate::report) mod congeniality;
pub(in crate::report) mod faults;
pub(in crate::report) mod head;
mod line_ups;
pub(in crate::report) mod pairs;
pub(in crate::report) mod published;
pub(in crate::report) mod ratings;
pub(in crate::report) mod sequential;
pub(in crate::report) mod standings;
mod winnings;

use super::table::{Cell, Section, Tone};
use crate::standings::{Standings, VerdictKind};

/// How much to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Every pair at every line-up too.
    pub per_line_up: bool,
    /// Everything needed to make the league again, for reports that are kept.
    pub full_head: bool,
}

/// The sections of a report, in order.
#[must_use]
pub fn sections(standings: &Standings, detail: Detail) -> Vec<Section> {
    let mut sections = head::sections(standings, detail.full_head);
    sections.push(standings::section(standings));
    sections.extend(winnings::section(standings, detail.per_line_up));
    sections.extend(sequential::section(standings));
    sections.extend(pairs::sections(standings));
    sections.extend(checks::sections(standings, detail.full_head));
    sections.extend(ratings::section(standings));
    sections.extend(congeniality::sections(standings));
    sections.extend(published::sections(standings));
    if detail.per_line_up {
        sections.extend(line_ups::sections(standings));
    }
    sections.extend(faults::section(standings));
    sections
}

/// What stands where there is no number.
const NONE: &str = "–";

/// "1st", "2nd", …
pub(in crate::report) fn ordinal(place: usize) -> String {
    let suffix = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{suffix}")
}

fn none() -> Cell {
    Cell::toned(NONE, Tone::Faint)
}

fn tone_of(kind: VerdictKind) -> Tone {
    match kind {
        VerdictKind::Ahead => Tone::Ahead,
        VerdictKind::Behind => Tone::Behind,
        VerdictKind::Equal => Tone::Plain,
        VerdictKind::CannotTell => Tone::Warning,
    }
}
