//! Statistics of play.

use super::*;
use crate::standings::PlayRow;
use hattari_plugin::games::features::PlayMeasure;
use hattari_stats::compare::BLOCKS_MIN;

/// Returns a table of the statistics; `None` if they were not computed.
pub(super) fn part(standings: &Standings, _detail: Detail) -> Option<ReportPart> {
    if standings.play.is_empty() {
        return None;
    }
    let digits_of = |measure| {
        let rows = (standings.play.iter()).filter(|row| row.measure == measure);
        digits_of(rows.map(|row| &row.estimate))
    };
    let (points, winnings) = (
        digits_of(PlayMeasure::Payoff),
        digits_of(PlayMeasure::Winnings),
    );
    let unit = standings
        .about
        .stake()
        .map_or_else(String::new, |stake| format!(" {}", stake.unit()));
    let value = |row: &PlayRow, value: f64| match row.measure {
        PlayMeasure::Payoff => fixed(value, points),
        PlayMeasure::Winnings => fixed(value, winnings) + &unit,
        _ => percent(value) + " %",
    };
    let interval = |row: &PlayRow, estimate: &Estimate| match row.measure {
        PlayMeasure::Payoff => unsigned_interval(estimate.ends(), points),
        PlayMeasure::Winnings => unsigned_interval(estimate.ends(), winnings),
        _ => format!(
            "{} to {}",
            percent(estimate.low.max(0.0)),
            percent(estimate.high.min(1.0))
        ),
    };
    let table = grid! { row in &standings.play;
        "statistic", Left = row.statistic;
        "bot", Left = &row.bot;
        "value", Right = value(row, row.value?);
        &interval_header(standings), Right = interval(row, row.estimate.tested()?);
        "n", Right = row.count.to_string();
    };
    let note = "Percentages are shares of the decisions in positions of the named kind; for VPIP \
        and PFR, shares of the deals with a decision before the flop or on the first street. \
        Points are means over deals with such a decision. Forced moves do not count. n is the \
        number of decisions or deals. Intervals are computed from blocks and hold for each number \
        separately.";
    let mut section = Section::of("Play", table.grouped().keyed_by(2)).note(note);
    let blocks = (standings.bots.iter()).map(|bot| bot.blocks);
    let least = blocks.filter(|blocks| *blocks > 0).min();
    if let Some(few) = least.filter(|blocks| *blocks < BLOCKS_MIN as u64) {
        section = section.sentence(format!(
            "Some bots have {} only: these intervals are not reliable; play {BLOCKS_MIN} or more.",
            counted(few, "block")
        ));
    }
    if standings
        .play
        .iter()
        .any(|row| row.measure.is_of_outcomes())
    {
        section = section.note(
            "A bot goes to showdown if it and at least one other bot have not folded; the share \
             refers to the deals in which it saw the second street. Winnings at showdown and \
             winnings without showdown are divided by the number of all deals and add up to the \
             mean over all deals. The table of winnings weights line-ups equally, so it differs \
             from this sum if line-ups have different numbers of deals.",
        );
    }
    Some(ReportPart::new("play", "Play", "How the bots play").with([section]))
}
