//! The rounds of a format that schedules one round after another: standings, pairings and changes
//! of rank.

use super::{Detail, NONE};
use crate::numbers::fixed;
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Cell, Grid, Section};
use crate::standings::rounds::{PlacedBot, PlayedRound, PlayedRounds, RoundTable};
use std::collections::BTreeMap;

/// Maximum number of rounds whose ranks are shown; earlier rounds are omitted.
const ROUNDS_MAX: usize = 20;

/// Returns the standings by the rules of the format, and all rounds; `None` if the format has no
/// rounds.
pub(super) fn part(report: &Report<'_>, _detail: Detail) -> Option<ReportPart> {
    let rounds = report.standings.rounds.as_ref()?;
    // Pairs of round number and round. A shortened report contains only the last standings.
    let over: Vec<(usize, &PlayedRound)> = (1..)
        .zip(&rounds.rounds)
        .filter(|(_, round)| !round.standing.is_empty())
        .collect();
    let standing = over.last().map(|(_, last)| standing(last, rounds.is_over));
    let ranks = (1 < over.len()).then(|| ranks(&over));
    Some(
        ReportPart::new("rounds", "Rounds", "Rounds").with(
            standing
                .into_iter()
                .chain(ranks)
                .chain([tables(rounds, report.standings.left_out.is_some())]),
        ),
    )
}

/// Returns points as text, with at most two decimals.
fn points(points: f64) -> String {
    let text = fixed(points, 2);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn standing(last: &PlayedRound, is_over: bool) -> Section {
    let mut table = Grid::new(&[
        ("place", Align::Right),
        ("bot", Align::Left),
        ("format points", Align::Right),
        ("", Align::Wrap),
    ]);
    for (
        place,
        PlacedBot {
            bot,
            points: count,
            note,
        },
    ) in (1..).zip(&last.standing)
    {
        table.rows.push(vec![
            place.to_string().into(),
            bot.as_str().into(),
            points(*count).into(),
            note.as_str().into(),
        ]);
    }
    let when = if is_over {
        "the end"
    } else {
        last.name.as_str()
    };
    Section {
        table: Some(table),
        ..Section::new(format!("Standings of the format after {when}"))
    }
}

fn ranks(over: &[(usize, &PlayedRound)]) -> Section {
    let shown = &over[over.len().saturating_sub(ROUNDS_MAX)..];
    let numbers: Vec<String> = shown.iter().map(|(number, _)| number.to_string()).collect();
    let mut heads = vec![("bot", Align::Left)];
    heads.extend(numbers.iter().map(|number| (number.as_str(), Align::Right)));
    let mut table = Grid::new(&heads);
    let places: Vec<BTreeMap<&str, usize>> = shown
        .iter()
        .map(|(_, round)| {
            round
                .standing
                .iter()
                .map(|placed| placed.bot.as_str())
                .zip(1..)
                .collect()
        })
        .collect();
    for PlacedBot { bot, .. } in &over[over.len() - 1].1.standing {
        let rank = |places: &BTreeMap<&str, usize>| -> Cell {
            places
                .get(bot.as_str())
                .map_or_else(|| NONE.into(), |place| place.to_string().into())
        };
        table.rows.push(
            std::iter::once(bot.as_str().into())
                .chain(places.iter().map(rank))
                .collect(),
        );
    }
    Section {
        table: Some(table),
        folded: true,
        ..Section::new("Places after every round")
    }
}

fn tables(rounds: &PlayedRounds, is_cut: bool) -> Section {
    let mut grid = Grid::new(&[
        ("round", Align::Left),
        ("table", Align::Right),
        ("blocks", Align::Right),
        ("bots with mean scores", Align::Wrap),
    ]);
    for round in &rounds.rounds {
        for RoundTable {
            line_up,
            blocks: [first, after],
            bots,
        } in &round.tables
        {
            let score = |(name, mean): &(String, Option<f64>)| match mean {
                Some(mean) => format!("{name} {}", fixed(*mean, 3)),
                None => name.clone(),
            };
            let blocks = if first + 1 == *after {
                first.to_string()
            } else {
                format!("{first}–{}", after - 1)
            };
            let who = bots.iter().map(score).collect::<Vec<_>>().join(", ");
            grid.rows.push(vec![
                round.name.as_str().into(),
                line_up.to_string().into(),
                blocks.into(),
                who.into(),
            ]);
        }
        if !round.byes.is_empty() {
            let who = format!("bye: {}", round.byes.join(", "));
            grid.rows.push(vec![
                round.name.as_str().into(),
                NONE.into(),
                NONE.into(),
                who.into(),
            ]);
        }
    }
    let mut section = Section {
        table: Some(grid),
        folded: true,
        ..Section::new("Pairings by round")
    };
    if is_cut {
        section
            .text
            .push("Only the last rounds are shown; `--format json` writes all of them.".to_owned());
    }
    section
}
