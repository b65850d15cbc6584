//! Describes what `hattari run` would play.

use hattari_agents::text::{counted, grouped, quoted};
use hattari_play::league::Sequential;
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{LeagueIdentity, Store, UnusedBlocks};
use hattari_stats::sequential::StoppingRule;
use std::path::Path;

/// Returns a description of what would be played. `file` is the path of the league, and `path` that
/// of its store. With `is_restart`, the store is treated as empty.
pub(super) fn describe(
    file: &Path,
    identity: &LeagueIdentity,
    path: &Path,
    part: &Part,
    is_restart: bool,
) -> anyhow::Result<String> {
    let league = &identity.league;
    let is_ours = |index: u64| part.contains(index);
    let mut schedule = Schedule::of(league);
    let mut beside = Vec::new();
    let (mut is_over, mut played, mut state) = (false, 0, "new".to_owned());
    if path.exists() && !is_restart {
        let store = Store::read_as(path, identity.clone())?;
        (schedule, beside) = (store.schedule().clone(), unused_block_notes(&store)?);
        is_over = store.round_schedule().is_some_and(|rounds| rounds.is_over);
        let jobs = store.played()?;
        let indices = jobs.into_iter().filter_map(|job| schedule.find(job));
        played = indices.filter(|&index| is_ours(index)).count() as u64;
        state = format!("contains {}", counted(store.blocks_played()?, "block"));
    }
    let seats = schedule
        .line_ups
        .first()
        .map_or(0, |line_up| line_up.entrants.len());
    let rotations = league.rotations(seats);
    let block_games = u64::from(league.deals) * u64::from(rotations);
    let ours = (0..schedule.jobs()).filter(|&index| is_ours(index)).count() as u64;
    let open = ours.saturating_sub(played);
    // If pairings depend on results, later rounds are unknown.
    let least = if schedule.plays_in_rounds() && !league.format.is_planned() && !is_over {
        "at least "
    } else {
        ""
    };
    let names: Vec<&str> = league
        .entrants
        .iter()
        .map(|entrant| entrant.name.as_str())
        .collect();
    let rotated = if league.duplicate {
        format!(", each with {rotations} rotations")
    } else {
        String::new()
    };
    let same = if league.same_deals {
        ", the same games for every line-up"
    } else {
        ""
    };
    let mut rows = vec![
        ("league", file.display().to_string()),
        ("game", format!("{}, preset {}", league.game, league.preset)),
        ("seed", league.seed.to_string()),
        (
            "entrants",
            format!("{}: {}", names.len(), quoted(names.iter().copied())),
        ),
        ("format", league.format.description(league)),
        (
            "line-ups",
            format!("{least}{}", grouped(schedule.line_ups.len() as u64)),
        ),
        (
            "blocks",
            format!(
                "{} per line-up, {} per block{rotated}{same}",
                grouped(league.blocks.into()),
                counted(league.deals.into(), "game")
            ),
        ),
    ];
    if let Some(sequential) = &league.sequential {
        rows.push(("stopping", describe_stopping_rule(sequential)));
    }
    if *part != Part::WHOLE {
        let name = match part {
            Part::Shard { .. } => "shard",
            Part::Unit(_) | Part::Pairings(_) => "unit",
        };
        rows.push((name, format!("{part}: {}", counted(ours, "block"))));
    }
    rows.push((
        "to play",
        format!(
            "{least}{}, {}",
            counted(open, "block"),
            counted(open.saturating_mul(block_games), "game")
        ),
    ));
    rows.push((
        "store",
        format!(
            "{} ({state}), {least}about {} when complete",
            path.display(),
            size(ours, seats as u64, block_games)
        ),
    ));
    let own = league
        .entrants
        .iter()
        .filter_map(|entrant| Some((entrant, entrant.budget?)));
    rows.extend(own.map(|(entrant, budget)| ("budget", format!("{}: {budget}", entrant.name))));
    rows.extend(
        league
            .excluded
            .iter()
            .map(|excluded| ("excluded", excluded.to_string())),
    );
    rows.extend(beside.into_iter().map(|line| ("besides", line)));
    Ok(rows
        .iter()
        .map(|(name, value)| format!("{name:<9} {value}\n"))
        .collect())
}

/// Returns a description of the rule that may end the league early.
fn describe_stopping_rule(sequential: &Sequential) -> String {
    let rule = match &sequential.rule {
        StoppingRule::ConfidenceSequence(_) => "a confidence sequence",
        StoppingRule::Betting(_) => "betting",
        StoppingRule::Sprt(_) => "a sequential probability ratio test",
    };
    let pairs = match &sequential.pairs[..] {
        [] => "every pair that plays together".to_owned(),
        pairs => pairs
            .iter()
            .map(|[a, b]| format!("{a} against {b}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    format!("{rule} may end the league early: {pairs}")
}

/// Returns the estimated size of a store. `games` is the number of games per block. Integers are
/// stored with seven bits per byte.
#[expect(clippy::cast_precision_loss, reason = "the estimate is only displayed")]
fn size(blocks: u64, seats: u64, games: u64) -> String {
    let bytes_of = |number: u64| {
        u64::from(64 - (2 * number).leading_zeros())
            .div_ceil(7)
            .max(1)
    };
    let pairs = seats * (seats + 1) / 2;
    let record = seats * bytes_of(games * 3)
        + (pairs + seats) * bytes_of(games * 9)
        + seats * seats * (bytes_of(games / 5) + bytes_of(games / 2))
        + seats;
    // The constants allow for keys, headers and half-empty pages.
    let bytes = (40_000 + blocks * (record + 40) * 5 / 4) as f64;
    match bytes {
        ..1e6 => format!("{:.0} kB", bytes / 1e3),
        ..1e9 => format!("{:.1} MB", bytes / 1e6),
        _ => format!("{:.1} GB", bytes / 1e9),
    }
}

/// Returns lines on stored blocks that are not used, and on bots built again from the same sources.
pub(super) fn unused_block_notes(store: &Store) -> anyhow::Result<Vec<String>> {
    let line = |UnusedBlocks { why, blocks }| {
        format!(
            "{} are stored but not used: {why}",
            counted(blocks, "block")
        )
    };
    let rebuilt = |(name, file): (String, String)| {
        format!("{name}: same sources, built as another file ({file}); its blocks are used")
    };
    let lines = store.unused_blocks()?.into_iter().map(line);
    Ok(lines
        .chain(store.rebuilt_entrants()?.into_iter().map(rebuilt))
        .collect())
}
