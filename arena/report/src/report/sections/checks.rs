//! Dependence between deals, and external kills of bot processes.

use super::{Detail, none};
use crate::numbers::{fixed, short, signed};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Grid, Section};
use crate::standings::{PairStanding, Standings, TestResult};
use hattari_agents::text::{counted, grouped};

/// Maximum number of pairs in the table of a short report; for more pairs a sentence gives the
/// range of design effects.
const ROWS_MAX: usize = 12;

/// Returns the dependence between deals, the design effects of pairs, and external kills. A full
/// report lists all pairs.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let standings = report.standings;
    let sections = [
        dependence(standings),
        design_effects(standings, detail.full || detail.page),
        kills(standings),
    ];
    let part = ReportPart::new("checks", "Checks", "Dependence and checks")
        .with(sections.into_iter().flatten());
    (!part.sections.is_empty()).then_some(part)
}

fn dependence(standings: &Standings) -> Option<Section> {
    let unit = standings.about.unit;
    let deals = format!("{unit}s");
    let mut table = Grid::new(&[
        ("bot", Align::Left),
        ("lag-1 correlation", Align::Right),
        (&deals, Align::Right),
        ("effective sample size", Align::Right),
    ]);
    for bot in &standings.bots {
        let TestResult::Tested(found) = &bot.dependence else {
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
        "Lag-1 correlation: correlation of a bot's points in one {unit} with its points in the \
         next {unit} of the same block. Effective sample size: number of independent {unit}s \
         that would give the same precision. Only the tests labelled as the paper's test assume \
         that {unit}s are independent."
    )];
    let caption = "Correlation of successive deals";
    let section = |table| Section {
        table: Some(table),
        notes,
        caption,
        folded: true,
        ..Section::new("Dependence")
    };
    (!table.rows.is_empty()).then(|| section(table))
}

/// Returns the design effects of pairs: their range as a sentence, and a table if the pairs are few
/// or `is_full`.
fn design_effects(standings: &Standings, is_full: bool) -> Option<Section> {
    let known = |pair: &'_ PairStanding| pair.design_effect.is_some();
    let pairs: Vec<&PairStanding> = standings.pairs.iter().filter(|pair| known(pair)).collect();
    let effects = || pairs.iter().filter_map(|pair| pair.design_effect);
    let (least, most) = (effects().reduce(f64::min)?, effects().reduce(f64::max)?);
    let unit = standings.about.unit;
    let text = format!(
        "The variance of a difference is {} to {} times the variance that independent {unit}s \
         would give ({}).",
        fixed(least, 2),
        fixed(most, 2),
        counted(pairs.len() as u64, "pair")
    );
    let mut table = Grid::new(&[
        ("a", Align::Left),
        ("b", Align::Left),
        ("design effect", Align::Right),
    ])
    .keyed_by(2);
    for pair in &pairs {
        let effect = pair
            .design_effect
            .map_or_else(none, |effect| fixed(effect, 2).into());
        let names = [&pair.a, &pair.b].map(|name| name.as_str().into());
        table.rows.push(names.into_iter().chain([effect]).collect());
    }
    Some(Section {
        text: vec![text],
        table: (is_full || pairs.len() <= ROWS_MAX).then_some(table),
        caption: "Design effects: variance relative to independent deals",
        folded: true,
        ..Section::new("Design effects")
    })
}

/// Returns the bots whose processes were killed from outside; `None` if there are none.
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
        "Bot processes were killed from outside {}: {}. This does not change the records: the \
         affected blocks were kept or replayed.",
        counted(all, "time"),
        each.collect::<Vec<_>>().join(", ")
    );
    (!killed.is_empty()).then(|| Section {
        text: vec![text],
        folded: true,
        ..Section::new("External kills")
    })
}
