//! Verdicts as sentences, at the top of a page.

use super::*;
use crate::report::figures::heat;
use crate::standings::VerdictTally;
use std::cmp::Ordering;

/// Maximum number of pairs that get a sentence each on a page. If there are more, only the pairs
/// that the format compares get sentences, and each bot gets a line. The list of all pairs is
/// folded.
const SENTENCES_MAX: usize = 15;
/// Maximum number of pairs that get a sentence each in text reports, which have no folded lists.
pub(super) const TEXT_SENTENCES_MAX: usize = 12;
/// Maximum number of bots in a report for which the line of a bot names the other bots. If there
/// are more bots, the line counts them.
const NAMED_MAX: usize = 12;

/// Returns the verdicts for a page; other formats show them below the table of pairs.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    if !detail.is_page() || standings.is_adaptive() {
        return None;
    }
    let mut part = ReportPart::new("verdicts", "Verdicts", "Verdicts");
    for note in notes(standings) {
        part = part.sentence(note);
    }
    if standings.pairs.is_empty() {
        return Some(part);
    }
    part.verdicts.push(Verdicts {
        title: String::new(),
        lines: lines(standings),
    });
    if standings.pairs.len() > SENTENCES_MAX {
        let count = grouped(standings.pairs.len() as u64);
        let title = match &standings.left_out {
            Some(left) => format!(
                "Verdicts on the {count} pairs among the first {} bots",
                left.bots
            ),
            None => format!("Verdicts on all {count} pairs"),
        };
        part.verdicts.push(Verdicts {
            title,
            lines: standings.pairs.iter().map(pair_line).collect(),
        });
    }
    Some(part)
}

/// Returns the verdicts as text: a sentence for each pair or, if there are many pairs, a line for
/// each bot.
pub(super) fn section(standings: &Standings) -> Section {
    let section = Section::new("Verdicts");
    if standings.is_adaptive() {
        return section;
    }
    let lines = lines(standings).into_iter();
    Section {
        text: lines
            .map(|line| format!("{} {}", line.mark, line.text))
            .collect(),
        notes: notes(standings),
        ..section
    }
}

/// Returns a line for each pair or, if there are many pairs, lines for the pairs that the format
/// compares and for each bot.
fn lines(standings: &Standings) -> Vec<VerdictLine> {
    if standings.pairs.len() <= SENTENCES_MAX {
        return standings.pairs.iter().map(pair_line).collect();
    }
    let mut lines: Vec<VerdictLine> = standings
        .pairs
        .iter()
        .filter(|pair| is_designed(standings, pair))
        .map(pair_line)
        .collect();
    if lines.len() > SENTENCES_MAX {
        lines.clear();
    }
    // The lines of the challengers contain the verdicts on the field.
    let tallies = (standings.bots.iter().zip(standings.tallies()))
        .filter(|(bot, _)| bot.role != Some(Role::Field));
    lines.extend(tallies.map(|(bot, tally)| bot_line(standings, &bot.name, tally)));
    lines
}

/// Returns sentences on the significance level and on the order of the bots.
fn notes(standings: &Standings) -> Vec<String> {
    if standings.pairs.is_empty() {
        return vec!["No two bots can be compared.".to_owned()];
    }
    let alpha = level(standings.settings.alpha());
    let tests = match pairs::adjusted(standings) {
        _ if standings.sequential.is_some() => {
            "Comparisons of the league are decided by its stopping rule; all other pairs are \
             tested as for a fixed number of blocks."
                .to_owned()
        }
        Some(by) if standings.family > 1 => {
            format!("Significance level {alpha} %; p adjusted {by}.")
        }
        _ => format!("Significance level {alpha} %."),
    };
    std::iter::once(tests)
        .chain(pairs::transitivity(standings))
        .collect()
}

/// Returns the verdict on a pair as a sentence.
pub(super) fn sentence(pair: &PairStanding) -> String {
    match pair.verdict.kind {
        VerdictKind::Ahead | VerdictKind::Behind => format!("{}.", pair.verdict.text),
        _ => format!("{} and {}: {}.", pair.a, pair.b, pair.verdict.text),
    }
}

/// Returns a line with the verdict on a pair.
fn pair_line(pair: &PairStanding) -> VerdictLine {
    line(pair.verdict.kind, sentence(pair))
}

/// Returns a line with the symbol of a verdict.
fn line(kind: VerdictKind, text: String) -> VerdictLine {
    VerdictLine {
        class: heat::class(kind),
        mark: heat::mark(kind).to_owned(),
        text,
    }
}

/// Returns `true` if the format is designed to compare this pair.
fn is_designed(standings: &Standings, pair: &PairStanding) -> bool {
    standings
        .about
        .league
        .as_ref()
        .and_then(|league| league.sides.as_ref())
        .is_some_and(|(a, b)| {
            let are_opposed = |first, second| a.contains(first) && b.contains(second);
            are_opposed(&pair.a, &pair.b) || are_opposed(&pair.b, &pair.a)
        })
}

/// Returns the verdicts on a bot in one line.
fn bot_line(standings: &Standings, name: &str, tally: VerdictTally) -> VerdictLine {
    let VerdictTally([ahead, behind, equal, _]) = tally;
    let kind = match ahead.cmp(&behind) {
        Ordering::Greater => VerdictKind::Ahead,
        Ordering::Less => VerdictKind::Behind,
        Ordering::Equal if 0 < equal && equal == tally.total() => VerdictKind::Equal,
        Ordering::Equal => VerdictKind::CannotTell,
    };
    let are_named = standings.bots.len() <= NAMED_MAX && standings.left_out.is_none();
    let relations = VerdictKind::ALL
        .into_iter()
        .filter(|kind| tally.count(*kind) > 0)
        .map(|kind| {
            if are_named {
                format!(
                    "{} {}",
                    kind.relation(),
                    joined(others(standings, name, kind), ", ")
                )
            } else {
                format!("{} {}", kind.relation(), tally.count(kind))
            }
        });
    let separator = if are_named { "; " } else { ", " };
    let text = joined(relations, separator);
    line(kind, format!("{name}: {text}."))
}

/// Returns the names of the other bots for which the verdict on the bot `name` is `kind`.
fn others<'a>(
    standings: &'a Standings,
    name: &'a str,
    kind: VerdictKind,
) -> impl Iterator<Item = &'a str> {
    standings.pairs.iter().filter_map(move |pair| {
        if pair.a == name && pair.verdict.kind == kind {
            Some(pair.b.as_str())
        } else if pair.b == name && pair.verdict.kind.mirrored() == kind {
            Some(pair.a.as_str())
        } else {
            None
        }
    })
}
