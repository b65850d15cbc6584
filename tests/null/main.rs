//! Leagues of equal bots, in which every significant difference is a false claim.
//!
//! Plays many small leagues of one bot against itself, in every format, with and without shared and
//! duplicate deals, through the real rules, runner, store and report. Counts false claims of the
//! reports.
//!
//! `cargo bench -p hattari --bench null` prints the numbers of `leagues/results/null.md` within
//! some tens of minutes. Words after `--` select rows that contain them (`-- daihinmin shared`).
//! `--leagues 100` plays fewer leagues per row. Exits with an error if a row is outside of its
//! ranges.

mod count;
mod kinds;
mod play;
#[path = "../support/mod.rs"]
mod support;

use count::{Counts, Row};
use kinds::Kind;
use play::Player;
use std::process::ExitCode;

/// Default number of leagues of every kind.
const LEAGUES: usize = 400;

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let mut leagues = LEAGUES;
    if let Some(at) = words.iter().position(|word| word == "--leagues") {
        leagues = words
            .get(at + 1)
            .and_then(|word| word.parse().ok())
            .expect("--leagues takes a number, as in `--leagues 100`");
        words.drain(at..=at + 1);
    }
    let wanted = |kind: &Kind| {
        words
            .iter()
            .all(|word| kind.to_string().contains(word.as_str()))
    };
    let kinds: Vec<Kind> = kinds::all().into_iter().filter(wanted).collect();
    let player = Player::new();
    println!("{}", count::head(leagues));
    let rows: Vec<Row> = kinds
        .iter()
        .map(|kind| row(&player, kind, leagues))
        .collect();
    let beyond: Vec<&Row> = rows.iter().filter(|row| !row.is_within_bounds()).collect();
    println!("\n{}", count::foot(&beyond));
    if beyond.is_empty() && !rows.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Plays the leagues of a kind and prints the results.
fn row(player: &Player, kind: &Kind, leagues: usize) -> Row {
    let counts: Vec<Counts> = player.each(kind, leagues, |standings| Counts::of(standings, kind));
    let row = Row::of(kind, &counts);
    println!("{row}");
    row
}
