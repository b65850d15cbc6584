//! `hattari export`.

mod acpc;
mod bridge;
mod parquet;
mod sink;
mod tables;

use super::folders::Folders;
use super::replay::{find_line_up, find_store};
use super::{Outcome, output};
use anyhow::Context;
use clap::Subcommand;
use hattari_agents::games::bare;
use hattari_agents::record::JobId;
use hattari_agents::table::{Step, Watch};
use hattari_formats::phh::{Hand, Inexpressible, Origin, Recorded, document, table};
use hattari_play::cast::{Cast, Clients};
use hattari_play::league::League;
use hattari_play::pack::LeagueFile;
use hattari_play::schedule::{Part, Schedule};
use hattari_play::store::{self, Store};
use hattari_plugin::games::daihinmin::chronicle::Chronicle;
use hattari_plugin::games::daihinmin::{Block, Daihinmin, Deal, corpus};
use hattari_plugin::games::{Game, bridge::Bridge, holdem::Holdem, stud::Stud};
use hattari_report::replay::again::Again;
use sink::Sink;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Write games of a league in formats that other programs read
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Hand histories in the PHH format: hold'em without limit and at fixed limit, stud at fixed
    /// limit
    #[command(after_help = PHH_HELP)]
    Phh(Selection),
    /// Games of daihinmin as one line of JSON each, as `hattari verify` reads them
    #[command(after_help = CORPUS_HELP)]
    Corpus(Selection),
    /// Lines STATE of hold'em, as dealers of the Annual Computer Poker Competition log their
    /// matches
    #[command(after_help = acpc::LOG_HELP)]
    Acpc(Selection),
    /// Boards of bridge in the format PBN, with auction, play and result
    #[command(after_help = bridge::HELP)]
    Pbn(Selection),
    /// Boards of bridge in the format LIN of Bridge Base Online
    #[command(after_help = bridge::HELP)]
    Lin(Selection),
    /// The definition file of a hold'em league's game for programs of that competition
    AcpcGame(acpc::Definition),
    /// Tables of a league in the format Parquet, for data frames: standings, pairs, samples,
    /// blocks, single deals
    #[command(after_help = tables::HELP)]
    Parquet(tables::Arguments),
}

const PHH_HELP: &str = "\
The games are played again from their seeds, or from what bots answered that do not play alike every time (`hattari replay --help`).
Where the store holds a block's record the two are compared. Several hands become one file of the kind .phhs, a table each; a single game becomes a .phh. All cards stand in it, also
those that nobody was shown. Fields of ours: _seed, _league, _line_up, _block, _deal, and the rules' options in _options.

Examples:
  hattari export phh leagues/holdem.yaml --output holdem.phhs       every hand of the league
  hattari export phh leagues/holdem.yaml --line-up honest,exploiter --block 3
  hattari export phh leagues/holdem.yaml --line-up 0 --block 0 --game 17 > hand.phh

Exit codes: 0 written, 1 a block does not come out as it is in the store, 2 any error.";

const CORPUS_HELP: &str = "\
The games are played again from their seeds, or from what bots answered that do not play alike every time (`hattari replay --help`).
Where the store holds a block's record the two are compared. A game is an object: fresh, titles, seats, before, given, hands, turns, finish, left. A turn is [player, cards, answer,
table empty, locked, revolution], the last three as they stood before it; plays that were refused are passes. A file whose name ends
in .gz is packed.

Examples:
  hattari export corpus leagues/table1.yaml --block 0 --output games.jsonl.gz
  hattari verify games.jsonl.gz --preset uecda-2007

Exit codes: 0 written, 1 a block does not come out as it is in the store, 2 any error.";

/// Which games of a league, and where to.
#[derive(clap::Args, Debug)]
struct Selection {
    /// The league's file
    league: PathBuf,
    #[command(flatten)]
    blocks: Blocks,
    /// Number of the game in its block; rotations of duplicate deals count on. Without it, all of
    /// them
    #[arg(long, alias = "deal")]
    game: Option<u32>,
    /// Write to this file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Which blocks of a league are played again, and with what.
#[derive(clap::Args, Debug)]
struct Blocks {
    /// Number of the line-up, or the names of its entrants; without it, all of them
    #[arg(long, value_name = "N|NAMES")]
    line_up: Option<String>,
    /// Number of the block; without it, all of them
    #[arg(long)]
    block: Option<u32>,
    /// The league's store; without it, the file beside the league
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// A league whose blocks can be played again.
struct Opened {
    /// What it has played, or why that cannot be compared; `None` where there is nothing.
    found: Option<Result<Store, String>>,
    cast: Cast,
    line_ups: Range<u32>,
    blocks: Range<u32>,
}

impl Opened {
    /// The blocks of a league that are asked for; `path` is where it was named.
    fn new(
        path: &Path,
        file: &LeagueFile,
        league: &League,
        wanted: &Blocks,
    ) -> anyhow::Result<Opened> {
        let store = wanted
            .store
            .clone()
            .unwrap_or_else(|| store::default_path(path, &Part::WHOLE));
        let league = &mut league.clone();
        let found = if wanted.store.is_some() || store.exists() {
            Some(find_store(&store, league)?)
        } else {
            None
        };
        let stored = found.as_ref().and_then(|found| found.as_ref().ok());
        let schedule =
            stored.map_or_else(|| Schedule::of(league), |store| store.schedule().clone());
        let catalogue = file.catalogue(&wanted.folders.folders)?;
        let cast = Cast::find(league.clone(), file.base(), &catalogue, Clients::Absent)?;
        let line_ups = match &wanted.line_up {
            Some(wanted) => {
                let number = find_line_up(league, &schedule, wanted)?;
                number..number + 1
            }
            None => 0..u32::try_from(schedule.line_ups.len()).context("too many line-ups")?,
        };
        let blocks = match wanted.block {
            Some(block) => {
                anyhow::ensure!(
                    block < schedule.blocks,
                    "there is no block {block}; the league has {}",
                    schedule.blocks
                );
                block..block + 1
            }
            None => 0..schedule.blocks,
        };
        Ok(Opened {
            found,
            cast: Cast { schedule, ..cast },
            line_ups,
            blocks,
        })
    }

    /// What the store holds, where it is this league's.
    fn store(&self) -> Option<&Store> {
        self.found.as_ref().and_then(|found| found.as_ref().ok())
    }

    /// What was asked for and is in the schedule, block by block.
    fn jobs(&self) -> impl Iterator<Item = JobId> {
        let jobs = self.blocks.clone().flat_map(|block| {
            self.line_ups
                .clone()
                .map(move |line_up| JobId { line_up, block })
        });
        jobs.filter(|&job| self.cast.schedule.find(job).is_some())
    }

    /// With what has been played again, or why the store could not help.
    fn explain<T>(&self, played: anyhow::Result<T>) -> anyhow::Result<T> {
        match &self.found {
            Some(Err(why)) => {
                played.with_context(|| format!("the store is of another league: {why}"))
            }
            _ => played,
        }
    }
}

/// Says that a block does not come out as it is in the store.
fn tell_of_other(job: JobId) -> Outcome {
    eprintln!(
        "line-up {}, block {}: does not come out as it is in the store",
        job.line_up, job.block
    );
    Outcome::Found
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    match &arguments.what {
        What::Phh(selection) => {
            let file = LeagueFile::open(&selection.league)?;
            let league = file.load()?;
            match bare(&league.game) {
                "holdem" => export::<Holdem, Hands>(selection, &file, &league),
                "stud" => export::<Stud, Hands>(selection, &file, &league),
                other => anyhow::bail!("PHH is a format for poker; {other} is played here"),
            }
        }
        What::Corpus(selection) => {
            let file = LeagueFile::open(&selection.league)?;
            let league = file.load()?;
            match bare(&league.game) {
                "daihinmin" => export::<Daihinmin, Games>(selection, &file, &league),
                other => anyhow::bail!("the corpus is of daihinmin; {other} is played here"),
            }
        }
        What::Acpc(selection) => {
            let file = LeagueFile::open(&selection.league)?;
            let league = file.load()?;
            acpc::def(&league)?;
            export::<Holdem, acpc::Lines>(selection, &file, &league)
        }
        What::Pbn(selection) => boards::<bridge::Pbn>(selection),
        What::Lin(selection) => boards::<bridge::Lin>(selection),
        What::AcpcGame(arguments) => acpc::definition(arguments),
        What::Parquet(arguments) => tables::main(arguments),
    }
}

fn boards<F: bridge::BoardWriter>(selection: &Selection) -> anyhow::Result<Outcome> {
    let file = LeagueFile::open(&selection.league)?;
    let league = file.load()?;
    anyhow::ensure!(
        bare(&league.game) == "bridge",
        "PBN and LIN are formats for bridge; {} is played here",
        league.game
    );
    export::<Bridge, bridge::Boards<F>>(selection, &file, &league)
}

/// Keeps the games of a block in a format.
trait Keeper<G: Game>: Watch<G> {
    /// What a game is called.
    const UNIT: &'static str;
    /// Of a block that `origin` tells of, whose entrants have these names: the game `wanted`, or
    /// all. The block is played to its end where `whole` says so.
    fn new(names: Vec<String>, origin: Origin, wanted: Option<u32>, whole: bool) -> Self;
    /// What has been kept: the text of each game, as one of many or, where `alone`, as a document;
    /// `written` is how many there are already.
    fn texts(self, written: u64, alone: bool) -> anyhow::Result<Vec<String>>;
}

fn export<G: Game, K: Keeper<G>>(
    arguments: &Selection,
    file: &LeagueFile,
    league: &League,
) -> anyhow::Result<Outcome> {
    let opened = Opened::new(&arguments.league, file, league, &arguments.blocks)?;
    let game: G = opened.cast.game_as()?;
    let name = arguments
        .league
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let cannot = || match &arguments.output {
        Some(path) => format!("{} cannot be written", path.display()),
        None => "the games cannot be written".to_owned(),
    };
    let mut out = Sink::open(arguments.output.as_deref()).with_context(cannot)?;
    let (mut written, mut outcome) = (0, Outcome::Done);
    for job in opened.jobs() {
        let JobId { line_up, block } = job;
        let origin = Origin {
            seed: Some(league.seed),
            league: name.clone(),
            ..Origin::default()
        };
        let played = play(
            &game,
            &opened.cast,
            opened.store(),
            job,
            arguments.game,
            origin,
        );
        let (keeper, agrees): (K, bool) = opened.explain(played)?;
        if !agrees {
            outcome = tell_of_other(job);
        }
        let is_alone = arguments.game.is_some()
            && arguments.blocks.block.is_some()
            && opened.line_ups.len() == 1;
        let texts = keeper.texts(written, is_alone)?;
        if arguments.game.is_some() {
            anyhow::ensure!(
                !texts.is_empty(),
                "line-up {line_up}, block {block}: there is no such game"
            );
        }
        for text in texts {
            written += 1;
            match out.write_all(text.as_bytes()) {
                // A reader that has gone away (`| head`) is no error.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(outcome),
                written => written.with_context(cannot)?,
            }
        }
    }
    match out.finish() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).with_context(cannot)?,
        _ => {}
    }
    if let Some(path) = &arguments.output {
        output::tell(format_args!(
            "{}: {}",
            output::short(path),
            hattari_agents::text::counted(written, K::UNIT)
        ));
    }
    Ok(outcome)
}

/// The games of a block, and whether it comes out as it is in the store, if it is there.
fn play<G: Game, K: Keeper<G>>(
    game: &G,
    cast: &Cast,
    store: Option<&Store>,
    job: JobId,
    wanted: Option<u32>,
    origin: Origin,
) -> anyhow::Result<(K, bool)> {
    let again = Again::new(cast, store, job)?;
    let origin = Origin {
        line_up: Some(job.line_up),
        block: Some(job.block),
        ..origin
    };
    let mut keeper = K::new(cast.names(job), origin, wanted, again.stored().is_some());
    let remade = again.play_as(game, &mut keeper)?;
    Ok((keeper, remade.is_same != Some(false)))
}

/// Keeps the deals of a block as hands.
struct Hands {
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

impl<G: Recorded> Keeper<G> for Hands {
    const UNIT: &'static str = "hand";

    fn new(names: Vec<String>, origin: Origin, wanted: Option<u32>, whole: bool) -> Hands {
        Hands {
            names,
            origin,
            wanted,
            deals: 0,
            whole,
            hands: Ok(Vec::new()),
        }
    }

    fn texts(self, written: u64, alone: bool) -> anyhow::Result<Vec<String>> {
        let hands = self.hands?;
        if alone && !hands.is_empty() {
            return Ok(vec![document(&hands)]);
        }
        Ok((written + 1..)
            .zip(&hands)
            .map(|(number, hand)| table(number, hand) + "\n")
            .collect())
    }
}

impl<G: Recorded> Watch<G> for Hands {
    fn ended(&mut self, game: &G, deal: &<G as Game>::Deal, _payoffs: &[i64], entrants: &[usize]) {
        if self.wanted.is_none_or(|wanted| wanted == self.deals)
            && let Ok(hands) = &mut self.hands
        {
            // Players of poker sit in the seat of their number.
            let names: Vec<String> = entrants
                .iter()
                .map(|&entrant| self.names[entrant].clone())
                .collect();
            match game.hand(
                deal,
                &names,
                Origin {
                    deal: Some(self.deals),
                    ..self.origin.clone()
                },
            ) {
                Ok(hand) => hands.push(hand),
                Err(error) => self.hands = Err(error),
            }
        }
        self.deals += 1;
    }

    fn has_seen_enough(&self) -> bool {
        self.hands.is_err()
            || (!self.whole && self.wanted.is_some_and(|wanted| wanted < self.deals))
    }
}

/// Keeps the games of a block as records of the corpus.
struct Games {
    wanted: Option<u32>,
    /// Games that are over.
    deals: u32,
    whole: bool,
    under_way: Option<Chronicle>,
    records: Vec<corpus::Record>,
}

impl Keeper<Daihinmin> for Games {
    const UNIT: &'static str = "game";

    fn new(_names: Vec<String>, _origin: Origin, wanted: Option<u32>, whole: bool) -> Games {
        Games {
            wanted,
            deals: 0,
            whole,
            under_way: None,
            records: Vec::new(),
        }
    }

    fn texts(self, _written: u64, _alone: bool) -> anyhow::Result<Vec<String>> {
        let line = |record: &corpus::Record| Ok(serde_json::to_string(record)? + "\n");
        self.records.iter().map(line).collect()
    }
}

impl Watch<Daihinmin> for Games {
    fn dealt(&mut self, game: &Daihinmin, block: &Block, deal: &Deal, _entrants: &[usize]) {
        let is_wanted = self.wanted.is_none_or(|wanted| wanted == self.deals);
        self.under_way = is_wanted.then(|| Chronicle::new(game, block, deal));
    }

    fn acted(&mut self, _game: &Daihinmin, deal: &Deal, step: &Step<'_, Daihinmin>) {
        if let Some(chronicle) = &mut self.under_way {
            chronicle.act(deal, step.seat, &step.choice.action, step.events);
        }
    }

    fn ended(&mut self, _game: &Daihinmin, _deal: &Deal, _payoffs: &[i64], _entrants: &[usize]) {
        self.records
            .extend(self.under_way.take().map(Chronicle::finish));
        self.deals += 1;
    }

    fn has_seen_enough(&self) -> bool {
        !self.whole && self.wanted.is_some_and(|wanted| wanted < self.deals)
    }
}
