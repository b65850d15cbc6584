//! Verdicts as sentences, at the top of a page.

use super::pairs;
use crate::numbers::level;
use crate::report::Report;
use crate::report::figures::heat;
use crate::report::part::{ReportPart, Verdicts};
use crate::report::sections::Detail;
use crate::report::table::Section;
use crate::standings::{PairStanding, Role, Standings, VerdictKind, VerdictTally};
use hattari_agents::text::grouped;
use std::cmp::Ordering;

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
        let each = tallies.map(|(bot, tally)| bot_line(standings, &bot.name, tally));
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

/// Returns the verdicts on a bot in one line.
fn bot_line(
    standings: &Standings,
    name: &str,
    tally: VerdictTally,
) -> (&'static str, String, String) {
    let kind = match tally.ahead.cmp(&tally.behind) {
        Ordering::Greater => VerdictKind::Ahead,
        Ordering::Less => VerdictKind::Behind,
        Ordering::Equal if tally.undecided == tally.total() => VerdictKind::CannotTell,
        Ordering::Equal => VerdictKind::Equal,
    };
    let are_named = standings.bots.len() <= NAMED_MAX && standings.left_out.is_none();
    let kinds = VerdictKind::ALL
        .into_iter()
        .filter(|kind| tally.count(*kind) > 0);
    let relations = kinds.map(|kind| {
        if are_named {
            format!(
                "{} {}",
                kind.relation(),
                others(standings, name, kind).join(", ")
            )
        } else {
            format!("{} {}", kind.relation(), tally.count(kind))
        }
    });
    let separator = if are_named { "; " } else { ", " };
    let text = relations.collect::<Vec<_>>().join(separator);
    (
        heat::class(kind),
        heat::mark(kind).to_owned(),
        format!("{name}: {text}."),
    )
}

/// Returns the bots against which a bot has this verdict.
fn others<'a>(standings: &'a Standings, name: &str, kind: VerdictKind) -> Vec<&'a str> {
    let others = standings.pairs.iter().filter_map(|pair| {
        if pair.a == name && pair.verdict.kind == kind {
            Some(pair.b.as_str())
        } else if pair.b == name && pair.verdict.kind.mirrored() == kind {
            Some(pair.a.as_str())
        } else {
            None
        }
    });
    others.collect()
}
