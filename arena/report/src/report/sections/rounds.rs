//! The rounds of a format that schedules one round after another: standings, pairings and changes
//! of rank.

use super::*;
use crate::standings::rounds::{PlayedRound, RoundTable};
use std::collections::BTreeMap;

/// Maximum number of rounds whose ranks are shown, and whose pairings are shown in text reports,
/// which have no folded lists. Earlier rounds are omitted.
const ROUNDS_MAX: usize = 20;

/// Returns the standings by the rules of the format, and all rounds; `None` if the format has no
/// rounds.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let rounds = standings.rounds.as_ref()?;
    // Pairs of round number and round. A shortened report contains only the last standings.
    let over: Vec<(usize, &PlayedRound)> = (1..)
        .zip(&rounds.rounds)
        .filter(|(_, round)| !round.standing.is_empty())
        .collect();
    let standing = over.last().map(|(_, last)| standing(last, rounds.is_over));
    let ranks = (over.len() > 1).then(|| ranks(&over));
    let shown = match detail.is_page() {
        true => &rounds.rounds[..],
        false => last_rounds(&rounds.rounds),
    };
    let is_cut = standings.left_out.is_some() || shown.len() < rounds.rounds.len();
    let sections = standing.into_iter().chain(ranks);
    Some(
        ReportPart::new("rounds", "Rounds", "Rounds").with(sections.chain([tables(shown, is_cut)])),
    )
}

/// Returns the last [`ROUNDS_MAX`] rounds.
fn last_rounds<R>(rounds: &[R]) -> &[R] {
    &rounds[rounds.len().saturating_sub(ROUNDS_MAX)..]
}

/// Returns points as text, with at most two decimals.
fn points(points: f64) -> String {
    fixed(points, 2)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

fn standing(last: &PlayedRound, is_over: bool) -> Section {
    let table = grid! { (place, placed) in (1_u32..).zip(&last.standing);
        "place", Right = place;
        "bot", Left = &placed.bot;
        "format points", Right = points(placed.points);
        "", Wrap = &placed.note;
    };
    let when = if is_over {
        "the end"
    } else {
        last.name.as_str()
    };
    Section::of(format!("Standings of the format after {when}"), table)
}

fn ranks(over: &[(usize, &PlayedRound)]) -> Section {
    let last = &over[over.len() - 1].1.standing;
    let mut table = grid! { placed in last;
        "bot", Left = &placed.bot;
    };
    for (number, round) in last_rounds(over) {
        let places: BTreeMap<&str, u32> = round
            .standing
            .iter()
            .map(|placed| placed.bot.as_str())
            .zip(1..)
            .collect();
        table = table.join(grid! { placed in last;
            &number.to_string(), Right =
                places.get(placed.bot.as_str()).map_or_else(|| NONE.to_owned(), u32::to_string);
        });
    }
    Section::of("Places after every round", table).folded()
}

fn tables(rounds: &[PlayedRound], is_cut: bool) -> Section {
    let row = |table: &RoundTable| {
        let [first, after] = table.blocks;
        let blocks = if first + 1 == after {
            first.to_string()
        } else {
            format!("{first}–{}", after - 1)
        };
        let bots = joined(
            table.bots.iter().map(|(name, mean)| match mean {
                Some(mean) => format!("{name} {}", fixed(*mean, 3)),
                None => name.clone(),
            }),
            ", ",
        );
        [table.line_up.to_string(), blocks, bots]
    };
    let rows = rounds.iter().flat_map(|round| {
        let byes = (!round.byes.is_empty()).then(|| {
            let who = format!("bye: {}", round.byes.join(", "));
            [NONE.to_owned(), NONE.to_owned(), who]
        });
        round
            .tables
            .iter()
            .map(&row)
            .chain(byes)
            .map(move |row| (round, row))
    });
    let table = grid! { (round, [table, blocks, bots]) in rows;
        "round", Left = &round.name;
        "table", Right = table;
        "blocks", Right = blocks;
        "bots with mean scores", Wrap = bots;
    };
    let section = Section::of("Pairings by round", table).folded();
    if is_cut {
        section.sentence("Only the last rounds are shown; `--format json` writes all of them.")
    } else {
        section
    }
}
