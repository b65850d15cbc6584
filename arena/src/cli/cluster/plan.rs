//! `hattari cluster plan`.

use crate::cli::folders::Folders;
use crate::cli::ready::{LoadedLeague, PrepareOptions};
use crate::cli::{CommandResult, output};
use hattari_agents::text::{counted, grouped};
use hattari_play::plan::{RemainingWork, plan};
use hattari_play::schedule::Part;
use hattari_play::store::{Store, default_path};
use std::path::PathBuf;

/// Split the remaining work of a league into units for several machines
#[derive(clap::Args, Debug)]
#[command(after_help = "\
To play a league on several machines, repeat these steps: plan the remaining blocks, play the \
units on any machine, and merge the results, until nothing remains. Lost units are planned \
again; a unit that was played twice counts once. The merged results are the same as those of a \
single run. Times are seconds on one core, estimated from the blocks that have been played.

Examples:
  hattari cluster plan leagues/table1.yaml --units 8
  hattari cluster plan leagues/table1.yaml --units 100 --json | jq -r '.units[].unit'
  hattari run leagues/table1.yaml --unit 0-99 --store part.sqlite --json       one unit, on any machine
  hattari cluster merge leagues/table1.sqlite part.sqlite                      merge the results

Exit codes: 0 planned, even if nothing remains; 2 any error.")]
pub(super) struct Arguments {
    /// The league: a YAML file, or a pack made by `hattari cluster pack`
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// The store of all results, which may not exist yet (default: next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Number of units; there are more if a unit would be too long for a command line
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    units: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    folders: Folders,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let league = LoadedLeague::load(&arguments.league, &arguments.folders)?;
    let identity = league.prepare(PrepareOptions::WITHOUT_PLAY)?.identity;
    let path = arguments
        .store
        .clone()
        .unwrap_or_else(|| default_path(&arguments.league, &Part::WHOLE));
    let league = identity.league.clone();
    let store = path
        .exists()
        .then(|| Store::read_as(&path, identity))
        .transpose()?;
    let plan = plan(&league, store.as_ref(), arguments.units)?;
    output::print_as(arguments.json, &plan, || text(&plan))
}

fn text(plan: &RemainingWork) -> String {
    let seconds = |seconds: Option<f64>| {
        seconds.map_or_else(String::new, |seconds| format!("{seconds:.1} s"))
    };
    let (played, open) = (grouped(plan.played), counted(plan.open, "block"));
    let mut text = format!("played: {played}, remaining: {open}");
    if plan.seconds.is_some() {
        text += &format!(", about {} on one core", seconds(plan.seconds));
    }
    text += "\n";
    if !plan.units.is_empty() {
        let rows = plan.units.iter().map(|unit| {
            let blocks = grouped(unit.blocks);
            [blocks, seconds(unit.seconds), unit.unit.clone()]
        });
        text += &output::table(["BLOCKS", "TIME", "UNIT"], rows);
    }
    text
}
