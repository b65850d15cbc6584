//! The parts of the page, in order: from standings and samples to figures, tables and sentences.

use super::figure::{Part, Verdicts};
use super::heat::{self, Square};
use super::{intervals, over_blocks, placements, play, replays, timing};
use crate::numbers::{decimals, fixed, interval, level, p_value, percent, signed};
use crate::report::Report;
use crate::report::sections;
use crate::report::table::{Align, Section, Table};
use crate::standings::{Answer, PairStanding, Standings, VerdictKind};
use hattari_hosts::text::{counted, grouped};

/// Verdicts stand in sentences at once for so many pairs; beyond, they are counted for each bot and folded.
const SENTENCES_MAX: usize = 15;
/// Line-ups that are listed.
const LINE_UPS_MAX: usize = 300;

/// All parts that have something to say.
pub fn all(report: &Report<'_>) -> Vec<Part> {
    let Report { standings, samples, replays } = *report;
    let mut parts = vec![verdicts(standings), bots(standings)];
    parts.extend(stopping(standings));
    parts.extend(pairs(standings));
    parts.push(over_blocks::distributions(standings, samples));
    parts.push(over_blocks::courses(standings, samples));
    parts.extend(places(standings));
    parts.extend(ratings(standings));
    parts.extend(congeniality(standings));
    parts.extend(checks(standings));
    parts.extend(line_ups(standings));
    parts.extend(replays::part(standings, replays));
    parts.push(faults(standings));
    parts.push(speeds(standings));
    parts.push(play::part(standings));
    parts
}

fn sentence(pair: &PairStanding) -> String {
    match pair.verdict.kind {
        VerdictKind::Ahead | VerdictKind::Behind => format!("{}.", pair.verdict.text),
        _ => format!("{} and {}: {}.", pair.a, pair.b, pair.verdict.text),
    }
}

fn line(pair: &PairStanding) -> (&'static str, &'static str, String) {
    (heat::class(pair.verdict.kind), heat::mark(pair.verdict.kind), sentence(pair))
}

fn verdicts(standings: &Standings) -> Part {
    let mut part = Part::new("verdicts", "Verdicts", "What it comes to");
    if standings.pairs.is_empty() {
        part.text.push("No two bots can be compared.".to_owned());
        return part;
    }
    let alpha = level(standings.settings.alpha());
    part.text.push(match standings.settings.correction_name() {
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
    part.text.extend(sections::pairs::order(standings));
    part
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

/// Moves a section's table and notes into a part.
fn take(part: &mut Part, section: Section, title: &str) {
    part.text.extend(section.text);
    if let Some(table) = section.table {
        part.behind(title, table);
    }
    part.notes.extend(section.notes);
}

/// What scores are, for an axis: "points a deal".
pub fn score_axis(standings: &Standings) -> String {
    format!("{} a {}", standings.about.score, standings.about.unit)
}

fn bots(standings: &Standings) -> Part {
    let mut part = Part::new("standings", "Standings", "Standings");
    let confidence = level(standings.settings.confidence);
    let digits = decimals(standings.bots.iter().filter_map(|bot| Some(bot.estimate.tested()?.se)));
    let rows = standings.bots.iter().filter_map(|bot| {
        let value = bot.mean?;
        let estimate = bot.estimate.tested();
        let text = fixed(value, digits);
        let title = match &bot.estimate {
            Answer::Tested(e) => {
                format!(
                    "{}: {text} ({confidence} % CI {} to {})",
                    bot.name,
                    fixed(e.low, digits),
                    fixed(e.high, digits)
                )
            }
            Answer::NotTestable(why) => format!("{}: {text}; no interval: {why}", bot.name),
        };
        Some(intervals::Row { name: &bot.name, value, interval: estimate.map(|e| (e.low, e.high)), text, title })
    });
    let rows: Vec<_> = rows.collect();
    let first = rows.first().map_or_else(String::new, |row| format!(" The highest is {} with {}.", row.name, row.text));
    let label = format!(
        "Mean {} of {} with {confidence} % confidence intervals.{first}",
        score_axis(standings),
        counted(rows.len() as u64, "bot")
    );
    if !rows.is_empty() {
        let caption = format!(
            "Mean {} with its {confidence} % confidence interval. Where intervals overlap a pair may still differ: its bots \
             played the same deals, and their difference has an error of its own.",
            score_axis(standings)
        );
        part.figures.push(intervals::figure(&rows, &score_axis(standings), &label).caption(caption));
    }
    let section = sections::standings::section(standings);
    if let Some(table) = section.table {
        part.open("Standings", table);
    }
    part.notes.extend(section.notes);
    part
}

fn stopping(standings: &Standings) -> Option<Part> {
    let section = sections::sequential::section(standings)?;
    let mut part = Part::new("stopping", "Stopping rule", "The stopping rule");
    part.text.extend(section.text);
    if let Some(table) = section.table {
        part.open("Where each comparison stands", table);
    }
    part.notes.extend(section.notes);
    Some(part)
}

fn pairs(standings: &Standings) -> Option<Part> {
    let mut part = Part::new("pairs", "Head to head", "Head to head");
    let names: Vec<&str> = standings.bots.iter().map(|bot| bot.name.as_str()).collect();
    let digits = decimals(standings.pairs.iter().filter_map(|pair| Some(pair.pooled.tested()?.se)));
    let place = |name: &str| names.iter().position(|other| *other == name);
    let mut squares = vec![vec![None; names.len()]; names.len()];
    for pair in &standings.pairs {
        let (Some(a), Some(b)) = (place(&pair.a), place(&pair.b)) else { continue };
        squares[a][b] = Some(square(pair, false, digits));
        squares[b][a] = Some(square(pair, true, digits));
    }
    if standings.pairs.is_empty() {
        return None;
    }
    let decided = |kind| standings.pairs.iter().filter(|pair| pair.verdict.kind == kind).count();
    let different = decided(VerdictKind::Ahead) + decided(VerdictKind::Behind);
    let label = format!(
        "Differences of all pairs: {different} of {} are significant, {} cannot be told.",
        standings.pairs.len(),
        decided(VerdictKind::CannotTell)
    );
    let caption = format!(
        "Row less column, in {}. ▲ row significantly ahead, ▼ behind, = equal within what the league asks for, ? cannot tell. Blue is more, \
         orange less; a pointer on a cell brings up p and effect size.",
        score_axis(standings)
    );
    part.figures.push(heat::figure(&names, &squares, &label).caption(caption));
    for section in sections::pairs::tables(standings) {
        let title = if section.heading == "Pairs" {
            "All pairs: differences, p raw and adjusted, effect sizes"
        } else {
            "Score ratios"
        };
        take(&mut part, section, title);
    }
    // It stands with the verdicts already.
    let order = sections::pairs::order(standings);
    part.notes.retain(|note| order.as_ref() != Some(note));
    Some(part)
}

fn square(pair: &PairStanding, turned: bool, digits: usize) -> Square {
    let sign = if turned { -1.0 } else { 1.0 };
    let kind = match (pair.verdict.kind, turned) {
        (VerdictKind::Ahead, true) => VerdictKind::Behind,
        (VerdictKind::Behind, true) => VerdictKind::Ahead,
        (kind, _) => kind,
    };
    let (row, column) = if turned { (&pair.b, &pair.a) } else { (&pair.a, &pair.b) };
    let difference = pair.difference.map(|difference| sign * difference);
    let text = difference.map_or_else(|| "–".to_owned(), |difference| signed(difference, digits));
    let title = match &pair.pooled {
        Answer::Tested(test) => {
            let (low, high) = if turned { (-test.high, -test.low) } else { (test.low, test.high) };
            format!(
                "{row} less {column}: {text} ({}), p {} raw, {} adjusted, effect size {}",
                interval((low, high), digits),
                p_value(test.p),
                p_value(test.p_adjusted),
                signed(sign * test.effect_size, 2)
            )
        }
        Answer::NotTestable(why) => format!("{row} less {column}: {text}; not testable: {why}"),
    };
    Square { difference, kind, text, title }
}

fn places(standings: &Standings) -> Option<Part> {
    let rows: Vec<placements::Row<'_>> = (standings.bots.iter())
        .filter(|bot| !bot.places.is_empty())
        .map(|bot| (bot.name.as_str(), bot.places.as_slice()))
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut part = Part::new("placements", "Placements", "Placements");
    let label = format!("Shares of places of {}, first place first.", counted(rows.len() as u64, "bot"));
    let caption = "Share of deals in which a bot came first, second, … (in percent). Who ties shares the better place.";
    part.figures.push(placements::figure(&rows, &label).caption(caption));
    let most = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let names: Vec<String> = (1..=most).map(|place| format!("{} %", sections::ordinal(place))).collect();
    let columns: Vec<_> =
        std::iter::once(("bot", Align::Left)).chain(names.iter().map(|name| (name.as_str(), Align::Right))).collect();
    let mut table = Table::new(&columns);
    for (name, shares) in rows {
        let mut row = vec![name.into()];
        row.extend((0..most).map(|place| shares.get(place).map_or_else(|| "–".into(), |share| percent(*share).into())));
        table.rows.push(row);
    }
    part.behind("Shares of places", table);
    Some(part)
}

fn ratings(standings: &Standings) -> Option<Part> {
    let section = sections::ratings::section(standings)?;
    let mut part = Part::new("ratings", "Ratings", "Ratings");
    let fit = standings.ratings.as_ref().and_then(|ratings| ratings.fit.tested());
    if let Some(fit) = fit {
        let digits = decimals(fit.iter().map(|rating| (rating.high - rating.low) / 4.0));
        let rows = fit.iter().map(|rating| {
            let text = signed(rating.strength, digits);
            let ranks = match (rating.best_rank, rating.worst_rank) {
                (best, worst) if best == worst => format!("rank {best}"),
                (best, worst) => format!("rank {best} to {worst}"),
            };
            let title = format!("{}: {text} ({}), {ranks}", rating.name, interval((rating.low, rating.high), digits));
            intervals::Row {
                name: &rating.name,
                value: rating.strength,
                interval: Some((rating.low, rating.high)),
                text,
                title,
            }
        });
        let rows: Vec<_> = rows.collect();
        let label = format!("Strengths of {} with their intervals.", counted(rows.len() as u64, "bot"));
        let caption =
            "Strength by who finished ahead of whom (Plackett-Luce), with intervals from drawing whole blocks.";
        part.figures.push(intervals::figure(&rows, "strength", &label).caption(caption));
    }
    take(&mut part, section, "Ratings and the ranks that are possible");
    Some(part)
}

fn congeniality(standings: &Standings) -> Option<Part> {
    let sections = sections::congeniality::sections(standings);
    if sections.is_empty() || standings.bots.len() < 3 {
        return None;
    }
    let mut part = Part::new("congeniality", "Congeniality", "Who suits whom");
    for (number, section) in sections.into_iter().chain(sections::published::sections(standings)).enumerate() {
        part.text.extend(section.text);
        if let Some(table) = section.table {
            if number == 0 { part.open(section.heading, table) } else { part.behind(section.heading, table) }
        }
        part.notes.extend(section.notes);
    }
    Some(part)
}

fn checks(standings: &Standings) -> Option<Part> {
    let sections = sections::checks::sections(standings, true);
    if sections.is_empty() {
        return None;
    }
    let mut part = Part::new("checks", "Checks", "Dependence and checks");
    for section in sections {
        let title = if section.heading == "Checks" {
            "Cluster-robust and permutation tests beside the t-test"
        } else {
            "How much deals depend on their neighbours"
        };
        take(&mut part, section, title);
    }
    Some(part)
}

fn line_ups(standings: &Standings) -> Option<Part> {
    if standings.line_ups.len() < 2 {
        return None;
    }
    let mut part = Part::new("line-ups", "Line-ups", "Line-ups");
    let digits =
        decimals(standings.line_ups.iter().flat_map(|at| &at.bots).filter_map(|bot| Some(bot.estimate.tested()?.se)));
    let mut table = Table::new(&[
        ("line-up", Align::Right),
        ("bots with their means, the highest first", Align::Wrap),
        ("blocks", Align::Right),
        ("deals", Align::Right),
    ]);
    for line_up in standings.line_ups.iter().take(LINE_UPS_MAX) {
        let mut bots: Vec<(&str, f64)> =
            line_up.bots.iter().filter_map(|bot| Some((bot.name.as_str(), bot.mean?))).collect();
        bots.sort_by(|x, y| y.1.total_cmp(&x.1));
        let text = bots.iter().map(|(name, mean)| format!("{name} {}", fixed(*mean, digits))).collect::<Vec<_>>();
        table.rows.push(vec![
            line_up.line_up.to_string().into(),
            text.join(", ").into(),
            grouped(line_up.blocks).into(),
            grouped(line_up.deals).into(),
        ]);
    }
    if LINE_UPS_MAX < standings.line_ups.len() {
        part.text.push(format!(
            "The first {LINE_UPS_MAX} of {}; `hattari report --format csv` writes all of them.",
            counted(standings.line_ups.len() as u64, "line-up")
        ));
    }
    part.behind("Means at every line-up", table);
    Some(part)
}

fn faults(standings: &Standings) -> Part {
    let mut part = Part::new("faults", "Faults", "Faults");
    let erring = || standings.bots.iter().filter(|bot| 0 < bot.faults || 0 < bot.forfeits);
    if erring().next().is_none() {
        part.text.push("No bot committed a fault.".to_owned());
        return part;
    }
    let mut table = Table::new(&[
        ("bot", Align::Left),
        ("faults", Align::Right),
        ("forfeited blocks", Align::Right),
        ("blocks", Align::Right),
    ]);
    for bot in erring() {
        let numbers = [bot.faults, bot.forfeits, bot.blocks].map(|number| grouped(number).into());
        table.rows.push(std::iter::once(bot.name.as_str().into()).chain(numbers).collect());
    }
    part.open("Faults of each bot", table);
    if let Some(section) = sections::faults::section(standings) {
        take(&mut part, section, "The first faults in words");
    }
    part
}

fn speeds(standings: &Standings) -> Part {
    let mut part = Part::new("timing", "Timing", "How long bots think");
    let timed: Vec<_> = standings.bots.iter().filter(|bot| 0 < bot.thinking.timed && 0 < bot.thinking.nanos).collect();
    if timed.is_empty() {
        part.text.push("No decision was timed.".to_owned());
        return part;
    }
    let mean = |bot: &crate::standings::BotStanding| bot.thinking.nanos as f64 / bot.thinking.timed as f64;
    let rows: Vec<_> = (timed.iter())
        .map(|bot| timing::Row { name: &bot.name, mean: mean(bot), worst: bot.thinking.worst_nanos as f64 })
        .collect();
    let label = format!("Time of a decision of {}, mean and slowest.", counted(rows.len() as u64, "bot"));
    let caption =
        "Time of a decision on a logarithmic axis: the dot is the mean, the bar ends at the slowest one timed.";
    part.figures.push(timing::figure(&rows, &label).caption(caption));
    let mut table = Table::new(&[
        ("bot", Align::Left),
        ("decisions", Align::Right),
        ("timed", Align::Right),
        ("mean", Align::Right),
        ("slowest", Align::Right),
        ("decisions/s", Align::Right),
    ]);
    for bot in timed {
        table.rows.push(vec![
            bot.name.as_str().into(),
            grouped(bot.thinking.decisions).into(),
            grouped(bot.thinking.timed).into(),
            timing::time(mean(bot)).into(),
            timing::time(bot.thinking.worst_nanos as f64).into(),
            bot.decisions_per_second.map_or_else(|| "–".to_owned(), crate::numbers::short).into(),
        ]);
    }
    part.behind("Times of decisions", table);
    part.notes
        .push("From a sample of the decisions, on the machine that played; times differ from run to run.".to_owned());
    part
}
