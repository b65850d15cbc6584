//! `hattari import phh`.

use super::{Difference, ImportResult, Refusal, print_result, read};
use crate::cli::{CommandResult, output};
use anyhow::{Context, ensure};
use hattari_agents::text::{escape_cell, joined};
use hattari_formats::phh::{
    Hand, HandLocation, Overrides, ParseError, ReplayError, ReplayedHand, decimal, parse, replay,
};
use hattari_study::{AtPath, write_csv};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Hand histories in the PHH format: no-limit and fixed-limit hold'em, fixed-limit stud
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Every hand is replayed by the rules of Hattari: each action must be legal, and the stacks after \
the hand must agree with the field `finishing_stacks`, if there is one. The field `winnings` is \
not compared. In split pots, differences are allowed if other rules for odd chips can cause \
them. Hands are independent: a hand that is refused or differs is \
listed with its line and the reason, and the other hands are still imported. Amounts with \
decimal places are exact; results are in the unit of the file. Mucked hands win nothing.

If the file does not state a rule, the default of Hattari applies (see `hattari show rules \
holdem`): no cap on raises in no-limit games, and 4 raises in fixed-limit games, where an all-in \
of at least half a bet counts as a full bet; a short blind is called at the amount posted. Use \
--options for other rules. --scores writes what each player won as a table for `hattari report`, \
one row per hand. Hands of the same block of a league form one block; every other hand is a \
block of its own.

Examples:
  hattari import phh hands.phhs
  hattari import phh limit.phhs --options '{\"raises_max\": 0, \"short_raise_reopens\": true}'
  hattari import phh *.phh --scores scores.csv && hattari report scores.csv

Exit codes: 0 everything agrees, 1 a hand is refused or differs, 2 a file cannot be read or \
contains no hands.")]
pub(super) struct Arguments {
    /// .phh and .phhs files; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Options of the rules, as JSON; they override those of the files
    #[arg(long, value_name = "JSON", default_value = "{}")]
    options: String,
    /// Write the chips won by each player to this CSV file
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
    /// Maximum number of refused or different hands to print; the others are counted
    #[arg(long, value_name = "N", default_value_t = 50)]
    max: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A replayed hand, for the table of scores.
struct Row {
    block: String,
    /// Payoffs by player, in the unit of the file.
    payoffs: Vec<(String, f64)>,
}

/// A hand that was refused or differs from the file.
struct FailedHand {
    /// The reason why the hand was refused; `None` if it was replayed to its end.
    refused: Option<Refusal>,
    /// Description of the error or the difference.
    what: String,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let overrides: Overrides = serde_json::from_str(&arguments.options)
        .context("--options must be a JSON object, as in '{\"raises_max\": 0}'")?;
    let (mut imported, mut rows) = (ImportResult::default(), Vec::new());
    for path in &arguments.files {
        let text = read(path).at(path)?;
        let file = output::short(path);
        let hands = parse(&text);
        ensure!(!hands.is_empty(), "{file}: the file contains no hands");
        imported.hands += hands.len();
        for (HandLocation { hand: number, line }, hand) in hands {
            let checked = hand.map_err(FailedHand::from);
            match checked.and_then(|hand| check(&hand, &overrides).map(|replayed| (hand, replayed)))
            {
                Ok((hand, replayed)) => {
                    imported.decisions += replayed.decisions.len();
                    if arguments.scores.is_some() {
                        rows.push(
                            row(&hand, &replayed, rows.len())
                                .with_context(|| format!("{file}, hand {number}"))?,
                        );
                    }
                }
                Err(FailedHand { refused, what }) => {
                    imported.add_difference(
                        arguments.max,
                        refused,
                        Difference {
                            file: file.clone(),
                            line,
                            hand: Some(number),
                            what,
                        },
                    );
                }
            }
        }
    }
    if let Some(path) = &arguments.scores {
        write_scores(path, &rows).at(path)?;
    }
    print_result(&imported, arguments.json)
}

impl FailedHand {
    /// Creates a hand that was refused for a reason, given as key and text.
    fn refused((key, text): (&'static str, &'static str), error: &dyn Display) -> FailedHand {
        FailedHand {
            refused: Some(Refusal { key, text }),
            what: error.to_string(),
        }
    }
}

impl From<ParseError> for FailedHand {
    fn from(error: ParseError) -> FailedHand {
        let reason = match error {
            ParseError::Toml(_) => ("not TOML", "invalid TOML"),
            ParseError::Game(_) => ("a game that is not played here", "unsupported game"),
            ParseError::Field { .. } => ("a field that is wrong", "invalid field"),
            ParseError::Action { .. } => ("an action that is none", "invalid action"),
        };
        FailedHand::refused(reason, &error)
    }
}

impl From<ReplayError> for FailedHand {
    fn from(error: ReplayError) -> FailedHand {
        let reason = match error {
            ReplayError::Rules(_) => ("rules that are not ours", "unsupported rules"),
            ReplayError::Cards(_) => ("cards that are unknown or wrong", "unknown or wrong cards"),
            ReplayError::Action { .. } => ("an action that is not legal", "illegal action"),
            ReplayError::Unfinished(_) => ("a hand that does not end", "unfinished hand"),
        };
        FailedHand::refused(reason, &error)
    }
}

/// Replays a hand and compares the chips with the result in the file, if there is one.
fn check(hand: &Hand, overrides: &Overrides) -> Result<ReplayedHand, FailedHand> {
    let replayed = replay(hand, overrides)?;
    let ours: Vec<i64> = hand
        .starting_stacks
        .iter()
        .zip(&replayed.payoffs)
        .map(|(before, won)| before + won)
        .collect();
    let slack = replayed.odd_chips * hand.chip;
    if ours
        .iter()
        .zip(&hand.finishing_stacks)
        .any(|(ours, expected)| (ours - expected).abs() > slack)
    {
        let list = |stacks: &[i64]| {
            let stacks = stacks.iter().map(|&stack| decimal(stack, hand.decimals));
            joined(stacks, ", ")
        };
        let what = format!(
            "the replayed hand gives the stacks [{}], but the file says [{}]",
            list(&ours),
            list(&hand.finishing_stacks)
        );
        return Err(FailedHand {
            refused: None,
            what,
        });
    }
    Ok(replayed)
}

fn row(hand: &Hand, replayed: &ReplayedHand, number: usize) -> anyhow::Result<Row> {
    ensure!(
        hand.players.len() == replayed.payoffs.len()
            && hand.players.iter().all(|name| !name.is_empty()),
        "--scores: the hand does not name its players"
    );
    let origin = &hand.origin;
    let block = match (&origin.league, origin.line_up, origin.block) {
        (league, Some(line_up), Some(block)) => {
            format!(
                "{} {line_up}/{block}",
                league.as_deref().unwrap_or("league")
            )
        }
        _ => format!("hand {}", number + 1),
    };
    let unit = 10_f64.powi(hand.decimals.into());
    let won = replayed.payoffs.iter().map(|&won| won as f64 / unit);
    Ok(Row {
        block,
        payoffs: hand.players.iter().cloned().zip(won).collect(),
    })
}

/// Writes one column per player, in order of appearance. If several seats have the same name, their
/// mean is written.
fn write_scores(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.payoffs) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let header = std::iter::once("block").chain(names.iter().copied());
    let mut table: Vec<Vec<String>> =
        vec![header.map(|name| escape_cell(name).into_owned()).collect()];
    for Row { block, payoffs } in rows {
        let mean = |name: &&str| {
            let won: Vec<f64> = payoffs
                .iter()
                .filter(|(own, _)| own == name)
                .map(|(_, won)| *won)
                .collect();
            if won.is_empty() {
                String::new()
            } else {
                (won.iter().sum::<f64>() / won.len() as f64).to_string()
            }
        };
        let block = escape_cell(block).into_owned();
        table.push(
            std::iter::once(block)
                .chain(names.iter().map(mean))
                .collect(),
        );
    }
    write_csv(path, table)
}
