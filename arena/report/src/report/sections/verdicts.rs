//! What it comes to, in sentences: where a page begins.

use super::pairs;
use crate::numbers::level;
use crate::report::Report;
use crate::report::figures::heat;
use crate::report::part::{Part, Verdicts};
use crate::report::sections::Detail;
use crate::report::table::Section;
use crate::standings::{PairStanding, VerdictKind};
use hattari_hosts::text::{counted, grouped};

/// Verdicts stand in sentences at once for so many pairs; beyond, they are counted for each bot and folded.
const SENTENCES_MAX: usize = 15;

/// Whether there are any: not where the format let those meet whom results made meet.
pub(super) fn are_drawn(report: &Report<'_>) -> bool {
    !report.standings.rounds.as_ref().is_some_and(|rounds| rounds.is_chosen)
}

/// The verdicts on a page; elsewhere they stand below the table of pairs.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<Part> {
    let standings = report.standings;
    let part = Part::new("verdicts", "Verdicts", "What it comes to");
    if !detail.page || !are_drawn(report) {
        return None;
    }
    if standings.pairs.is_empty() {
        return Some(part.saying("No two bots can be compared."));
    }
    let alpha = level(standings.settings.alpha());
    let mut part = part.saying(match standings.settings.correction_name() {
        _ if standings.sequential.is_some() => {
            "Comparisons that the league follows are judged by its stopping rule, others by tests of a fixed number of blocks."
                .to_owned()
        }
        Some(name) if standings.family > 1 => format!(
            "Every sentence is judged at {alpha} %, p adjusted by {name} over {}.",
            counted(standings.family, "comparison")
        ),
        _ => format!("Every sentence is judged at {alpha} %."),
    });
    if standings.pairs.len() <= SENTENCES_MAX {
        let lines = standings.pairs.iter().map(line).collect();
        part.verdicts.push(Verdicts { title: String::new(), lines });
    } else {
        let own;
        let tallies = match &standings.left_out {
            Some(left) => &left.tallies,
            None => {
                own = standings.tallies();
                &own
            }
        };
        let lines = standings.bots.iter().zip(tallies).map(|(bot, counts)| {
            let kind = if counts[..3] == [0; 3] {
                VerdictKind::CannotTell
            } else if counts[1] < counts[0] {
                VerdictKind::Ahead
            } else if counts[0] < counts[1] {
                VerdictKind::Behind
            } else {
                VerdictKind::Equal
            };
            let names = ["ahead of", "behind", "equal to", "cannot tell"];
            let words = names.iter().zip(counts).filter(|(_, n)| 0 < **n).map(|(name, n)| format!("{name} {n}"));
            let text = format!("{}: {}.", bot.name, words.collect::<Vec<_>>().join(", "));
            (heat::class(kind), heat::mark(kind), text)
        });
        part.verdicts.push(Verdicts { title: String::new(), lines: lines.collect() });
        let lines = standings.pairs.iter().map(line).collect();
        let count = grouped(standings.pairs.len() as u64);
        let title = match &standings.left_out {
            Some(left) => format!("The {count} pairs among the first {} bots in words", left.bots),
            None => format!("All {count} pairs in words"),
        };
        part.verdicts.push(Verdicts { title, lines });
    }
    if let Some(order) = pairs::order(standings) {
        part = part.saying(order);
    }
    Some(part)
}

/// What a page begins with, as words: a sentence for each pair, of very many pairs a line for each bot.
pub(super) fn section(report: &Report<'_>) -> Section {
    let mut section = Section::new("What it comes to");
    let Some(part) = part(report, Detail { page: true, ..Detail::default() }) else { return section };
    let lines = part.verdicts.first().map_or(&[][..], |verdicts| &verdicts.lines);
    section.text = lines.iter().map(|(_, mark, text)| format!("{mark} {text}")).collect();
    section.notes = part.sections.into_iter().flat_map(|section| section.text).collect();
    section
}

/// The verdict on a pair.
pub(super) fn sentence(pair: &PairStanding) -> String {
    match pair.verdict.kind {
        VerdictKind::Ahead | VerdictKind::Behind => format!("{}.", pair.verdict.text),
        _ => format!("{} and {}: {}.", pair.a, pair.b, pair.verdict.text),
    }
}

fn line(pair: &PairStanding) -> (&'static str, &'static str, String) {
    (heat::class(pair.verdict.kind), heat::mark(pair.verdict.kind), sentence(pair))
}
