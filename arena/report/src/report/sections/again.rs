//! Instructions to replay the league: entrants, seeds, options, runs and the league file.

use super::head::entrants;
use super::{Detail, none};
use crate::numbers::{date, short};
use crate::report::Report;
use crate::report::part::ReportPart;
use crate::report::table::{Align, Grid, Section};
use crate::standings::AboutLeague;
use hattari_agents::text::{grouped, shell};
use hattari_play::store::RunInfo;

/// Returns the instructions, on a page only. For a file of scores, they contain only the command.
pub(super) fn part(report: &Report<'_>, detail: Detail) -> Option<ReportPart> {
    let about = &report.standings.about;
    let mut part = ReportPart::new("again", "Reproduce", "How to reproduce these results");
    if !detail.page {
        return None;
    }
    let Some(league) = &about.league else {
        part.listings.push((
            "Test the same scores again".to_owned(),
            about.command.clone(),
        ));
        return Some(part.sentence(
            "The scores were read from a file; hattari did not play these \
             games.",
        ));
    };
    let chance = format!(
        "All random numbers are derived from the league's seed, {}: the cards of a deal and the \
         random numbers of a bot are one-way functions of the seed, the names at the table, and \
         the numbers of the block and the deal. Threads, shards and interruptions do not change \
         the results. When a bot commits a fault, {}.",
        league.seed, league.faults
    );
    let file = shell(&league.file);
    part.listings.push((
        "Run, verify and replay this league".to_owned(),
        format!(
            "hattari run {file}\nhattari verify {file}    # replays blocks and compares them \
             with the store\nhattari replay {file} --line-up 0 --block 0 --game 0"
        ),
    ));
    if !league.source.is_empty() {
        part.listings.push((
            format!("The league file, {}", league.file),
            league.source.clone(),
        ));
    }
    let folded = |heading, table| Section {
        table: Some(table),
        folded: true,
        ..Section::new(heading)
    };
    let entrants = Section {
        table: Some(entrants(league)),
        ..Section::new("Entrants")
    };
    let runs = (!league.runs.is_empty()).then(|| folded("Runs", runs(&league.runs)));
    Some(
        part.sentence(chance)
            .with([entrants])
            .with(runs)
            .with([folded("Rules and options", options(league))]),
    )
}

fn options(league: &AboutLeague) -> Grid {
    let mut table = Grid::new(&[("option", Align::Left), ("value", Align::Wrap)]);
    let mut row = |name: &str, value: String| table.rows.push(vec![name.into(), value.into()]);
    row("game", league.game.clone());
    row("preset", league.preset.clone());
    for (name, value) in league.options.as_object().into_iter().flatten() {
        row(
            name,
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        );
    }
    row("deals per block", grouped(league.deals.into()));
    row("blocks per line-up", grouped(league.blocks.into()));
    row(
        "each deal repeated with rotated seats",
        if league.duplicate { "yes" } else { "no" }.to_owned(),
    );
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
        let speed = seconds
            .filter(|seconds| 0 < *seconds)
            .map(|seconds| short(run.deals as f64 / seconds as f64).into());
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
