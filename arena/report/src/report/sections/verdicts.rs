//! Verdicts as sentences, at the top of a page.

use super::pairs;
use crate::numbers::level;
use crate::report::Report;
use crate::report::figures::heat;
use crate::report::part::{ReportPart, Verdicts};
use crate::report::sections::Detail;
use crate::report::table::Section;
use crate::standings::{PairStanding, Role, Standings, VerdictKind};
use hattari_agents::text::grouped;

/// Maximum number of pairs that get a sentence each. If there are more, only the pairs that the
/// format compares get sentences, and each bot gets a line. The list of all pairs is folded.
const SENTENCES_MAX: usize = 15;
/// Maximum number of bots for which verdicts list names instead of counts.
const NAMED_MAX: usize = 12;

/// Returns the verdicts, on a page only; other formats show them below the table of pairs.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let part = ReportPart::new("verdicts", "Verdicts", "Verdicts");
    if !detail.page || standings.is_adaptive() {
        return None;
    }
    if standings.pairs.is_empty() {
        return Some(part.sentence("No two bots can be compared."));
    }
    let alpha = level(standings.settings.alpha());
    let mut part = part.sentence(match pairs::adjusted(standings) {
        _ if standings.sequential.is_some() => {
            "Comparisons of the league are decided by its stopping rule; all other pairs are \
             tested as for a fixed number of blocks."
                .to_owned()
        }
        Some(by) if standings.family > 1 => format!(
            "Significance level {alpha} %; p adjusted \
             {by}."
        ),
        _ => format!("Significance level {alpha} %."),
    });
    if standings.pairs.len() <= SENTENCES_MAX {
        let lines = standings.pairs.iter().map(line).collect();
        part.verdicts.push(Verdicts {
            title: String::new(),
            lines,
        });
    } else {
        let asked: Vec<_> = standings
            .pairs
            .iter()
            .filter(|pair| is_asked(standings, pair))
            .map(line)
            .collect();
        let asked = if asked.len() <= SENTENCES_MAX {
            asked
        } else {
            Vec::new()
        };
        // The lines of the challengers contain the verdicts on the field.
        let tallies = (standings.bots.iter().zip(standings.tallies()))
            .filter(|(bot, _)| bot.role != Some(Role::Field));
        let each = tallies.map(|(bot, counts)| of_bot(standings, &bot.name, counts));
        part.verdicts.push(Verdicts {
            title: String::new(),
            lines: asked.into_iter().chain(each).collect(),
        });
        let lines = standings.pairs.iter().map(line).collect();
        let count = grouped(standings.pairs.len() as u64);
        let title = match &standings.left_out {
            Some(left) => format!(
                "Verdicts on the {count} pairs among the first {} bots",
                left.bots
            ),
            None => format!("Verdicts on all {count} pairs"),
        };
        part.verdicts.push(Verdicts { title, lines });
    }
    if let Some(order) = pairs::order(standings) {
        part = part.sentence(order);
    }
    Some(part)
}

/// Returns the verdicts as text: a sentence for each pair or, if there are many pairs, a line for
/// each bot.
pub(super) fn section(report: &Report<'_>) -> Section {
    let mut section = Section::new("Verdicts");
    let Some(part) = part(report, Detail::PAGE) else {
        return section;
    };
    let lines = part
        .verdicts
        .first()
        .map_or(&[][..], |verdicts| &verdicts.lines);
    section.text = lines
        .iter()
        .map(|(_, mark, text)| format!("{mark} {text}"))
        .collect();
    section.notes = part
        .sections
        .into_iter()
        .flat_map(|section| section.text)
        .collect();
    section
}

/// Returns the verdict on a pair as a sentence.
pub(super) fn sentence(pair: &PairStanding) -> String {
    match pair.verdict.kind {
        VerdictKind::Ahead | VerdictKind::Behind => format!("{}.", pair.verdict.text),
        _ => format!("{} and {}: {}.", pair.a, pair.b, pair.verdict.text),
    }
}

fn line(pair: &PairStanding) -> (&'static str, String, String) {
    (
        heat::class(pair.verdict.kind),
        heat::mark(pair.verdict.kind).to_owned(),
        sentence(pair),
    )
}

/// Returns `true` if the format is designed to compare this pair.
fn is_asked(standings: &Standings, pair: &PairStanding) -> bool {
    let sides = standings
        .about
        .league
        .as_ref()
        .and_then(|league| league.sides.as_ref());
    sides.is_some_and(|(a, b)| {
        let across = |one, other| a.contains(one) && b.contains(other);
        across(&pair.a, &pair.b) || across(&pair.b, &pair.a)
    })
}

/// Returns the verdicts on a bot in one line. `counts` are the numbers of bots that it is ahead of,
/// behind, equal to, and undecided against.
fn of_bot(standings: &Standings, name: &str, counts: [usize; 4]) -> (&'static str, String, String) {
    let kind = if counts[..3] == [0; 3] {
        VerdictKind::CannotTell
    } else if counts[1] < counts[0] {
        VerdictKind::Ahead
    } else if counts[0] < counts[1] {
        VerdictKind::Behind
    } else {
        VerdictKind::Equal
    };
    let are_named = standings.bots.len() <= NAMED_MAX && standings.left_out.is_none();
    let others = if are_named {
        others(standings, name)
    } else {
        Default::default()
    };
    let verdicts = ["ahead of", "behind", "equal to", "undecided against"]
        .iter()
        .zip(counts.iter().zip(&others));
    let words = verdicts
        .filter(|(_, (count, _))| 0 < **count)
        .map(|(what, (count, names))| {
            if are_named {
                format!("{what} {}", names.join(", "))
            } else {
                format!("{what} {count}")
            }
        });
    let text = format!(
        "{name}: {}.",
        words
            .collect::<Vec<_>>()
            .join(if are_named { "; " } else { ", " })
    );
    (heat::class(kind), heat::mark(kind).to_owned(), text)
}

/// Returns the bots that a bot is ahead of, behind, equal to, and undecided against.
fn others<'a>(standings: &'a Standings, name: &str) -> [Vec<&'a str>; 4] {
    let mut others: [Vec<&str>; 4] = Default::default();
    for pair in standings
        .pairs
        .iter()
        .filter(|pair| pair.a == name || pair.b == name)
    {
        let place = match (pair.verdict.kind, pair.a == name) {
            (VerdictKind::Ahead, true) | (VerdictKind::Behind, false) => 0,
            (VerdictKind::Behind, true) | (VerdictKind::Ahead, false) => 1,
            (VerdictKind::Equal, _) => 2,
            (VerdictKind::CannotTell, _) => 3,
        };
        others[place].push(if pair.a == name { &pair.b } else { &pair.a });
    }
    others
}
