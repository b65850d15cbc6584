//! `hattari cluster merge`.

use crate::cli::folders::Folders;
use crate::cli::ready::{LoadedLeague, PrepareOptions};
use crate::cli::{CommandResult, Outcome, output};
use hattari_agents::text::{counted, grouped};
use hattari_play::league::League;
use hattari_play::store::{Store, StoreError, merge};
use std::fs;
use std::path::PathBuf;

/// Merge the stores of units and shards into one
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The stores must contain the same league, played by the same versions of the bots. After a change \
of the league, give its file with --league. If several stores contain the same block, its results \
must be equal. After an error, nothing is merged. An empty store (left by a process that was \
killed at its start) is reported and skipped. `hattari report` and `hattari run` accept the merged \
store.

Examples:
  hattari run leagues/table1.yaml --shard 1/2           on one machine
  hattari run leagues/table1.yaml --shard 2/2           on another
  hattari cluster merge leagues/table1.sqlite leagues/table1.shard-*.sqlite

Exit codes: 0 merged, 2 any error.")]
pub(super) struct Arguments {
    /// The store to merge into; created if it does not exist
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Stores to merge
    #[arg(value_name = "STORE", required_unless_present = "league")]
    inputs: Vec<PathBuf>,
    /// The league to store in OUT, a YAML file or a pack (default: the league of OUT, or of the
    /// first STORE). The stores must belong to it
    #[arg(long, value_name = "LEAGUE")]
    league: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let mut inputs = Vec::new();
    let out = fs::canonicalize(&arguments.out).ok();
    for path in &arguments.inputs {
        if out.is_some() && fs::canonicalize(path).ok() == out {
            output::print(&format!("skipped {}: it is the output\n", path.display()))?;
            continue;
        }
        match Store::read(path) {
            Err(StoreError::Empty(path)) => {
                output::print(&format!("skipped {}: it is empty\n", path.display()))?;
            }
            store => inputs.push(store?),
        }
    }
    if inputs.is_empty() && arguments.league.is_none() {
        return Ok(Outcome::Done);
    }
    let league = arguments.league.as_ref().map(|path| {
        let ready =
            LoadedLeague::load(path, &arguments.folders)?.prepare(PrepareOptions::WITHOUT_PLAY)?;
        anyhow::Ok((ready.identity, ready.source))
    });
    let mut league = league.transpose()?;
    let known = Store::read(&arguments.out).ok();
    if let Some(known) = known.as_ref().or(inputs.first()) {
        // The reason may contain the path of a file, which is another one in a pack.
        let names = |league: &League| -> Vec<String> {
            (league.excluded.iter())
                .map(|excluded| excluded.name.clone())
                .collect()
        };
        let stored = known.league();
        if league
            .take_if(|(identity, _)| names(&identity.league) != names(stored))
            .is_some()
        {
            tracing::warn!(
                "{}: the league of the file is not stored, because the stored league excludes \
                 other entrants; `hattari run` stores it",
                arguments.out.display()
            );
        }
    }
    let merged = merge(&arguments.out, &inputs, league)?;
    let store = Store::read(&arguments.out)?;
    let (digest, blocks) = store.digest()?;
    let (added, same) = (counted(merged.added, "block"), grouped(merged.same));
    let other = match merged.other {
        0 => String::new(),
        blocks => format!(
            ", {} already stored with other answers of the bots (kept)",
            grouped(blocks)
        ),
    };
    let reviewed = match merged.reviewed {
        0 => String::new(),
        blocks => format!("; added {}", counted(blocks, "reviewed block")),
    };
    let (blocks, planned) = (grouped(blocks), grouped(store.schedule.jobs()));
    output::print(&format!(
        "added {added}, {same} already stored{other}{reviewed}\n{}: {blocks} of {planned} blocks, digest \
        {digest:016x}\n",
        arguments.out.display()
    ))
}
