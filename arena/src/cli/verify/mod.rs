//! `hattari verify`: replays a corpus of games or the stored blocks of a league.

mod corpus;
mod league;

use super::Outcome;
use super::folders::Folders;
use super::report::is_of_league;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Replay stored blocks of a league, or a corpus of recorded games, and compare
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Of a league, a store or a pack, stored blocks are played again from their seeds, or from what bots answered that do not play alike
every time, and compared with the store: payoffs, faults, and the digest of all that was played. The sample is spread evenly over
all blocks, so the same store gives the same sample.

A corpus holds one game of daihinmin a line as a JSON object: fresh, titles, seats, before, given, hands, turns, finish, left. A turn
is [player, cards, answer, table empty, locked, revolution]; answer 9 is accepted, 8 passed or refused. A game is replayed until the
record and the rules part for good.

Examples:
  hattari verify leagues/demo.yaml          20 of its stored blocks
  hattari verify demo.sqlite --all          every block
  hattari verify games.jsonl.gz             replay all games by the contest's rules
  hattari verify --preset uecda-2007 g.jsonl
  zcat games.jsonl.gz | head -100 | hattari verify --json -

Exit codes: 0 everything agrees, 1 a mismatch or a malformed line, 2 the file cannot be read or holds nothing to compare.")]
pub(super) struct Arguments {
    /// A league, a store or a pack (`.hattari`); or a corpus, plain or gzipped, `-` for the standard
    /// input
    file: PathBuf,
    /// Blocks of a league that are played again
    #[arg(long, value_name = "N", default_value = "20", conflicts_with = "all")]
    sample: NonZeroUsize,
    /// Play all stored blocks again
    #[arg(long)]
    all: bool,
    /// Threads that play; without it, one for each core
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Preset of the rules of a corpus
    #[arg(long, default_value = "uecda")]
    preset: String,
    /// Mismatches and malformed lines to print; the others are counted
    #[arg(long, value_name = "N", default_value_t = 50)]
    max: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    if is_of_league(&arguments.file) {
        league::main(arguments)
    } else {
        corpus::main(arguments)
    }
}
