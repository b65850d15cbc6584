//! `hattari export`.

use super::bots::Folders;
use super::replay::{explain, find_line_up, find_record, seat};
use super::{Outcome, output};
use crate::catalogue::Catalogue;
use crate::games::bare;
use crate::league::League;
use crate::phh::{Hand, Inexpressible, Origin, Recorded, document, table};
use crate::record::JobId;
use crate::schedule::{Schedule, Shard};
use crate::seeds::Seeds;
use crate::store;
use crate::table::{Table, Watch};
use anyhow::Context;
use clap::Subcommand;
use hattari_plugin::games::{Game, holdem::Holdem, stud::Stud};
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};

/// Arguments of `hattari export`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Hand histories in the PHH format: hold'em without limit and at fixed limit, stud at fixed limit
    Phh(Phh),
}

#[derive(clap::Args, Debug)]
#[command(after_help = "\
The games are played again from their seeds. Where the store holds a block's record the two are compared, as `hattari replay`
does. Several hands become one file of the kind .phhs, a table each; a single game becomes a .phh. All cards stand in it, also
those that nobody was shown. Fields of ours: _seed, _league, _line_up, _block, _deal, and the rules' options in _options.

Examples:
  hattari export phh leagues/holdem.yaml --output holdem.phhs       every hand of the league
  hattari export phh leagues/holdem.yaml --line-up honest,exploiter --block 3
  hattari export phh leagues/holdem.yaml --line-up 0 --block 0 --game 17 > hand.phh

Exit codes: 0 written, 1 a block does not come out as it is in the store, 2 any error.")]
struct Phh {
    /// The league's file
    league: PathBuf,
    /// Number of the line-up, or the names of its entrants; without it, all of them
    #[arg(long, value_name = "N|NAMES")]
    line_up: Option<String>,
    /// Number of the block; without it, all of them
    #[arg(long)]
    block: Option<u32>,
    /// Number of the game in its block; rotations of duplicate deals count on. Without it, all of them
    #[arg(long, alias = "deal")]
    game: Option<u32>,
    /// Write to this file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The league's store; without it, the file beside the league
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// Runs the command.
pub fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let What::Phh(arguments) = &arguments.what;
    let league = League::load(&arguments.league)?;
    match bare(&league.game) {
        "holdem" => export::<Holdem>(arguments, &league),
        "stud" => export::<Stud>(arguments, &league),
        other => anyhow::bail!("PHH is a format for poker; {other} is played here"),
    }
}

fn export<G: Recorded>(arguments: &Phh, league: &League) -> anyhow::Result<Outcome> {
    let schedule = Schedule::of(league);
    let options: G::Options = serde_json::from_value(league.options.clone()).context("the league's options")?;
    let game = G::new(options).map_err(|error| anyhow::anyhow!("the league's options: {error}"))?;
    let base = arguments.league.parent().unwrap_or(Path::new(""));
    let catalogue = arguments.folders.catalogue(Some(base))?;
    let line_ups = match &arguments.line_up {
        Some(wanted) => {
            let number = find_line_up(league, &schedule, wanted)?;
            number..number + 1
        }
        None => 0..u32::try_from(schedule.line_ups.len()).context("too many line-ups")?,
    };
    let blocks = match arguments.block {
        Some(block) => {
            anyhow::ensure!(block < league.blocks, "there is no block {block}; the league has {}", league.blocks);
            block..block + 1
        }
        None => 0..league.blocks,
    };
    let name = arguments.league.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let store = arguments.store.clone().unwrap_or_else(|| store::default_path(&arguments.league, Shard::WHOLE));
    let store = (arguments.store.is_some() || store.exists()).then_some(store);
    let mut out: Box<dyn Write> = match &arguments.output {
        Some(path) => Box::new(File::create(path).with_context(|| path.display().to_string())?),
        None => Box::new(stdout().lock()),
    };
    let mut out = BufWriter::new(&mut out);
    let (mut written, mut outcome) = (0, Outcome::Done);
    for (block, line_up) in blocks.flat_map(|block| line_ups.clone().map(move |line_up| (block, line_up))) {
        let job = JobId { line_up, block };
        let origin = Origin { seed: Some(league.seed), league: name.clone(), ..Origin::default() };
        let hands =
            match play(&game, league, &schedule, &catalogue, base, job, arguments.game, origin, store.as_deref())? {
                (hands, true) => hands,
                (hands, false) => {
                    eprintln!("line-up {line_up}, block {block}: does not come out as it is in the store");
                    outcome = Outcome::Found;
                    hands
                }
            };
        if arguments.game.is_some() {
            anyhow::ensure!(!hands.is_empty(), "line-up {line_up}, block {block}: there is no such game");
        }
        for hand in &hands {
            written += 1;
            let is_alone = arguments.game.is_some() && arguments.block.is_some() && line_ups.len() == 1;
            let text = if is_alone { document(&hands) } else { table(written, hand) + "\n" };
            match out.write_all(text.as_bytes()) {
                // A reader that has gone away (`| head`) is no error.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(outcome),
                written => written.context("the hands cannot be written")?,
            }
        }
    }
    match out.flush() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context("the hands cannot be written")?,
        _ => {}
    }
    if let Some(path) = &arguments.output {
        eprintln!("{}: {}", output::short(path), crate::text::counted(written, "hand"));
    }
    Ok(outcome)
}

/// The hands of a block, and whether it comes out as it is in the store, if it is there.
#[expect(clippy::too_many_arguments, reason = "all of them are what a block is played from")]
fn play<G: Recorded>(
    game: &G,
    league: &League,
    schedule: &Schedule,
    catalogue: &Catalogue,
    base: &Path,
    job: JobId,
    wanted: Option<u32>,
    origin: Origin,
    store: Option<&Path>,
) -> anyhow::Result<(Vec<Hand>, bool)> {
    let entrants = &schedule.line_ups[job.line_up as usize].entrants;
    let mut agents = seat::<G>(league, catalogue, base, entrants)?;
    let stored = match store {
        Some(store) => find_record(store, league, schedule, job)?.0,
        None => None,
    };
    let names = entrants.iter().map(|&entrant| league.entrants[entrant].name.clone()).collect();
    let origin = Origin { line_up: Some(job.line_up), block: Some(job.block), ..origin };
    let mut writer = Writer { names, origin, wanted, deals: 0, whole: stored.is_some(), hands: Ok(Vec::new()) };
    let seeds = Seeds::league(league.seed);
    let played = Table::new(game).play_block(job, league.block_plan(), &seeds, &mut agents, &mut writer);
    let (record, _) = played.map_err(|stopped| explain(league, entrants, &stopped))?;
    Ok((writer.hands?, stored.is_none_or(|stored| stored == record)))
}

/// Keeps the deals of a block as hands.
struct Writer {
    /// By place in the line-up.
    names: Vec<String>,
    origin: Origin,
    wanted: Option<u32>,
    /// Deals that are over.
    deals: u32,
    /// The block is to be played to its end.
    whole: bool,
    hands: Result<Vec<Hand>, Inexpressible>,
}

impl<G: Recorded> Watch<G> for Writer {
    fn ended(&mut self, game: &G, deal: &<G as Game>::Deal, _payoffs: &[i64], entrants: &[usize]) {
        if self.wanted.is_none_or(|wanted| wanted == self.deals)
            && let Ok(hands) = &mut self.hands
        {
            // Players of poker sit in the seat of their number.
            let names: Vec<String> = entrants.iter().map(|&entrant| self.names[entrant].clone()).collect();
            match game.hand(deal, &names, Origin { deal: Some(self.deals), ..self.origin.clone() }) {
                Ok(hand) => hands.push(hand),
                Err(error) => self.hands = Err(error),
            }
        }
        self.deals += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.hands.is_err() || (!self.whole && self.wanted.is_some_and(|wanted| wanted < self.deals))
    }
}
