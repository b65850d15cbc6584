//! `hattari import acpc`.

use super::{Difference, ImportResult, print_result, read};
use crate::cli::{CommandResult, output};
use anyhow::{anyhow, ensure};
use hattari_agents::files;
use hattari_agents::text::joined;
use hattari_formats::acpc::{LogLine, is_shown, parse_game, replay};
use hattari_formats::phh::odd_chips;
use hattari_plugin::games::Game;
use hattari_plugin::games::holdem::{Deal, Holdem};
use hattari_study::AtPath;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Maximum rounding difference between a total in a SCORE line and the sum over the hands.
const ROUNDING_MAX: f64 = 1e-3;
/// Maximum size of a game definition, in bytes.
const GAME_BYTES_MAX: u64 = 1 << 20;

/// Logs of matches of the Annual Computer Poker Competition: no-limit and fixed-limit hold'em
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Every hand (STATE line) is replayed by the rules of Hattari: each action must be legal, and the \
chips won must agree with the line. In split pots, differences are allowed if other rules for \
odd chips can cause them. The totals of a SCORE line are compared with the hands since the \
previous SCORE line, if all of these agree. Empty lines and lines that begin with # or ; are \
ignored.

Examples:
  hattari import acpc match.log --game holdem.nolimit.2p.game

Exit codes: 0 everything agrees, 1 something differs or is malformed, 2 a file cannot be read or \
contains no hands.")]
pub(super) struct Arguments {
    /// Logs of matches; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The ACPC game definition file
    #[arg(long, value_name = "FILE")]
    game: PathBuf,
    /// Maximum number of differences to print; the others are counted
    #[arg(long, value_name = "N", default_value_t = 50)]
    max: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let path = &arguments.game;
    let text = files::read_text(path, GAME_BYTES_MAX).at(path)?;
    let (players, options) = parse_game(&text)
        .map_err(|problem| anyhow!("{}:{}: {problem}", path.display(), problem.line))?;
    let game = Holdem::new(options).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    let mut imported = ImportResult::default();
    for path in &arguments.files {
        let text = read(path).at(path)?;
        let file = output::short(path);
        let hands_before = imported.hands;
        let (mut totals, mut is_complete) = (BTreeMap::<String, f64>::new(), true);
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let kind = line.split(':').next();
            let outcome = match kind {
                Some("STATE") => {
                    imported.hands += 1;
                    check(&game, players, line, &mut totals)
                        .map(|decisions| imported.decisions += decisions)
                }
                Some("SCORE") => score(line, &std::mem::take(&mut totals), is_complete),
                _ if line.trim().is_empty() || line.starts_with(['#', ';']) => Ok(()),
                _ => Err("the line begins neither with STATE: nor with SCORE:".into()),
            };
            is_complete = kind == Some("SCORE") || (is_complete && outcome.is_ok());
            if let Err(what) = outcome {
                imported.add_difference(
                    arguments.max,
                    None,
                    Difference {
                        file: file.clone(),
                        line: number,
                        hand: None,
                        what,
                    },
                );
            }
        }
        ensure!(
            imported.hands > hands_before,
            "{file}: the file contains no hands"
        );
    }
    print_result(&imported, arguments.json)
}

/// Replays a STATE line, adds the chips to `totals` and returns the number of decisions.
fn check(
    game: &Holdem,
    players: u8,
    line: &str,
    totals: &mut BTreeMap<String, f64>,
) -> Result<usize, String> {
    let line: LogLine = line.parse()?;
    let mut block = game.new_block(players.into(), 1);
    block.memory.button = players - 1;
    let mut deal: Deal = game.new_deal();
    replay(game, &block, &line.rounds, &line.cards, &mut deal)?;
    if let Some(seat) = game.to_act(&deal) {
        return Err(format!(
            "the line ends before the action of position {seat}"
        ));
    }
    if !is_shown(&deal, &line.cards) {
        return Err("cards that decide the hand are unknown".into());
    }
    let mut payoffs = vec![0; players.into()];
    game.finish(&mut block, &deal, &mut payoffs);
    let mut values = Vec::new();
    // ACPC dealers split pots into fractions, and the fractions of several pots can add up to a
    // whole chip.
    let slack = odd_chips(&deal) as f64;
    for ((value, name), &payoff) in line.values.iter().zip(&line.names).zip(&payoffs) {
        let won = number(value).ok_or_else(|| format!("the value `{value}` is not a number"))?;
        let ours = payoff as f64;
        if (won - ours).abs() > slack {
            return Err(format!(
                "the replayed hand gives the chips {payoffs:?}, but the line says {}",
                line.values.join("|")
            ));
        }
        values.push((name, won));
    }
    values
        .into_iter()
        .for_each(|(name, won)| *totals.entry(name.clone()).or_default() += won);
    Ok(line.rounds.0.iter().map(Vec::len).sum())
}

/// Parses a number of chips. Rejects `nan`, which Rust accepts, because comparisons with NaN are
/// always false.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Compares the totals in a SCORE line with the sums over the hands of the match, if these are
/// complete.
fn score(line: &str, totals: &BTreeMap<String, f64>, is_complete: bool) -> Result<(), String> {
    let parts: Vec<&str> = line.splitn(3, ':').collect();
    let [_, values, names] = parts[..] else {
        return Err("the line must have the form SCORE:totals:names".into());
    };
    let (values, names): (Vec<&str>, Vec<&str>) =
        (values.split('|').collect(), names.split('|').collect());
    if values.len() != names.len() {
        return Err(format!(
            "the line has {} totals but {} names",
            values.len(),
            names.len()
        ));
    }
    let mut listed = BTreeMap::<String, f64>::new();
    for (value, name) in values.into_iter().zip(names) {
        let value = number(value).ok_or_else(|| format!("the total `{value}` is not a number"))?;
        *listed.entry(name.to_owned()).or_default() += value;
    }
    let agrees = listed.len() == totals.len()
        && listed
            .iter()
            .zip(totals)
            .all(|((name, expected), (other, sum))| {
                name == other && (expected - sum).abs() < ROUNDING_MAX
            });
    if agrees || !is_complete {
        return Ok(());
    }
    let list = |totals: &BTreeMap<String, f64>| {
        let totals = totals.iter().map(|(name, total)| format!("{name} {total}"));
        joined(totals, ", ")
    };
    Err(format!(
        "the line says {}, but the hands add up to {}",
        list(&listed),
        list(totals)
    ))
}
