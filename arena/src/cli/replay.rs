//! `hattari replay`.

use super::folders::Folders;
use super::report::edit_warning;
use super::{CommandResult, Outcome, output};
use anyhow::{Context, ensure};
use console::{Alignment, measure_text_width, pad_str};
use hattari_agents::agent::numbers;
use hattari_agents::games::GameInfo;
use hattari_agents::record::JobId;
use hattari_agents::table::Decider;
use hattari_agents::text;
use hattari_play::prepared::PreparedLeague;
use hattari_play::session::{Replayable, Session};
use hattari_plugin::games::scene::from_one;
use hattari_report::replay::rerun::Rerun;
use hattari_report::replay::steps::PickedGame;
use hattari_report::replay::{ChanceLine, Replay, ReplayMove, ReplayedGame, replay};
use hattari_report::report::html;
use serde::Serialize;
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Replay a game of a league and print it move by move
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "hattari replay [OPTIONS] <LEAGUE> [--line-up <N|NAMES>] [--block <N>] [--game <N>]"
)]
#[command(after_help = "\
The block is replayed from its start, because titles, stacks and the memory of bots carry over \
from deal to deal. If the store contains the block's record, the whole block is played and \
compared with it; a difference, for example because a bot has changed, is reported. Blocks with \
program bots or clients, with nondeterministic bots, or in which a time limit took effect are \
replayed from the answers in the store; no bot is run again.
Line-ups, blocks, deals and decisions are numbered from 0, as in reports of faults.

Examples:
  hattari replay leagues/demo.yaml --block 2 --game 17
  hattari replay leagues/demo.yaml --line-up base,all-k,default,minimal,tactician
  hattari replay leagues/demo.yaml --game 17 --json
  hattari replay leagues/demo.yaml --game 17 --html     a page that shows the game step by step: leagues/demo-0-0-17.html

Exit codes: 0 done, 1 the replayed block differs from the stored record, 2 unknown game, or an \
error of the bots or the league.")]
pub(super) struct Arguments {
    /// A league, or its store
    league: PathBuf,
    /// Number of the line-up, or the names of its entrants
    #[arg(long, value_name = "N|NAMES", default_value = "0")]
    line_up: String,
    /// Number of the block
    #[arg(long, default_value_t = 0)]
    block: u32,
    /// Number of the game in the block; rotations of duplicate deals are numbered consecutively
    #[arg(long, alias = "deal", default_value_t = 0)]
    game: u32,
    /// The store of the league (default: the file next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Print JSON, including the text; seats and players are numbered from 0, but from 1 in texts
    #[arg(long)]
    json: bool,
    /// Write a page that shows the game step by step (default: a file next to the league, see
    /// --output)
    #[arg(long)]
    html: bool,
    /// Output file of the page
    #[arg(short, long, value_name = "FILE", requires = "html")]
    output: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// The output of `--json`. The text output is made from the same data.
#[derive(Serialize)]
struct ReplayOutput {
    game_id: String,
    #[serde(serialize_with = "text::serialize_path")]
    league: PathBuf,
    line_up: u32,
    block: u32,
    game: u32,
    /// Planned number of games in the block, with all rotations.
    games: u32,
    /// Names of the entrants by line-up position.
    names: Vec<String>,
    #[serde(flatten)]
    replay: Replay,
    /// `true` if recorded answers were used, without running bots.
    is_recorded: bool,
    /// The result of comparing the block with its stored record.
    store: Comparison,
    /// The complete text.
    text: String,
}

/// The result of comparing a replayed block with its stored record.
#[derive(PartialEq, Serialize)]
#[serde(tag = "comparison", content = "why", rename_all = "kebab-case")]
enum Comparison {
    /// There is no store, or the block has not been played.
    None,
    /// The block cannot be compared; contains the reason.
    Impossible(String),
    /// The block equals the stored record.
    Same,
    /// The block differs from the stored record.
    Different,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let played = Session::open(&arguments.league, arguments.store.as_deref())?
        .into_replayable(&arguments.folders.folders)?;
    let prepared = &played.prepared;
    let store = played.store.as_ref();
    let PreparedLeague {
        league, schedule, ..
    } = prepared;
    let line_up = find_line_up(prepared, &arguments.line_up)?;
    let players = schedule.line_ups[line_up as usize].len();
    let games = league.deals.saturating_mul(league.rotations(players));
    let blocks = schedule.blocks_by_line_up()[line_up as usize];
    let (block, game) = (arguments.block, arguments.game);
    for (noun, number, count) in [("block", block, blocks), ("game", game, games)] {
        ensure!(
            number < count,
            "there is no {noun} {number}: the league has {noun}s 0 to {}",
            count - 1
        );
    }
    let job = JobId { line_up, block };
    let facts = GameInfo::find(&league.game)
        .context("this version of Hattari does not support the game of the league")?;
    let replayed = Rerun::new(prepared, store, job)
        .map_err(anyhow::Error::from)
        .and_then(|rerun| Ok(replay(rerun, game)?));
    let ReplayedGame {
        replay,
        page,
        is_recorded,
        is_same,
    } = match &played.contradiction {
        Some(reason) => {
            replayed.with_context(|| format!("the store belongs to another league: {reason}"))?
        }
        None => replayed?,
    };
    warn_of_edits(&played, &arguments.league, is_recorded);
    let comparison = match (is_same, &played.contradiction) {
        (Some(true), _) => Comparison::Same,
        (Some(false), _) => Comparison::Different,
        (None, Some(reason)) => Comparison::Impossible(reason.clone()),
        (None, None) => Comparison::None,
    };
    let page = page.with_context(|| format!("the block ended before game {game}"))?;
    let mut printed = ReplayOutput {
        game_id: facts.id.to_owned(),
        league: arguments.league.clone(),
        line_up,
        block,
        game,
        games,
        names: prepared.names(job),
        replay,
        is_recorded,
        store: comparison,
        text: String::new(),
    };
    printed.text = describe(&printed);
    if arguments.html {
        write_page(arguments, &printed, &page)?;
    }
    if arguments.json {
        output::print_json(&printed)?;
    } else if !arguments.html {
        output::print(&printed.text)?;
    }
    Ok(Outcome::of_search(printed.store == Comparison::Different))
}

/// Warns if bots have been edited since the block was played.
fn warn_of_edits(played: &Replayable, league: &Path, is_recorded: bool) {
    if !played.outdated.is_empty() {
        let shown = if is_recorded {
            "the game below is"
        } else {
            "the game below is played with the current bots, but the stored record is"
        };
        tracing::warn!(
            "{}",
            edit_warning(&played.outdated, shown, &played.file.given, league)
        );
    }
}

/// Writes the game as a page.
fn write_page(
    arguments: &Arguments,
    printed: &ReplayOutput,
    game: &PickedGame,
) -> anyhow::Result<()> {
    let (line_up, block, number) = (printed.line_up, printed.block, printed.game);
    let stem = arguments
        .league
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let path = arguments.output.clone().unwrap_or_else(|| {
        arguments
            .league
            .with_file_name(format!("{stem}-{line_up}-{block}-{number}.html"))
    });
    let title = format!("{stem}: line-up {line_up}, block {block}, game {number}");
    let source = if printed.is_recorded {
        "the recorded answers of its bots"
    } else {
        "its seed"
    };
    let mut lead = vec![format!("{}, replayed from {source}.", printed.game_id)];
    lead.extend(comparison_text(&printed.store));
    output::write_page(&path, &html::game(&title, &lead, game))
}

/// Returns the result of the comparison as text; `None` if nothing was compared.
fn comparison_text(comparison: &Comparison) -> Option<String> {
    match comparison {
        Comparison::None => None,
        Comparison::Same => Some("the replayed block equals the stored record".to_owned()),
        Comparison::Impossible(reason) => Some(format!("not compared with the store: {reason}")),
        Comparison::Different => Some(
            "THE REPLAYED BLOCK DIFFERS FROM THE STORED RECORD: a bot or Hattari has changed, or a \
            bot is not deterministic; this is not the game that was played"
                .to_owned(),
        ),
    }
}

/// Returns the number of the line-up that `wanted` gives by number, or by names in any order.
pub(super) fn find_line_up(prepared: &PreparedLeague, wanted: &str) -> anyhow::Result<u32> {
    let PreparedLeague {
        league, schedule, ..
    } = prepared;
    let count = schedule.line_ups.len();
    let last = count.saturating_sub(1);
    if let Ok(number) = wanted.parse::<u32>() {
        ensure!(
            (number as usize) < count,
            "there is no line-up {number}: the league has line-ups 0 to {last}"
        );
        return Ok(number);
    }
    let mut numbers = Vec::new();
    for name in wanted.split(',').map(str::trim) {
        numbers.push(league.entrant(name).with_context(|| {
            let names = league.entrants.iter().map(|entrant| entrant.name.as_str());
            let remedy = text::suggestion(name, "entrants", names);
            format!("--line-up: the league has no entrant `{name}`; {remedy}")
        })?);
    }
    numbers.sort_unstable();
    let sorted = |entrants: &[usize]| {
        let mut entrants = entrants.to_vec();
        entrants.sort_unstable();
        entrants
    };
    let index = schedule
        .line_ups
        .iter()
        .position(|line_up| sorted(line_up) == numbers);
    index
        .and_then(|index| u32::try_from(index).ok())
        .with_context(|| {
            let first = &schedule.line_ups[0];
            let names = first
                .iter()
                .map(|&entrant| league.entrants[entrant].name.as_str());
            format!(
                "no line-up consists of {wanted}; the first of {count} line-ups is {}",
                text::joined(names, ",")
            )
        })
}

/// Returns the replay as text.
fn describe(printed: &ReplayOutput) -> String {
    let ReplayOutput { names, replay, .. } = printed;
    let width = names.iter().map(|name| measure_text_width(name)).max();
    let players: Vec<&str> = replay
        .entrants
        .iter()
        .map(|&entrant| names[entrant].as_str())
        .collect();
    // A line: the number of a move, a name and a text.
    let line = |number: &dyn Display, name: &str, text: &str| {
        let name = pad_str(name, width.unwrap_or(0), Alignment::Left, None);
        format!("{number:4}  {name}  {text}\n")
    };
    // The lines that bots printed, and the chance events, before a move.
    let events_before = |index: usize| -> String {
        let said = replay.said.iter().filter(|said| said.before == index);
        let said = said.map(|said| {
            let text = format!("prints: {}", said.line);
            line(&"", &names[said.entrant], &text)
        });
        let luck = replay
            .luck
            .iter()
            .filter(|chance| chance.before == index)
            .map(|chance| line(&"", "", &chance.text(players.iter().copied())));
        said.chain(luck).collect()
    };
    let mut text = format!(
        "{}, {}: line-up {}, block {}, game {} of {}\n",
        printed.game_id,
        output::short(&printed.league),
        printed.line_up,
        printed.block,
        printed.game,
        printed.games
    );
    if printed.is_recorded {
        text +=
            "replayed from the recorded answers of its bots, without the lines that they print\n";
    }
    text += &state(&replay.dealt, &players);
    let mut hidden: Option<&str> = None;
    for (index, step) in replay.moves.iter().enumerate() {
        if let Some(after) = hidden.take().filter(|_| step.after.is_none()) {
            text += &state(after, &players);
        }
        hidden = step.after.as_deref();
        text += &events_before(index);
        let name = &names[step.entrant];
        let mark = match step.decider {
            Decider::Bot => "",
            Decider::Forced => "  (forced)",
            Decider::Rule => "  (chosen by the host after a fault)",
        };
        text += &line(&(index + 1), name, &format!("{}{mark}", first_event(step)));
        for event in step.events.iter().skip(1) {
            text += &line(&"", "", event);
        }
        if !step.numbers.is_empty() {
            let logged: Vec<_> = step.numbers.clone().into_iter().collect();
            text += &line(&"", name, &format!("logs: {}", numbers::as_text(&logged)));
        }
    }
    text += &events_before(replay.moves.len());
    let payoffs = players
        .iter()
        .zip(&replay.payoffs)
        .map(|(name, payoff)| format!("{name} {payoff}"));
    text += &format!("\npayoffs: {}\n", text::joined(payoffs, ", "));
    if let Some(all) = ChanceLine::total(&replay.luck) {
        text += &format!("{}\n", all.text(players.iter().copied()));
    }
    for fault in &replay.faults {
        text += &format!(
            "fault: {}, decision {}: {}: {}\n",
            names[usize::from(fault.entrant)],
            fault.decision,
            fault.kind.name(),
            text::escape_for_sentence(&fault.message)
        );
    }
    if let Some(line) = comparison_text(&printed.store) {
        text += &format!("{line}\n");
    }
    text
}

/// Returns the first event of a move, or its choice if it caused no event.
pub(super) fn first_event(step: &ReplayMove) -> String {
    step.events
        .first()
        .cloned()
        .unwrap_or_else(|| format!("seat {}: {}", from_one(step.seat), step.choice))
}

/// Returns the hands of `state`, one per line, between empty lines. Adds the names of the players
/// after their numbers.
pub(super) fn state(state: &str, players: &[&str]) -> String {
    let mut text = "\n".to_owned();
    for part in state.split(" | ") {
        let mut part = part.to_owned();
        // The numbers descend, so that "player 1" does not match "player 10".
        for (index, name) in players.iter().enumerate().rev() {
            let player = format!("player {}", index + 1);
            part = part.replace(&player, &format!("{player} {name}"));
        }
        text += &format!("  {part}\n");
    }
    text + "\n"
}
