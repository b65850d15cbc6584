//! Points in units of the stake, such as big blinds per 100 deals in poker.

use super::*;
use crate::standings::Stake;

/// Returns the winnings of each bot over all line-ups and, on request, by line-up; `None` if the
/// game has no stake.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let stake = standings.about.stake()?;
    let sections = [bots(standings, stake, detail.per_line_up)];
    Some(
        ReportPart::new("winnings", "Winnings", "Winnings")
            .with(sections)
            .with(pairs(standings, stake)),
    )
}

fn bots(standings: &Standings, stake: &Stake, per_line_up: bool) -> Section {
    let mut rows: Vec<(String, &str, Option<Estimate>)> = standings
        .bots
        .iter()
        .map(|bot| ("all".to_owned(), bot.name.as_str(), bot.winnings))
        .collect();
    if per_line_up {
        for line_up in &standings.line_ups {
            let number = line_up.line_up.to_string();
            rows.extend(line_up.bots.iter().map(|bot| {
                let points = bot.estimate.tested();
                let winnings = points.map(|points| stake.per_hundred(*points));
                (number.clone(), bot.name.as_str(), winnings)
            }));
        }
    }
    let digits = decimals(
        rows.iter()
            .filter_map(|(.., winnings)| Some(winnings.as_ref()?.se)),
    );
    let text = |value: f64| fixed(value, digits);
    let thousandths = format!("m{} / deal", stake.initials());
    let table = grid! { (line_up, name, winnings) in rows;
        "line-up", Right = line_up;
        "bot", Left = name;
        &format!("{}s / 100", stake.name), Right = text(winnings?.value);
        "se", Right = text(winnings?.se);
        &interval_header(standings), Right =
            format!("{} to {}", text(winnings?.low), text(winnings?.high));
        // Thousandths of the stake per deal.
        &thousandths, Right = fixed(winnings?.value * 10.0, 0);
    };
    Section::of("Winnings", table).note(format!(
        "One {0} is {1} {2}; the column {thousandths} is in thousandths of one {0}.",
        stake.name, stake.points, standings.about.score
    ))
}

/// Returns the differences of the pairs that can be tested.
fn pairs(standings: &Standings, stake: &Stake) -> Option<Section> {
    let tested = || pairs_with(standings, |pair| pair.winnings);
    let digits = decimals(tested().map(|(_, winnings)| winnings.se));
    let table = grid! { (pair, winnings) in tested();
        "a", Left = &pair.a;
        "b", Left = &pair.b;
        &format!("a − b in {}", stake.unit()), Right = signed(winnings.value, digits);
        "se", Right = fixed(winnings.se, digits);
        &interval_header(standings), Right = interval(winnings.ends(), digits);
    };
    let note = format!(
        "{}: {}s per 100 deals. The table of pairs shows the tests and verdicts.",
        stake.unit(),
        stake.name
    );
    Section::of("Winnings by pair", table.keyed_by(2))
        .note(note)
        .unless_empty()
}
