//! The table of the bots.

use super::placements::place_columns;
use super::*;
use crate::report::figures::intervals;
use crate::standings::Tiers;

/// Returns the tiers and the table of the bots, the highest mean first. In a format with
/// challengers, the bots that fill the other seats (the field) have their own table.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let mut part = ReportPart::new("standings", "Standings", "Standings");
    if detail.is_page() {
        if let TestResult::Tested(tiers) = &standings.tiers {
            let lines = tier_lines(tiers);
            part.verdicts.push(Verdicts {
                title: String::new(),
                lines: lines
                    .map(|(number, names)| VerdictLine {
                        class: "even",
                        mark: number,
                        text: names,
                    })
                    .collect(),
            });
        }
        part = part.sentence(tier_statement(standings));
        part.figures.extend(figure(standings));
    } else {
        part = part.with([tiers(standings)]);
    }
    Some(part.with(tables(standings)))
}

/// Returns `true` for a bot of the field, which is not ranked.
fn is_in_field(bot: &BotStanding) -> bool {
    bot.role == Some(Role::Field)
}

/// Maximum number of bots of a tier that are listed by name.
const NAMED_MAX: usize = 30;

/// Returns the number of each tier and the names of its bots, as texts.
fn tier_lines(tiers: &Tiers) -> impl Iterator<Item = (String, String)> {
    (1..).zip(&tiers.groups).map(|(number, names)| {
        let mut text = names[..names.len().min(NAMED_MAX)].join(", ");
        if names.len() > NAMED_MAX {
            text += &format!(" and {} more", grouped((names.len() - NAMED_MAX) as u64));
        }
        (number.to_string(), text)
    })
}

/// Returns the tiers as a table, for text reports.
fn tiers(standings: &Standings) -> Section {
    let table = standings.tiers.tested().map(|tiers| {
        grid! { (number, names) in tier_lines(tiers);
            "tier", Right = number;
            "bots", Wrap = names;
        }
    });
    Section {
        table,
        ..Section::new("Tiers").note(tier_statement(standings))
    }
}

/// Returns the standings for a paper, with a column for the tiers.
pub(super) fn for_paper(standings: &Standings) -> Vec<Section> {
    let mut sections = tables(standings);
    let confidence = interval_header(standings);
    let columns = ["bot", standings.about.score, "se", &confidence, "blocks"];
    for section in &mut sections {
        section.table = section.table.take().map(|table| table.only(&columns));
    }
    let section = &mut sections[0];
    if let TestResult::Tested(tiers) = &standings.tiers {
        let tier_of = |bot: &BotStanding| tiers.tier_of(&bot.name).map(|tier| tier.to_string());
        let ranked = standings.bots.iter().filter(|bot| !is_in_field(bot));
        let numbers = grid! { bot in ranked;
            "tier", Right = tier_of(bot);
        };
        section.table = section.table.take().map(|table| numbers.join(table));
    }
    section.notes = vec![
        format!(
            "{}: mean per {}.",
            standings.about.score, standings.about.unit
        ),
        tier_statement(standings),
    ];
    sections
}

/// Returns a sentence on the meaning of the tiers, or on the reason why there are none.
fn tier_statement(standings: &Standings) -> String {
    let tiers = match &standings.tiers {
        TestResult::NotTestable(why) => return format!("No tiers: {why}."),
        TestResult::Tested(tiers) => tiers,
    };
    let noun = if standings.bots.iter().any(|bot| bot.role.is_some()) {
        "challenger"
    } else {
        "bot"
    };
    let statement = match tiers.groups.len() {
        0 | 1 => format!(
            "All {noun}s are in one tier: the verdicts do not divide them into two groups so that \
             every {noun} of the first is significantly ahead of every {noun} of the second"
        ),
        _ => format!(
            "Every {noun} of a tier is significantly ahead of every {noun} of the tiers below; \
             {noun}s of one tier are not told apart, or share it with {noun}s ranked between them"
        ),
    };
    let alpha = level(tiers.level);
    let by = match (standings.sequential, standings.settings.correction_name()) {
        (Some(_), _) => ", by the stopping rule".to_owned(),
        (None, Some(name)) if standings.family > 1 => {
            let family = counted(standings.family, "comparison");
            format!(", p adjusted by {name} over {family}")
        }
        _ => String::new(),
    };
    let scope = if tiers.joint {
        "for all boundaries together"
    } else {
        "for each pair alone, because p is not adjusted"
    };
    format!("{statement} (significance level {alpha} % {scope}{by}).")
}

fn figure(standings: &Standings) -> Option<Figure> {
    let confidence = level(standings.settings.confidence);
    let digits = digits_of(standings.bots.iter().map(|bot| &bot.estimate));
    let tiers = standings.tiers.tested();
    let is_first = |bot: &BotStanding| {
        tiers.is_some_and(|tiers| {
            tiers
                .groups
                .iter()
                .filter_map(|group| group.first())
                .any(|name| *name == bot.name)
        })
    };
    let rows = standings
        .bots
        .iter()
        .filter(|bot| !is_in_field(bot))
        .filter_map(|bot| {
            let value = bot.mean?;
            let text = fixed(value, digits);
            let title = match &bot.estimate {
                TestResult::Tested(e) => {
                    format!(
                        "{}: {text} ({confidence} % CI {})",
                        bot.name,
                        unsigned_interval(e.ends(), digits)
                    )
                }
                TestResult::NotTestable(why) => format!("{}: {text}; no interval: {why}", bot.name),
            };
            Some(intervals::IntervalRow {
                name: &bot.name,
                value,
                interval: bot.estimate.tested().map(|e| e.ends()),
                text,
                title,
                starts_group: is_first(bot),
            })
        });
    let rows: Vec<_> = rows.take(BOTS_MAX).collect();
    let first = rows.first().map_or_else(String::new, |row| {
        format!(" The highest is {} with {}.", row.name, row.text)
    });
    let label = format!(
        "Mean {} of {} with {confidence} % confidence intervals.{first}",
        score_axis(standings),
        counted(rows.len() as u64, "bot")
    );
    if rows.is_empty() {
        return None;
    }
    let caption = format!(
        "Mean {} with its {confidence} % confidence interval. Two bots with overlapping \
         intervals may still differ significantly, because the error of their difference is \
         computed from the blocks that both played. Dashed lines separate tiers.{}",
        score_axis(standings),
        omitted_bots(standings.bots.len())
    );
    Some(intervals::figure(&rows, &score_axis(standings), &label).caption(caption))
}

/// Returns the table of the bots and, if the format has challengers, that of the field.
fn tables(standings: &Standings) -> Vec<Section> {
    let (field, ranked): (Vec<_>, Vec<_>) = standings.bots.iter().partition(|bot| is_in_field(bot));
    let mut first = section(standings, &ranked);
    let league = standings.about.league.as_ref();
    if let Some((challengers, field)) = league.and_then(|league| league.challengers.as_ref()) {
        let both = challengers.iter().filter(|name| field.contains(name));
        first.notes.extend(both.map(|name| {
            format!("{name} is also in the field; its points include those at other tables.")
        }));
    }
    if field.is_empty() {
        return vec![first];
    }
    let mut second = section(standings, &field);
    second.heading = "Field (not ranked)".to_owned();
    second.notes.retain(|note| !first.notes.contains(note));
    let note = "Field: bots that fill the other seats at the tables of the challengers. Their \
         points depend on the challengers that they meet.";
    second.notes.insert(0, note.to_owned());
    vec![first, second]
}

/// Returns the table of some of the bots, the highest mean first.
fn section(standings: &Standings, bots: &[&BotStanding]) -> Section {
    let unit = standings.about.unit;
    let digits = digits_of(standings.bots.iter().map(|bot| &bot.estimate));
    let rows = bots.iter().map(|bot| (bot, bot.estimate.tested()));
    let table = grid! { (bot, estimate) in rows;
        "bot", Left = &bot.name;
        standings.about.score, Right = fixed(bot.mean?, digits);
        "se", Right = fixed(estimate?.se, digits);
        &interval_header(standings), Right = unsigned_interval(estimate?.ends(), digits);
    };
    let mut table = table
        .join(place_columns(bots.iter().map(|bot| &bot.places[..])))
        .join(grid! { bot in bots;
            "blocks", Right = bot.blocks;
            &format!("{unit}s"), Right = bot.deals;
        });
    let any = |has: fn(&BotStanding) -> bool| bots.iter().any(|bot| has(bot));
    if any(|bot| bot.faults > 0) {
        table = table.join(grid! { bot in bots;
            "faults", Right = Cell::warning(grouped(bot.faults), bot.faults > 0);
        });
    }
    if any(|bot| bot.forfeits > 0) {
        table = table.join(grid! { bot in bots;
            "forfeits", Right = Cell::warning(grouped(bot.forfeits), bot.forfeits > 0);
        });
    }
    let alike = if standings.line_ups.len() > 1 {
        ", with equal weight for each line-up"
    } else {
        ""
    };
    let mut note = format!(
        "{}: mean per {unit}{alike}; se and interval are computed from blocks, the unit of \
         observation.",
        standings.about.score
    );
    if any(|bot| !bot.places.is_empty()) {
        note += " Places: share of deals in which the bot came first, second, …; tied bots \
            share the better place.";
    }
    let mut notes = vec![note];
    if any(|bot| bot.decisions_per_second.is_some()) {
        table = table.join(grid! { bot in bots;
            "decisions/s", Right = bot.decisions_per_second.map(short);
        });
        notes.push(
            "decisions/s: speed of the bot itself, measured on one thread for a sample of its \
             decisions."
                .to_owned(),
        );
    }
    notes.extend(bots.iter().filter_map(|bot| {
        let why = bot.estimate.reason()?;
        Some(format!("{}: no interval: {why}.", bot.name))
    }));
    Section {
        notes,
        ..Section::of("Standings", table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standings::{About, TestSettings, standings};
    use hattari_play::samples::read_scores;

    /// Returns tiers with these bots, at a joint level of 5 %.
    fn joint_tiers(groups: &[&[&str]]) -> TestResult<Tiers> {
        TestResult::Tested(Tiers {
            level: 0.05,
            joint: true,
            groups: groups
                .iter()
                .map(|group| -> Vec<String> {
                    let names = group.iter();
                    names.map(|name| (*name).to_owned()).collect()
                })
                .collect(),
        })
    }

    #[test]
    fn the_sentence_on_tiers_names_bots_or_challengers() {
        let scores = "block,a,b\n1,1,3\n2,1,2\n3,2,4\n";
        let samples = read_scores(scores.as_bytes()).expect("valid scores");
        let settings = TestSettings::default();
        let mut standings =
            standings(&samples, About::default(), settings, None, None).expect("valid settings");
        standings.tiers = joint_tiers(&[&["b", "a"]]);
        assert_eq!(
            tier_statement(&standings),
            "All bots are in one tier: the verdicts do not divide them into two groups so that \
             every bot of the first is significantly ahead of every bot of the second \
             (significance level 5 % for all boundaries together)."
        );
        standings.bots[0].role = Some(Role::Challenger);
        standings.tiers = joint_tiers(&[&["b"], &["a"]]);
        assert_eq!(
            tier_statement(&standings),
            "Every challenger of a tier is significantly ahead of every challenger of the tiers \
             below; challengers of one tier are not told apart, or share it with challengers \
             ranked between them (significance level 5 % for all boundaries together)."
        );
    }
}
