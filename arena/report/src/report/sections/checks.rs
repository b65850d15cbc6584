//! How much deals depend on each other, and what other tests say beside the t-test on blocks.

use super::{Detail, none};
use crate::numbers::{decimals, fixed, level, p_value, short, signed};
use crate::report::Report;
use crate::report::part::Part;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::{Answer, Checks, PairStanding, Standings};
use hattari_agents::text::{counted, grouped};

/// Pairs are listed up to so many where not everything is wanted; beyond, a sentence says whether
/// the tests agree.
const ROWS_MAX: usize = 12;

/// Dependence of each bot's deals, and the checks of all pairs, listed however many there are where
/// all is wanted.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<Part> {
    let standings = report.standings;
    let sections = [
        dependence(standings),
        checks(standings, detail.full || detail.page),
        kills(standings),
    ];
    let part =
        Part::new("checks", "Checks", "Dependence and checks").with(sections.into_iter().flatten());
    (!part.sections.is_empty()).then_some(part)
}

fn dependence(standings: &Standings) -> Option<Section> {
    let unit = standings.about.unit;
    let (deals, effective) = (format!("{unit}s"), format!("effective {unit}s"));
    let mut table = Grid::new(&[
        ("bot", Align::Left),
        ("lag-1 correlation", Align::Right),
        (&deals, Align::Right),
        (&effective, Align::Right),
    ]);
    for bot in &standings.bots {
        let Answer::Tested(found) = &bot.dependence else {
            continue;
        };
        table.rows.push(vec![
            bot.name.as_str().into(),
            signed(found.lag1, 3).into(),
            grouped(bot.deals).into(),
            short(found.effective_deals.round()).into(),
        ]);
    }
    let notes = vec![format!(
        "Correlation of a bot's points in one {unit} with those in the next of the same block; effective: as many \
         independent {unit}s would tell as much. No test here takes {unit}s for independent but those labelled as the paper's."
    )];
    let caption = "How much deals depend on their neighbours";
    let section = |table| Section {
        table: Some(table),
        notes,
        caption,
        folded: true,
        ..Section::new("Dependence")
    };
    (!table.rows.is_empty()).then(|| section(table))
}

fn checks(standings: &Standings, full: bool) -> Option<Section> {
    let pairs: Vec<&PairStanding> = standings
        .pairs
        .iter()
        .filter(|pair| is_checked(pair))
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let alpha = standings.settings.alpha();
    let differ: Vec<String> = pairs
        .iter()
        .filter_map(|pair| disagreement(pair, alpha))
        .collect();
    let at = level(alpha);
    let text = match &differ[..] {
        [] => {
            let all = counted(pairs.len() as u64, "pair");
            format!(
                "t-test, cluster-robust test and permutation test come to the same at {at} % (each p unadjusted): {all}."
            )
        }
        some => {
            let all = counted(pairs.len() as u64, "pair");
            let shown = some
                .iter()
                .take(ROWS_MAX)
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join("; ");
            let more = if some.len() > ROWS_MAX {
                ", and others"
            } else {
                ""
            };
            format!(
                "At {at} % (each p unadjusted) the tests differ for {} of {all}: {shown}{more}.",
                some.len()
            )
        }
    };
    let caption = "Cluster-robust and permutation tests beside the t-test";
    let mut section = Section {
        text: vec![text],
        caption,
        folded: true,
        ..Section::new("Checks")
    };
    if full || pairs.len() <= ROWS_MAX {
        section.table = Some(table(standings, &pairs));
        section.notes.push(note(standings, &pairs));
    }
    Some(section)
}

/// Whose processes somebody else has ended, where that has happened.
fn kills(standings: &Standings) -> Option<Section> {
    let killed: Vec<_> = standings
        .bots
        .iter()
        .filter(|bot| 0 < bot.kills.times)
        .collect();
    let all = standings.bots.iter().map(|bot| bot.kills.times).sum();
    let each = killed.iter().map(|bot| {
        let (blocks, times) = (
            counted(bot.blocks, "block"),
            counted(bot.kills.times, "time"),
        );
        format!(
            "{} {times} (in {} of {blocks})",
            bot.name,
            grouped(bot.kills.blocks)
        )
    });
    let text = format!(
        "Somebody else ended a bot's process {}: {}. What was played stands or was played again; records do not change by it.",
        counted(all, "time"),
        each.collect::<Vec<_>>().join(", ")
    );
    (!killed.is_empty()).then(|| Section {
        text: vec![text],
        folded: true,
        ..Section::new("Kills from outside")
    })
}

fn is_checked(pair: &PairStanding) -> bool {
    let is_tested = |checks: &Checks| {
        checks.cluster_robust.tested().is_some() || checks.permutation.tested().is_some()
    };
    pair.checks.as_deref().is_some_and(is_tested)
}

/// The three p of a pair, where some are significant and some are not.
fn disagreement(pair: &PairStanding, alpha: f64) -> Option<String> {
    let t = pair.pooled.tested().map(|test| test.p);
    let checks = pair.checks.as_deref()?;
    let robust = checks.cluster_robust.tested().map(|test| test.p);
    let flips = checks.permutation.tested().map(|test| test.p);
    let all = [("t", t), ("cluster-robust", robust), ("permutation", flips)];
    let known: Vec<(&str, f64)> = all
        .iter()
        .filter_map(|&(name, p)| Some((name, p?)))
        .collect();
    let significant = known.iter().filter(|(_, p)| *p <= alpha).count();
    let listed = known
        .iter()
        .map(|(name, p)| format!("{name} p = {}", p_value(*p)))
        .collect::<Vec<_>>()
        .join(", ");
    (0 < significant && significant < known.len())
        .then(|| format!("{} and {} ({listed})", pair.a, pair.b))
}

fn table(standings: &Standings, pairs: &[&PairStanding]) -> Grid {
    let robust = |pair: &&PairStanding| {
        pair.checks
            .as_deref()?
            .cluster_robust
            .tested()
            .map(|robust| robust.se)
    };
    let digits = decimals(pairs.iter().filter_map(robust));
    let effective = format!("effective {}s", standings.about.unit);
    let mut table = Grid::new(&[
        ("a", Align::Left),
        ("b", Align::Left),
        ("p by t", Align::Right),
        ("a − b robust", Align::Right),
        ("se robust", Align::Right),
        ("p robust", Align::Right),
        ("p permutation", Align::Right),
        ("design effect", Align::Right),
        (&effective, Align::Right),
    ])
    .keyed_by(2);
    for pair in pairs {
        let Some(checks) = pair.checks.as_deref() else {
            continue;
        };
        let mut row: Vec<Cell> = vec![pair.a.as_str().into(), pair.b.as_str().into()];
        row.push(
            pair.pooled
                .tested()
                .map_or_else(none, |test| p_value(test.p).into()),
        );
        match &checks.cluster_robust {
            Answer::Tested(robust) => row.extend([
                signed(robust.difference, digits).into(),
                fixed(robust.se, digits).into(),
                p_value(robust.p).into(),
            ]),
            Answer::NotTestable(_) => row.extend([none(), none(), none()]),
        }
        row.push(
            checks
                .permutation
                .tested()
                .map_or_else(none, |test| p_value(test.p).into()),
        );
        row.push(
            checks
                .design_effect
                .tested()
                .map_or_else(none, |effect| fixed(*effect, 2).into()),
        );
        row.push(
            checks
                .effective_deals
                .map_or_else(none, |deals| short(deals.round()).into()),
        );
        table.rows.push(row);
    }
    table
}

fn note(standings: &Standings, pairs: &[&PairStanding]) -> String {
    let unit = standings.about.unit;
    let drawn = pairs
        .iter()
        .filter_map(|pair| pair.checks.as_deref()?.permutation.tested()?.drawn)
        .max();
    let drawn = drawn.map_or_else(
        || "all patterns".to_owned(),
        |n| format!("{} patterns drawn", grouped(n.into())),
    );
    format!(
        "robust: each {unit} counts alike, the error is cluster-robust (CR1) over blocks; permutation: signs of the block \
         differences flipped ({drawn}); design effect: variance of the difference over that of independent {unit}s."
    )
}
