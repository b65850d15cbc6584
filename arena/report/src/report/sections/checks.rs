//! Dependence between deals, and external kills of bot processes.

use super::*;

/// Maximum number of pairs in the table of a short report; for more pairs a sentence gives the
/// range of design effects.
const ROWS_MAX: usize = 12;

/// Returns the dependence between deals, the design effects of pairs, and external kills. A full
/// report lists all pairs.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let sections = [
        dependence(standings),
        design_effects(standings, !detail.is_screen()),
        kills(standings),
    ];
    let part = ReportPart::new("checks", "Checks", "Dependence and checks")
        .with(sections.into_iter().flatten());
    (!part.sections.is_empty()).then_some(part)
}

fn dependence(standings: &Standings) -> Option<Section> {
    let unit = standings.about.unit;
    let tested = standings
        .bots
        .iter()
        .filter_map(|bot| Some((bot, bot.dependence.tested()?)));
    let table = grid! { (bot, dependence) in tested;
        "bot", Left = &bot.name;
        "lag-1 correlation", Right = signed(dependence.lag1, 3);
        &format!("{unit}s"), Right = bot.deals;
        "effective sample size", Right = short(dependence.effective_deals.round());
    };
    let note = format!(
        "Lag-1 correlation: correlation of a bot's points in one {unit} with its points in the \
         next {unit} of the same block. Effective sample size: number of independent {unit}s \
         that would give the same precision. Only the single-{unit} test assumes that {unit}s are \
         independent."
    );
    Section::of("Dependence", table)
        .note(note)
        .caption("Correlation of successive deals")
        .folded()
        .unless_empty()
}

/// Returns the design effects of pairs: their range as a sentence, and a table if the pairs are few
/// or `is_full`. Returns `None` if every block is a single deal.
fn design_effects(standings: &Standings, is_full: bool) -> Option<Section> {
    let pairs = || pairs_with(standings, |pair| pair.design_effect);
    let effects = || pairs().map(|(_, effect)| effect);
    let (least, most) = (effects().reduce(f64::min)?, effects().reduce(f64::max)?);
    let progress = &standings.progress;
    if progress.blocks_played == progress.deals_played {
        return None;
    }
    let unit = standings.about.unit;
    let count = effects().count();
    let range = match count {
        1 => fixed(least, 2),
        _ => format!("{} to {}", fixed(least, 2), fixed(most, 2)),
    };
    let text = format!(
        "The variance of a difference is {range} times the variance that independent {unit}s \
         would give ({}).",
        counted(count as u64, "pair")
    );
    let mut section = Section::new("Design effects")
        .sentence(text)
        .caption("Design effects: variance relative to independent deals")
        .folded();
    if is_full || count <= ROWS_MAX {
        let table = grid! { (pair, effect) in pairs();
            "a", Left = &pair.a;
            "b", Left = &pair.b;
            "design effect", Right = fixed(effect, 2);
        };
        section.table = Some(table.keyed_by(2));
    }
    Some(section)
}

/// Returns the bots whose processes were killed from outside; `None` if there are none.
fn kills(standings: &Standings) -> Option<Section> {
    let killed: Vec<_> = standings
        .bots
        .iter()
        .filter(|bot| bot.kills.times > 0)
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
        joined(each, ", ")
    );
    let section = Section::new("External kills").sentence(text).folded();
    (!killed.is_empty()).then_some(section)
}
