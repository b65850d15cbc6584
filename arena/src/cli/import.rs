//! `hattari import`.

mod acpc;

use super::{Outcome, output};
use crate::phh::{Hand, Replayed, parse, replay};
use crate::text::{counted, grouped};
use anyhow::{Context, ensure};
use clap::Subcommand;
use serde::Serialize;
use std::fs;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

/// Arguments of `hattari import`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Hand histories in the PHH format: hold'em without limit and at fixed limit, stud at fixed limit
    Phh(Phh),
    /// Logs of matches of the Annual Computer Poker Competition: hold'em without limit and at fixed limit
    Acpc(acpc::Arguments),
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Every hand is played again by the rules here: each action has to be legal where it stands, and chips have to come out as the hand
says, where it says so. What differs is printed. With --scores what each player won becomes a table for `hattari stats`: a row a
hand; hands of one block of a league are of one block there, all others are blocks of their own.

Examples:
  hattari import phh hands.phhs
  hattari import phh *.phh --scores scores.csv && hattari stats scores.csv

Exit codes: 0 everything agrees, 1 something differs or is malformed, 2 a file cannot be read or holds no hands.")]
struct Phh {
    /// Files of the kinds .phh and .phhs; `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write what each player won, as CSV
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
    /// Differences to print; the others are counted
    #[arg(long, value_name = "N", default_value_t = 50)]
    max: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What came of the files.
#[derive(Debug, Default, Serialize)]
struct Imported {
    hands: usize,
    decisions: usize,
    difference_count: usize,
    differences: Vec<Difference>,
}

/// Something that the rules do not agree with.
#[derive(Debug, Serialize)]
struct Difference {
    file: String,
    /// Counted from 1; none where the file as a whole is malformed.
    hand: Option<usize>,
    what: String,
}

/// A hand that was played again, for the table of scores.
struct Row {
    block: String,
    payoffs: Vec<(String, i64)>,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Phh(arguments) => phh(arguments),
        What::Acpc(arguments) => acpc::main(arguments),
    }
}

fn phh(arguments: &Phh) -> anyhow::Result<Outcome> {
    let (mut imported, mut rows) = (Imported::default(), Vec::new());
    for path in &arguments.files {
        let text = read(path).with_context(|| path.display().to_string())?;
        let file = output::short(path);
        let mut differ = |hand, what: String| {
            imported.difference_count += 1;
            if imported.differences.len() < arguments.max {
                imported.differences.push(Difference { file: file.clone(), hand, what });
            }
        };
        let hands = match parse(&text) {
            Ok(hands) => hands,
            Err(error) => {
                differ(None, error.to_string());
                continue;
            }
        };
        ensure!(!hands.is_empty(), "{file}: it holds no hands");
        imported.hands += hands.len();
        for (number, hand) in (1..).zip(&hands) {
            match check(hand) {
                Ok(replayed) => {
                    imported.decisions += replayed.decisions.len();
                    if arguments.scores.is_some() {
                        rows.push(row(hand, &replayed, rows.len()).with_context(|| format!("{file}, hand {number}"))?);
                    }
                }
                Err(what) => differ(Some(number), what),
            }
        }
    }
    if let Some(path) = &arguments.scores {
        write_scores(path, &rows).with_context(|| path.display().to_string())?;
    }
    tell(&imported, arguments.json)
}

/// Prints what came of the files.
fn tell(imported: &Imported, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::print_json(imported)?
    } else {
        output::print(&text(imported))?
    }
    Ok(if imported.difference_count == 0 { Outcome::Done } else { Outcome::Found })
}

fn read(path: &Path) -> anyhow::Result<String> {
    if path.as_os_str() != "-" {
        return Ok(fs::read_to_string(path)?);
    }
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    Ok(text)
}

/// Plays a hand again, and compares the chips where it says how they came out.
fn check(hand: &Hand) -> Result<Replayed, String> {
    let replayed = replay(hand).map_err(|error| error.to_string())?;
    if !hand.finishing_stacks.is_empty() {
        let ours: Vec<i64> =
            hand.starting_stacks.iter().zip(&replayed.payoffs).map(|(before, won)| before + won).collect();
        if ours != hand.finishing_stacks {
            return Err(format!("stacks come out as {ours:?}, the hand says {:?}", hand.finishing_stacks));
        }
    }
    Ok(replayed)
}

fn row(hand: &Hand, replayed: &Replayed, number: usize) -> anyhow::Result<Row> {
    ensure!(
        hand.players.len() == replayed.payoffs.len() && hand.players.iter().all(|name| !name.is_empty()),
        "--scores: its players have no names"
    );
    let origin = &hand.origin;
    let block = match (&origin.league, origin.line_up, origin.block) {
        (league, Some(line_up), Some(block)) => {
            format!("{} {line_up}/{block}", league.as_deref().unwrap_or("league"))
        }
        _ => format!("hand {}", number + 1),
    };
    Ok(Row { block, payoffs: hand.players.iter().cloned().zip(replayed.payoffs.iter().copied()).collect() })
}

/// A column a player, in the order in which they come; of several seats of one name the mean.
fn write_scores(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flat_map(|row| &row.payoffs) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut writer = csv::Writer::from_path(path)?;
    writer.write_record(std::iter::once("block").chain(names.iter().copied()))?;
    for Row { block, payoffs } in rows {
        let mean = |name: &&str| {
            let won: Vec<i64> = payoffs.iter().filter(|(own, _)| own == name).map(|(_, won)| *won).collect();
            if won.is_empty() { String::new() } else { (won.iter().sum::<i64>() as f64 / won.len() as f64).to_string() }
        };
        let cells: Vec<String> = names.iter().map(mean).collect();
        writer.write_record(std::iter::once(block.clone()).chain(cells))?;
    }
    Ok(writer.flush()?)
}

fn text(imported: &Imported) -> String {
    let mut text = String::new();
    for Difference { file, hand, what } in &imported.differences {
        match hand {
            Some(hand) => text += &format!("{file}, hand {hand}: {what}\n"),
            None => text += &format!("{file}: {what}\n"),
        }
    }
    let more = imported.difference_count - imported.differences.len();
    if more > 0 {
        text += &format!("... and {} more (--max)\n", grouped(more as u64));
    }
    let (hands, decisions) = (imported.hands as u64, imported.decisions as u64);
    let differences = imported.difference_count as u64;
    text + &format!(
        "{}, {}, {}\n",
        counted(hands, "hand"),
        counted(decisions, "decision"),
        counted(differences, "difference")
    )
}
