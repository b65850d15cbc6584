//! What it comes to, in sentences: where a page begins.

use super::pairs;
use crate::numbers::level;
use crate::report::Report;
use crate::report::figures::heat;
use crate::report::part::{Part, Verdicts};
use crate::report::sections::Detail;
use crate::report::table::Section;
use crate::standings::{PairStanding, Standings, VerdictKind};
use hattari_hosts::text::{counted, grouped};

/// Verdicts stand in sentences at once for so many pairs; beyond, they are counted for each bot and folded.
const SENTENCES_MAX: usize = 15;

/// The verdicts on a page; elsewhere they stand below the table of pairs.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<Part> {
    let standings = report.standings;
    let part = Part::new("verdicts", "Verdicts", "What it comes to");
    if !detail.page || standings.is_adaptive() {
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
        let lines = standings.bots.iter().map(|bot| {
            let counts = tally(standings, &bot.name);
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
            let words = names.iter().zip(counts).filter(|(_, n)| 0 < *n).map(|(name, n)| format!("{name} {n}"));
            let text = format!("{}: {}.", bot.name, words.collect::<Vec<_>>().join(", "));
            (heat::class(kind), heat::mark(kind), text)
        });
        part.verdicts.push(Verdicts { title: String::new(), lines: lines.collect() });
        let lines = standings.pairs.iter().map(line).collect();
        part.verdicts
            .push(Verdicts { title: format!("All {} pairs in words", grouped(standings.pairs.len() as u64)), lines });
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

/// Of how many a bot is ahead, behind, equal to how many, and of how many that cannot be told.
fn tally(standings: &Standings, name: &str) -> [usize; 4] {
    let mut counts = [0; 4];
    for pair in standings.pairs.iter().filter(|pair| pair.a == name || pair.b == name) {
        counts[match (pair.verdict.kind, pair.a == name) {
            (VerdictKind::Ahead, true) | (VerdictKind::Behind, false) => 0,
            (VerdictKind::Behind, true) | (VerdictKind::Ahead, false) => 1,
            (VerdictKind::Equal, _) => 2,
            (VerdictKind::CannotTell, _) => 3,
        }] += 1;
    }
    counts
}
