//! `hattari export`.

mod acpc;
mod bridge;
mod parquet;
mod sink;
mod tables;

use super::folders::Folders;
use super::replay::find_line_up;
use super::{CommandResult, Outcome, output, signals};
use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use hattari_agents::games::name_without_revision;
use hattari_agents::record::JobId;
use hattari_agents::table::{TakenStep, TypedObserver};
use hattari_agents::text::{counted, shell};
use hattari_formats::phh::{HandOrigin, document, hand_of, table};
use hattari_play::schedule::Part;
use hattari_play::session::{Replayable, Session};
use hattari_play::store::default_path;
use hattari_plugin::games::daihinmin::chronicle::CorpusRecorder;
use hattari_plugin::games::daihinmin::{Block, Daihinmin, Deal, Options};
use hattari_plugin::games::poker::{self, Poker};
use hattari_plugin::games::{BlockState, Game, bridge::Bridge, holdem::Holdem, stud::Stud};
use hattari_report::replay::rerun::Rerun;
use hattari_study::Interrupted;
use sink::Sink;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;

/// Export games of a league in formats of other programs
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: ExportCommand,
}

#[derive(Subcommand, Debug)]
enum ExportCommand {
    /// Hand histories in the PHH format: no-limit and fixed-limit hold'em, fixed-limit stud
    #[command(after_help = PHH_HELP)]
    Phh(Selection),
    /// Games of daihinmin, one line of JSON each, for `hattari verify`
    #[command(after_help = CORPUS_HELP)]
    Corpus(Selection),
    /// Hold'em matches as STATE lines, the log format of the Annual Computer Poker Competition
    #[command(after_help = acpc::LOG_HELP)]
    Acpc(Selection),
    /// Bridge boards in the PBN format, with auction, play and result
    #[command(after_help = bridge::HELP)]
    Pbn(Selection),
    /// Bridge boards in the LIN format of Bridge Base Online
    #[command(after_help = bridge::HELP)]
    Lin(Selection),
    /// The ACPC game definition of a hold'em league
    AcpcGame(acpc::Definition),
    /// Tables of a league in the Parquet format, for data frames: standings, pairs, samples,
    /// blocks, deals, decisions
    #[command(after_help = tables::HELP)]
    Parquet(tables::Arguments),
}

const PHH_HELP: &str = "\
Games are replayed from their seeds, or, for nondeterministic bots, from the recorded answers \
(see `hattari replay --help`). If the store contains a block's record, the two are compared; \
other blocks are played for the export. Several hands are written as a .phhs file with one TOML table per hand, a single game as a .phh \
file. The file contains all cards, including cards that were never shown. Additional fields: \
_seed, _league, _line_up, _block, _deal, and _options with the options of the rules.

Examples:
  hattari export phh leagues/holdem.yaml --output holdem.phhs       every hand of the league
  hattari export phh leagues/holdem.yaml --line-up honest,exploiter --block 3
  hattari export phh leagues/holdem.yaml --line-up 0 --block 0 --game 17 > hand.phh

Exit codes: 0 written, 1 a replayed block differs from the stored record, 2 any error.";

const CORPUS_HELP: &str = "\
Games are replayed from their seeds, or, for nondeterministic bots, from the recorded answers \
(see `hattari replay --help`). If the store contains a block's record, the two are compared; \
other blocks are played for the export. A game is an object: fresh, titles, seats, before, given, hands, turns, finish, left. A turn is \
[player, cards, answer, table empty, locked, revolution]; the last three are the state before \
the turn. Refused plays become passes. A file whose name ends in .gz is compressed.

Examples:
  hattari export corpus leagues/table1.yaml --block 0 --output games.jsonl.gz
  hattari verify games.jsonl.gz --preset uecda-2007

Exit codes: 0 written, 1 a replayed block differs from the stored record, 2 any error.";

/// The games to export, and the output file.
#[derive(clap::Args, Debug)]
struct Selection {
    /// A league, or its store
    league: PathBuf,
    #[command(flatten)]
    blocks: Blocks,
    /// Number of the game in its block; rotations of duplicate deals are numbered consecutively
    /// (default: all games)
    #[arg(long, alias = "deal")]
    game: Option<u32>,
    /// Output file (default: standard output)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Selection {
    /// Opens the league or its store.
    fn open(&self) -> anyhow::Result<Session> {
        Ok(Session::open(&self.league, self.blocks.store.as_deref())?)
    }

    /// Opens a league of the game `only`. `subject` begins the error message for other games.
    fn open_for(&self, only: &str, subject: &str) -> anyhow::Result<Session> {
        let opened = self.open()?;
        let game = name_without_revision(&opened.league().game);
        ensure!(
            game == only,
            "{subject} {only} only (the game of this league is {game})"
        );
        Ok(opened)
    }
}

/// The blocks of a league to replay, and the store.
#[derive(clap::Args, Debug)]
struct Blocks {
    /// Number of the line-up, or the names of its entrants (default: all line-ups)
    #[arg(long, value_name = "N|NAMES")]
    line_up: Option<String>,
    /// Number of the block (default: all blocks)
    #[arg(long)]
    block: Option<u32>,
    /// The store of the league (default: the file next to the league)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// The selected blocks of a league.
struct SelectedBlocks {
    played: Replayable,
    line_ups: Range<u32>,
    blocks: Range<u32>,
}

impl SelectedBlocks {
    fn new(session: Session, wanted: &Blocks) -> anyhow::Result<SelectedBlocks> {
        let played = session.into_replayable(&wanted.folders.folders)?;
        // The games of a store of another league would be replaced by others.
        if let Some(reason) = &played.contradiction {
            let store = wanted
                .store
                .clone()
                .unwrap_or_else(|| default_path(&played.file.given, &Part::WHOLE));
            bail!(
                "the store belongs to another league: {reason}; to export the games of the store, \
                name it instead of the league: {}",
                shell(&store.to_string_lossy())
            )
        }
        let schedule = &played.prepared.schedule;
        let line_ups = match &wanted.line_up {
            Some(wanted) => {
                let number = find_line_up(&played.prepared, wanted)?;
                number..number + 1
            }
            None => 0..u32::try_from(schedule.line_ups.len()).context("too many line-ups")?,
        };
        let blocks = match wanted.block {
            Some(block) => {
                ensure!(
                    block < schedule.blocks,
                    "there is no block {block}: the league has {} blocks",
                    schedule.blocks
                );
                block..block + 1
            }
            None => 0..schedule.blocks,
        };
        let selected = SelectedBlocks {
            played,
            line_ups,
            blocks,
        };
        if let (Some(line_up), Some(block)) = (&wanted.line_up, wanted.block) {
            ensure!(
                selected.jobs().next().is_some(),
                "there is no block {block} of the line-up {line_up}"
            );
        }
        Ok(selected)
    }

    /// Returns the selected jobs that are in the schedule, block by block.
    fn jobs(&self) -> impl Iterator<Item = JobId> {
        self.blocks
            .clone()
            .flat_map(|block| {
                self.line_ups
                    .clone()
                    .map(move |line_up| JobId { line_up, block })
            })
            .filter(|&job| self.played.prepared.schedule.find(job).is_some())
    }
}

/// Prints that a replayed block differs from the stored record. Returns the outcome for this case.
fn report_difference(job: JobId) -> Outcome {
    output::tell(format_args!(
        "{job}: the replayed block differs from the stored record"
    ));
    Outcome::Found
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    match &arguments.what {
        ExportCommand::Phh(selection) => {
            let opened = selection.open()?;
            match name_without_revision(&opened.league().game) {
                "holdem" => export::<Holdem, PhhWriter>(selection, opened),
                "stud" => export::<Stud, PhhWriter>(selection, opened),
                other => bail!(
                    "the PHH format supports poker only (the game of this league is \
                    {other})"
                ),
            }
        }
        ExportCommand::Corpus(selection) => {
            let opened = selection.open_for("daihinmin", "the corpus format supports")?;
            refuse_other_rules(opened.league().options.clone())?;
            export::<Daihinmin, CorpusWriter>(selection, opened)
        }
        ExportCommand::Acpc(selection) => {
            let opened = selection.open()?;
            acpc::game_definition(opened.league())?;
            export::<Holdem, acpc::AcpcWriter>(selection, opened)
        }
        ExportCommand::Pbn(selection) => export_boards::<true>(selection),
        ExportCommand::Lin(selection) => export_boards::<false>(selection),
        ExportCommand::AcpcGame(arguments) => acpc::definition(arguments),
        ExportCommand::Parquet(arguments) => tables::main(arguments),
    }
}

/// Returns an error if the options contain other rules of play than the presets. Records do not
/// contain options, so `hattari verify` would report such games as illegal.
fn refuse_other_rules(options: serde_json::Value) -> anyhow::Result<()> {
    let options: Options =
        serde_json::from_value(options).context("the options of the league are invalid")?;
    let rules = |options: &Options| {
        (
            options.flags(),
            options.exchange,
            options.ask_last_player_again,
            options.deadlock_after(),
        )
    };
    ensure!(
        rules(&options) == rules(&Options::default()),
        "the corpus format has no options, but this league plays by other rules than the presets; \
        use `hattari export parquet`, or remove the options of the rules from the league"
    );
    Ok(())
}

fn export_boards<const PBN: bool>(selection: &Selection) -> CommandResult {
    let opened = selection.open_for("bridge", "the PBN and LIN formats support")?;
    export::<Bridge, bridge::BoardWriter<PBN>>(selection, opened)
}

/// A writer for the games of a block in one format.
trait GameWriter<G: Game>: Sized {
    /// Name of a single game, for example `hand`.
    const UNIT: &'static str;
    /// Creates a writer for games of a block.
    fn new(block: BlockInfo) -> Self;
    /// Receives the cards at the start of a game.
    fn dealt(&mut self, _game: &G, _block: &BlockState<G>, _deal: &G::Deal) {}
    /// Receives a choice after it has been played.
    fn acted(&mut self, _deal: &G::Deal, _step: &TakenStep<'_, G>) {}
    /// Returns the text of game `number` of the block at its end. `place` is the number of the game
    /// in the file, from 1. `payoffs` and `entrants` are by player.
    fn ended(
        &mut self,
        game: &G,
        deal: &G::Deal,
        number: u32,
        place: u64,
        payoffs: &[i64],
        entrants: &[usize],
    ) -> anyhow::Result<String>;
    /// Completes the texts of the games of the block.
    fn finish(self, _texts: &mut [String]) {}
}

/// Names and origin of an exported block.
struct BlockInfo {
    /// Names of the entrants by line-up position.
    names: Vec<String>,
    origin: HandOrigin,
    /// `true` if all games of the block are exported.
    is_whole: bool,
    /// `true` if the file has no other game than one of this block.
    is_alone: bool,
}

impl BlockInfo {
    /// Returns the names of the entrants at these positions in the line-up.
    fn names_of(&self, entrants: &[usize]) -> Vec<String> {
        entrants
            .iter()
            .map(|&entrant| self.names[entrant].clone())
            .collect()
    }
}

/// An observer that passes the selected games to a writer.
struct GameFilter<W> {
    writer: W,
    /// Texts of the finished games, or the first error.
    texts: anyhow::Result<Vec<String>>,
    /// Number of games in the file before this block.
    written: u64,
    /// Number of the selected game; `None` for all games.
    wanted: Option<u32>,
    /// Number of finished games.
    games: u32,
    /// `true` to play the block to its end, so that it can be compared with the stored record;
    /// `false` to stop after the selected game.
    plays_whole_block: bool,
}

impl<W> GameFilter<W> {
    fn is_wanted(&self) -> bool {
        self.wanted.is_none_or(|wanted| wanted == self.games)
    }
}

impl<G: Game, W: GameWriter<G>> TypedObserver<G> for GameFilter<W> {
    fn dealt(&mut self, game: &G, block: &BlockState<G>, deal: &G::Deal, _entrants: &[usize]) {
        if self.is_wanted() {
            self.writer.dealt(game, block, deal);
        }
    }

    fn acted(&mut self, _game: &G, deal: &G::Deal, step: &TakenStep<'_, G>) {
        if self.is_wanted() {
            self.writer.acted(deal, step);
        }
    }

    fn ended(&mut self, game: &G, deal: &G::Deal, payoffs: &[i64], entrants: &[usize]) {
        let number = self.games;
        if self.is_wanted()
            && let Ok(texts) = &mut self.texts
        {
            let place = self.written + texts.len() as u64 + 1;
            match (self.writer).ended(game, deal, number, place, payoffs, entrants) {
                Ok(text) => texts.push(text),
                Err(error) => self.texts = Err(error),
            }
        }
        self.games += 1;
    }

    fn has_seen_enough(&self) -> bool {
        !self.plays_whole_block && self.wanted.is_some_and(|wanted| wanted < self.games)
    }
}

/// Exports the selected games in the format of the writer `W`.
fn export<G: Game, W: GameWriter<G>>(arguments: &Selection, session: Session) -> CommandResult {
    let stop = signals::stop_flag()?;
    let opened = SelectedBlocks::new(session, &arguments.blocks)?;
    let prepared = &opened.played.prepared;
    let game: G = prepared.game_as()?;
    let league = arguments.league.file_stem();
    let write_failure = || match &arguments.output {
        Some(path) => format!("{} cannot be written", path.display()),
        None => "the games cannot be written".to_owned(),
    };
    let mut out = Sink::open(arguments.output.as_deref()).with_context(write_failure)?;
    let is_alone =
        arguments.game.is_some() && arguments.blocks.block.is_some() && opened.line_ups.len() == 1;
    let (mut written, mut new_blocks, mut outcome) = (0, 0, Outcome::Done);
    for job in opened.jobs() {
        // An error removes the incomplete file; the default action of the signal would not.
        Interrupted::check(&stop)?;
        let rerun = Rerun::new(prepared, opened.played.store.as_ref(), job)?;
        let mut filter = GameFilter {
            writer: W::new(BlockInfo {
                names: prepared.names(job),
                origin: HandOrigin {
                    seed: Some(prepared.league.seed),
                    league: league.map(|stem| stem.to_string_lossy().into_owned()),
                    line_up: Some(job.line_up),
                    block: Some(job.block),
                    ..HandOrigin::default()
                },
                is_whole: arguments.game.is_none(),
                is_alone,
            }),
            texts: Ok(Vec::new()),
            written,
            wanted: arguments.game,
            games: 0,
            plays_whole_block: rerun.stored().is_some(),
        };
        match rerun.play_as(&game, &mut filter)?.is_same {
            Some(true) => {}
            Some(false) => outcome = report_difference(job),
            None => new_blocks += 1,
        }
        let mut texts = filter.texts?;
        filter.writer.finish(&mut texts);
        if arguments.game.is_some() {
            ensure!(!texts.is_empty(), "{job}: there is no such game");
        }
        for text in texts {
            written += 1;
            match out.writer().write_all(text.as_bytes()) {
                // A closed pipe (`| head`) is no error.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(outcome),
                written => written.with_context(write_failure)?,
            }
        }
    }
    match out.finish() {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).with_context(write_failure)?
        }
        _ => {}
    }
    if new_blocks > 0 {
        output::tell(format_args!(
            "played for the export, because the store does not contain them: {}",
            counted(new_blocks, "block")
        ));
    }
    if let Some(path) = &arguments.output {
        output::tell(format_args!(
            "{}: {}",
            output::short(path),
            counted(written, W::UNIT)
        ));
    }
    Ok(outcome)
}

/// A writer of poker hands in the PHH format.
struct PhhWriter(BlockInfo);

impl<V: poker::Variant> GameWriter<Poker<V>> for PhhWriter {
    const UNIT: &'static str = "hand";

    fn new(block: BlockInfo) -> PhhWriter {
        PhhWriter(block)
    }

    fn ended(
        &mut self,
        game: &Poker<V>,
        deal: &poker::Deal,
        number: u32,
        place: u64,
        _payoffs: &[i64],
        entrants: &[usize],
    ) -> anyhow::Result<String> {
        let PhhWriter(block) = self;
        let origin = HandOrigin {
            deal: Some(number),
            ..block.origin.clone()
        };
        // In poker, a player's number is also the seat.
        let hand = hand_of(game, deal, &block.names_of(entrants), origin)?;
        Ok(if block.is_alone {
            document(&[hand])
        } else {
            table(place, &hand) + "\n"
        })
    }
}

/// A writer of daihinmin games as records of a corpus, with the record of the current game.
struct CorpusWriter(Option<CorpusRecorder>);

impl GameWriter<Daihinmin> for CorpusWriter {
    const UNIT: &'static str = "game";

    fn new(_block: BlockInfo) -> CorpusWriter {
        CorpusWriter(None)
    }

    fn dealt(&mut self, game: &Daihinmin, block: &Block, deal: &Deal) {
        self.0 = Some(CorpusRecorder::new(game, block, deal));
    }

    fn acted(&mut self, deal: &Deal, step: &TakenStep<'_, Daihinmin>) {
        if let Some(chronicle) = &mut self.0 {
            chronicle.act(deal, step.seat, &step.choice.action, step.events);
        }
    }

    fn ended(
        &mut self,
        _game: &Daihinmin,
        _deal: &Deal,
        _number: u32,
        _place: u64,
        _payoffs: &[i64],
        _entrants: &[usize],
    ) -> anyhow::Result<String> {
        let chronicle = self.0.take().context("the game was not dealt")?;
        Ok(serde_json::to_string(&chronicle.finish())? + "\n")
    }
}
