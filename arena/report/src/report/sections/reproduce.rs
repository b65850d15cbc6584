//! Instructions to replay the league: entrants, seeds, options, runs and the league file.

use super::head::entrants;
use super::*;
use hattari_agents::text::shell;
use hattari_play::store::RunInfo;

/// Returns the instructions for a page; `None` in other formats. For a file of scores, they consist
/// of the command that tests the scores again.
pub(super) fn part(standings: &Standings, detail: Detail) -> Option<ReportPart> {
    let about = &standings.about;
    let mut part = ReportPart::new("again", "Reproduce", "How to reproduce these results");
    if !detail.is_page() {
        return None;
    }
    let Some(league) = &about.league else {
        part.listings.push((
            "Test the same scores again".to_owned(),
            about.command.clone(),
        ));
        return Some(part.sentence(
            "The scores were read from a file; Hattari did not play these \
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
    let games = shell(league.replayed());
    let file = shell(&league.file);
    let run = match &league.other_store {
        None => format!("hattari run {file}\n"),
        // The file alone does not say which value of a sweep was played.
        Some(store) if store.contains('=') => String::new(),
        Some(_) => format!("hattari run {file} --store {games}\n"),
    };
    part.listings.push((
        "Run, verify and replay this league".to_owned(),
        format!(
            "{run}hattari verify {games}    # replays blocks and compares them with the store\n\
             hattari replay {games} --line-up 0 --block 0 --game 0"
        ),
    ));
    if !league.source.is_empty() {
        part.listings.push((
            format!("The league file, {}", league.file),
            league.source.clone(),
        ));
    }
    let runs = (!league.runs.is_empty()).then(|| Section::of("Runs", runs(&league.runs)).folded());
    Some(
        part.sentence(chance)
            .with([Section::of("Entrants", entrants(league))])
            .with(runs)
            .with([Section::of("Rules and options", options(league)).folded()]),
    )
}

/// Returns the options of the rules with their values.
pub(super) fn option_texts(league: &AboutLeague) -> impl Iterator<Item = (&str, String)> {
    league
        .options
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let text = value.as_str().map(str::to_owned);
            (name.as_str(), text.unwrap_or_else(|| value.to_string()))
        })
}

fn options(league: &AboutLeague) -> Grid {
    let mut rows = vec![
        ("game", league.game.clone()),
        ("preset", league.preset.clone()),
    ];
    rows.extend(option_texts(league));
    let is_duplicate = if league.duplicate { "yes" } else { "no" };
    rows.extend([
        ("deals per block", grouped(league.deals.into())),
        ("blocks per line-up", grouped(league.blocks.into())),
        (
            "each deal repeated with rotated seats",
            is_duplicate.to_owned(),
        ),
    ]);
    grid! { (name, value) in rows;
        "option", Left = name;
        "value", Wrap = value;
    }
}

fn runs(runs: &[RunInfo]) -> Grid {
    let seconds = |run: &RunInfo| run.ended.map(|ended| ended - run.started);
    grid! { (run, seconds) in runs.iter().map(|run| (run, seconds(run)));
        "started (UTC)", Left = date(run.started);
        "seconds", Right = seconds?.to_string();
        "threads", Right = run.threads.to_string();
        "shard", Right = &run.shard;
        "blocks", Right = run.blocks;
        "deals", Right = run.deals;
        "deals/s", Right = seconds
            .filter(|seconds| *seconds > 0)
            .map(|seconds| short(run.deals as f64 / seconds as f64));
        "ended", Wrap = run.outcome.as_deref().unwrap_or("not ended");
    }
}
