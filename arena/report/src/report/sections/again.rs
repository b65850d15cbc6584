//! How the league was played and how to play it again: entrants, seeds, options, runs and the league file.

use super::head::entrants;
use super::{Detail, none};
use crate::numbers::short;
use crate::report::Report;
use crate::report::part::Part;
use crate::report::table::{Align, Grid, Section};
use crate::standings::AboutLeague;
use hattari_hosts::text::{grouped, shell};
use hattari_play::store::RunInfo;

/// The part of a page, whose head says less; for a file of scores there is little to say.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<Part> {
    let about = &report.standings.about;
    let mut part = Part::new("again", "Play again", "How it was played, and how to play it again");
    if !detail.page {
        return None;
    }
    let Some(league) = &about.league else {
        part.listings.push(("To test the same scores again".to_owned(), about.command.clone()));
        return Some(part.saying("The scores came from a file; the bots were played elsewhere."));
    };
    let chance = format!(
        "All chance grows from the league's seed, {}: the cards of a deal and the dice of a bot are one-way functions of the seed, \
         the number of the line-up, of the block and of the deal. Threads, shards and interruptions change nothing. A fault \
         means here: {}.",
        league.seed, league.faults
    );
    let file = shell(&league.file);
    part.listings.push((
        "The same league again".to_owned(),
        format!("hattari run {file}\nhattari verify {file}    # plays blocks again and compares\nhattari replay {file} --line-up 0 --block 0 --game 0"),
    ));
    if !league.source.is_empty() {
        part.listings.push((format!("The league file, {}", league.file), league.source.clone()));
    }
    let folded = |heading, table| Section { table: Some(table), folded: true, ..Section::new(heading) };
    let entrants = Section { table: Some(entrants(league)), ..Section::new("Entrants") };
    let runs = (!league.runs.is_empty()).then(|| folded("Runs", runs(&league.runs)));
    Some(part.saying(chance).with([entrants]).with(runs).with([folded("Rules in force", options(league))]))
}

fn options(league: &AboutLeague) -> Grid {
    let mut table = Grid::new(&[("option", Align::Left), ("value", Align::Wrap)]);
    let mut row = |name: &str, value: String| table.rows.push(vec![name.into(), value.into()]);
    row("game", league.game.clone());
    row("preset", league.preset.clone());
    for (name, value) in league.options.as_object().into_iter().flatten() {
        row(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    row("deals of a block", grouped(league.deals.into()));
    row("blocks of a line-up", grouped(league.blocks.into()));
    row("deals repeated with the seats rotated", if league.duplicate { "yes" } else { "no" }.to_owned());
    table
}

fn runs(runs: &[RunInfo]) -> Grid {
    let mut table = Grid::new(&[
        ("started (UTC)", Align::Left),
        ("seconds", Align::Right),
        ("threads", Align::Right),
        ("shard", Align::Right),
        ("blocks", Align::Right),
        ("deals", Align::Right),
        ("deals/s", Align::Right),
        ("ended", Align::Wrap),
    ]);
    for run in runs {
        let seconds = run.ended.map(|ended| ended - run.started);
        let speed =
            seconds.filter(|seconds| 0 < *seconds).map(|seconds| short(run.deals as f64 / seconds as f64).into());
        table.rows.push(vec![
            date(run.started).into(),
            seconds.map_or_else(none, |seconds| seconds.to_string().into()),
            run.threads.to_string().into(),
            run.shard.as_str().into(),
            grouped(run.blocks).into(),
            grouped(run.deals).into(),
            speed.unwrap_or_else(none),
            run.outcome.as_deref().unwrap_or("not ended").into(),
        ]);
    }
    table
}

/// A time in seconds since 1970 as a date (Howard Hinnant, "chrono-compatible low-level date algorithms").
fn date(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + 400 * era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", second / 3600, second / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let dates = [0, 951_782_400, 951_868_800, 1_795_243_500, -1].map(date);
        let expected =
            ["1970-01-01 00:00", "2000-02-29 00:00", "2000-03-01 00:00", "2026-11-21 06:45", "1969-12-31 23:59"];
        assert_eq!(dates, expected);
    }
}
