//! The sections of a report, a file each: what it says in words and tables, for all formats, and
//! its figures, for the page. A section gives nothing where it has nothing to say.

mod head;

use super::Report;
use super::part::Part;
use super::table::{Cell, Section, Tone};
use crate::standings::{Standings, VerdictKind};

/// How much to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// Every pair at every line-up too.
    pub per_line_up: bool,
    /// Everything needed to make the league again, and tables however long: for reports that are
    /// kept.
    pub full: bool,
    /// Figures, and what only a page has room for.
    pub page: bool,
}

/// Makes a module of every section and lists them.
macro_rules! sections {
    ($($name:ident,)*) => {
        $(mod $name;)*
        /// All sections.
        const ALL: &[fn(&Report<'_>, Detail) -> Option<Part>] = &[$($name::part),*];
    };
}

// The sections, in the order of the report. A new one is its file beside this one and its line
// here.
sections! {
    verdicts,
    rounds,
    standings,
    winnings,
    stopping,
    pairs,
    distributions,
    course,
    placements,
    luck,
    checks,
    ratings,
    congeniality,
    published,
    line_ups,
    replays,
    faults,
    timing,
    again,
}

/// A report for formats that print sections one below the other, its head first.
#[must_use]
pub fn sections(report: &Report<'_>, detail: Detail) -> Vec<Section> {
    let standings = report.standings.for_readers();
    let report = &Report {
        standings: &standings,
        ..*report
    };
    let head = head::sections(report.standings, detail.full);
    head.into_iter()
        .chain(parts(report, detail).flat_map(|part| part.sections))
        .collect()
}

/// The short report that a run ends with: what was played, standings, what went wrong, and the
/// verdicts last, where eyes are.
#[must_use]
pub fn brief(report: &Report<'_>) -> Vec<Section> {
    let standings = report.standings.for_readers();
    let report = &Report {
        standings: &standings,
        ..*report
    };
    let detail = Detail::default();
    let parts = [
        rounds::part,
        standings::part,
        winnings::part,
        stopping::part,
        faults::part,
    ]
    .map(|part| part(report, detail));
    let parts = parts.into_iter().flatten().flat_map(|part| part.sections);
    let head = head::sections(report.standings, false);
    let verdicts = (!report.standings.is_adaptive()).then(|| verdicts::section(report));
    head.into_iter().chain(parts).chain(verdicts).collect()
}

/// The parts that have something to say, in order.
pub(in crate::report) fn parts(report: &Report<'_>, detail: Detail) -> impl Iterator<Item = Part> {
    ALL.iter().filter_map(move |part| part(report, detail))
}

/// What was played, in a sentence or two: above all parts.
pub(in crate::report) use head::sentences as lead;

/// Bots that a figure shows at most, the first ones of the standings.
const BOTS_MAX: usize = 60;

/// What stands where there is no number.
const NONE: &str = "–";

/// "1st", "2nd", …
fn ordinal(place: usize) -> String {
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

/// What scores are, for an axis: "points a deal".
fn score_axis(standings: &Standings) -> String {
    format!("{} a {}", standings.about.score, standings.about.unit)
}

fn tone_of(kind: VerdictKind) -> Tone {
    match kind {
        VerdictKind::Ahead => Tone::Ahead,
        VerdictKind::Behind => Tone::Behind,
        VerdictKind::Equal => Tone::Plain,
        VerdictKind::CannotTell => Tone::Warning,
    }
}
