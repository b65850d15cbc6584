//! `hattari verify`: replays a corpus of games or the stored blocks of a league.

mod corpus;
mod league;

use super::CommandResult;
use super::folders::Folders;
use super::report::is_league_or_store;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Replay stored blocks of a league, or a corpus of recorded games, and compare
#[derive(clap::Args, Debug)]
#[command(after_help = "\
For a league, a store or a pack: stored blocks are replayed from their seeds, or, for \
nondeterministic bots, from the recorded answers. Payoffs, faults and the digest of all moves \
are compared with the store. The sample is spread evenly over all blocks, so the same store \
gives the same sample.

A corpus contains one game of daihinmin per line as a JSON object: fresh, titles, seats, before, \
given, hands, turns, finish, left. A turn is [player, cards, answer, table empty, locked, \
revolution]; answer 9 means accepted, 8 passed or refused. A game is replayed to its end, or \
until it cannot continue because the record contradicts the rules.

Examples:
  hattari verify leagues/demo.yaml          20 of its stored blocks
  hattari verify demo.sqlite --all          every block
  hattari verify games.jsonl.gz             replay all games by the rules of the contest
  hattari verify --preset uecda-2007 g.jsonl
  zcat games.jsonl.gz | head -100 | hattari verify --json -

Exit codes: 0 everything agrees, 1 a mismatch or a malformed line, 2 the file cannot be read or \
contains nothing to compare.")]
pub(super) struct Arguments {
    /// A league, a store or a pack (`.hattari`); or a corpus, plain or gzipped, `-` for standard
    /// input
    file: PathBuf,
    /// Number of blocks of a league to replay
    #[arg(long, value_name = "N", default_value = "20", conflicts_with = "all")]
    sample: NonZeroUsize,
    /// Replay all stored blocks
    #[arg(long)]
    all: bool,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Preset of the rules of the corpus
    #[arg(long, default_value = "uecda")]
    preset: String,
    /// Maximum number of mismatches and malformed lines to print; the others are counted
    #[arg(long, value_name = "N", default_value_t = 50)]
    max: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    if is_league_or_store(&arguments.file) {
        league::main(arguments)
    } else {
        corpus::main(arguments)
    }
}
