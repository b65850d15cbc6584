//! `hattari store records`.

use crate::cli::{CommandResult, Outcome};
use anyhow::Context;
use hattari_play::session::Session;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::PathBuf;

/// Print the stored blocks, one line of JSON per block
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Prints one line of JSON per block, ordered by line-up and block: sums of payoffs, sums of their \
products, places, faults, and a digest of all moves. Two leagues have the same records if and \
only if all games were played identically.

Examples:
  hattari store records leagues/demo.yaml > records.jsonl     all blocks of a league
  diff <(hattari store records a.sqlite) <(hattari store records b.sqlite)

Exit codes: 0 printed, 2 any error.")]
pub(super) struct Arguments {
    /// A league, or its store
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let store = Session::open(&arguments.league, None)?.into_stored()?.1;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut outcome = Ok(());
    store.each_record(|record| {
        if outcome.is_ok() {
            outcome = serde_json::to_writer(&mut out, &record)
                .map_err(std::io::Error::from)
                .and_then(|()| out.write_all(b"\n"));
        }
    })?;
    match outcome.and_then(|()| out.flush()) {
        // A closed pipe (`| head`) is no error.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("the records cannot be written")
        }
        _ => Ok(Outcome::Done),
    }
}
