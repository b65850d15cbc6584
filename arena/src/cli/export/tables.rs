//! `hattari export parquet`: the tables of a league's report and store.

use super::parquet::Writer;
use super::{Blocks, CommandResult, Outcome, SelectedBlocks, output, report_difference, signals};
use crate::cli::options::choice;
use crate::cli::report::TestOptions;
use anyhow::{Context, ensure};
use hattari_agents::agent::numbers::{self, LoggedNumber};
use hattari_agents::files::NewFile;
use hattari_agents::games::named;
use hattari_agents::record::JobId;
use hattari_agents::table::{
    BlockObserver, Decider, FeatureValues, ObserverDetail, Position, TakenAction,
};
use hattari_agents::text::counted;
use hattari_play::session::Session;
use hattari_report::replay::rerun::Rerun;
use hattari_report::standings::of_store;
use hattari_report::tables::{
    CellValue, ColumnHead, DataTable, ReplayedRow, ReplayedTable, RowOrigin, RowWriter, TABLES,
    TableSink,
};
use hattari_study::{AtPath, Interrupted};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

pub(super) const HELP: &str = "\
Writes one file per table. standings.parquet, pairs.parquet and samples.parquet have the rows \
and columns of the CSV files of `hattari report --format csv`, with numeric columns and nulls \
for empty cells. blocks.parquet has one row per seat of a block: \
line_up, block, deals, place (in the line-up, from 0), bot, sum and sum_of_squares of its \
payoffs, faults, forfeited, digest of the block. deals.parquet has one row per player of a deal: \
line_up, block, deal, player, place, bot, payoff, and a column for each feature of outcomes that \
the game defines, such as showdown in poker. decisions.parquet has one row per decision of a bot \
with a choice: the first seven of these columns, the number of the decision in its deal, the \
choice in words, and a column for each feature of position and choice that the game defines \
(those of `hattari review`); payoff is that of the deal. numbers.parquet has one row per number that a \
bot logged: the columns of decisions up to bot, then name and number. These three are written only \
if --tables names them, because a store contains only sums per block: the stored games are replayed, as by \
`hattari replay`.

Examples:
  hattari export parquet leagues/demo.yaml --output demo                 standings, pairs, samples, blocks
  hattari export parquet leagues/demo.yaml --output demo --tables deals,decisions --line-up 0
  python -c 'import polars; print(polars.read_parquet(\"demo/standings.parquet\"))'

Exit codes: 0 written, 1 a replayed block differs from the stored record, 2 any error.";

const LINE_UP_HELP: &str = "Only for the tables deals, decisions and numbers: number of the line-up, or the names of its \
     entrants (default: all line-ups)";
const BLOCK_HELP: &str =
    "Only for the tables deals, decisions and numbers: number of the block (default: all blocks)";

/// Arguments of the command.
#[derive(clap::Args, Debug)]
#[command(mut_arg("line_up", |line_up| line_up.help(LINE_UP_HELP)))]
#[command(mut_arg("block", |block| block.help(BLOCK_HELP)))]
pub(super) struct Arguments {
    /// The league, or its store (the tables `deals`, `decisions` and `numbers` need the
    /// league)
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Output folder; created if it does not exist
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Tables to write
    #[arg(
        long,
        value_parser = choice(&TABLES.map(|table| (table.name, table.about, table))),
        value_delimiter = ',',
        value_name = "TABLE,…",
        default_value = "standings,pairs,samples,blocks"
    )]
    tables: Vec<DataTable>,
    #[command(flatten)]
    blocks: Blocks,
    #[command(flatten)]
    tests: TestOptions,
}

/// The output file of a table.
struct File {
    path: PathBuf,
    writer: Option<Writer<NewFile>>,
    rows: u64,
    /// The first error in writing.
    outcome: anyhow::Result<()>,
}

impl File {
    fn finish(self) -> anyhow::Result<()> {
        let path_text = || self.path.display().to_string();
        self.outcome.with_context(path_text)?;
        if let Some(writer) = self.writer {
            writer
                .finish()
                .and_then(|file| Ok(file.finish()?))
                .with_context(path_text)?;
        }
        output::tell(format_args!(
            "{}: {}",
            output::short(&self.path),
            counted(self.rows, "row")
        ));
        Ok(())
    }
}

impl TableSink for File {
    fn columns(&mut self, heads: Vec<ColumnHead>) {
        let file = NewFile::create(&self.path).map_err(anyhow::Error::from);
        match file.and_then(|file| Writer::new(file, heads)) {
            Ok(writer) => self.writer = Some(writer),
            Err(error) => self.outcome = Err(error),
        }
    }

    fn row(&mut self, cells: &[CellValue<'_>]) {
        if let Some(writer) = self.writer.as_mut().filter(|_| self.outcome.is_ok()) {
            self.outcome = writer.row(cells);
            self.rows += 1;
        }
    }
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let blocks = &arguments.blocks;
    let is_selection = blocks.line_up.is_some() || blocks.block.is_some();
    ensure!(
        arguments
            .tables
            .iter()
            .any(|table| matches!(table.origin, RowOrigin::Replayed(_)))
            || !is_selection,
        "--line-up and --block select only for the tables deals, decisions and numbers: name one \
         of them with --tables"
    );
    let stop = signals::stop_flag()?;
    let folder = &arguments.output;
    fs::create_dir_all(folder).at(folder)?;
    let open = || Session::open(&arguments.league, blocks.store.as_deref());
    let (league, store) = open()?.into_stored()?;
    let report = arguments
        .tables
        .iter()
        .any(|table| matches!(table.origin, RowOrigin::Report(_)));
    let report = report
        .then(|| of_store(&store, league.as_ref(), &arguments.tests.report_options()))
        .transpose()?;
    let mut outcome = Outcome::Done;
    for table in &arguments.tables {
        Interrupted::check(&stop)?;
        let mut file = File {
            path: folder.join(format!("{}.parquet", table.name)),
            writer: None,
            rows: 0,
            outcome: Ok(()),
        };
        match (table.origin, &report) {
            (RowOrigin::Report(fill), Some((standings, samples))) => {
                fill(standings, samples, &mut file);
            }
            (RowOrigin::Report(_), None) => continue,
            (RowOrigin::Store(fill), _) => fill(&store, &mut file)?,
            (RowOrigin::Replayed(table), _) => {
                let opened = SelectedBlocks::new(open()?, blocks)?;
                outcome = match replay(&opened, table, &mut file, &stop)? {
                    Outcome::Done => outcome,
                    other => other,
                };
            }
        }
        file.finish()?;
    }
    Ok(outcome)
}

/// Replays the selected blocks that are in the store, and writes the rows of a table.
fn replay(
    opened: &SelectedBlocks,
    table: ReplayedTable,
    file: &mut File,
    stop: &AtomicBool,
) -> CommandResult {
    let game = named(&opened.played.prepared.league.game)?;
    let features = match table {
        ReplayedTable::Deals => vec![game.outcomes],
        ReplayedTable::Decisions => game.features.to_vec(),
        ReplayedTable::Numbers => Vec::new(),
    };
    let mut rows = table.begin(&features, file);
    let store = opened
        .played
        .store
        .as_ref()
        .context("the league has not been played yet; play it with `hattari run`")?;
    let mut outcome = Outcome::Done;
    for job in opened.jobs() {
        Interrupted::check(stop)?;
        if store.record(job)?.is_none() {
            continue;
        }
        let names = opened.played.prepared.names(job);
        let mut observer = BlockRows {
            table,
            rows: &mut rows,
            job,
            deal: 0,
            has_features: features.iter().any(|features| !features.is_empty()),
            view: Vec::new(),
            pending: Vec::new(),
            outcomes: vec![FeatureValues::new(); names.len()],
            names,
        };
        let replayed =
            Rerun::new(&opened.played.prepared, Some(store), job)?.play(&mut observer)?;
        if replayed.is_same == Some(false) {
            outcome = report_difference(job);
        }
    }
    Ok(outcome)
}

/// An observer that adds the rows of a block to a table.
struct BlockRows<'a, 'b> {
    table: ReplayedTable,
    rows: &'a mut RowWriter<'b, ReplayedRow>,
    job: JobId,
    /// Names of the entrants by line-up position.
    names: Vec<String>,
    /// Number of the current deal.
    deal: u32,
    /// `true` if the game has features that the table shows.
    has_features: bool,
    /// View of the seat that decides.
    view: Vec<u8>,
    /// Rows about the current deal whose payoffs are known at its end.
    pending: Vec<ReplayedRow>,
    /// Features of the outcome of the current deal, by player.
    outcomes: Vec<FeatureValues>,
}

impl BlockRows<'_, '_> {
    /// Returns a row about a player and its place in the line-up.
    fn row(&self, player: usize, place: usize) -> ReplayedRow {
        ReplayedRow {
            job: self.job,
            deal: self.deal,
            decision: 0,
            player,
            place,
            bot: self.names[place].clone(),
            choice: String::new(),
            payoff: 0,
            features: FeatureValues::new(),
            number: LoggedNumber::default(),
        }
    }
}

impl BlockObserver for BlockRows<'_, '_> {
    fn detail(&self) -> ObserverDetail {
        if self.table == ReplayedTable::Deals && !self.has_features {
            ObserverDetail::Ends
        } else {
            ObserverDetail::All
        }
    }

    fn asked(&mut self, position: &dyn Position, seat: u8, _: usize) {
        self.view.clear();
        position.view(seat, &mut self.view);
    }

    fn acted(&mut self, position: &dyn Position, taken: &TakenAction<'_>) {
        let (Decider::Bot, Some(decision)) = (taken.decider, taken.decision) else {
            return;
        };
        let row = || ReplayedRow {
            decision,
            ..self.row(position.player_at(taken.seat), taken.entrant)
        };
        match self.table {
            ReplayedTable::Deals => {}
            ReplayedTable::Decisions => {
                let game = position.game();
                let mut features = game.position_features(&self.view);
                features.extend(game.choice_features(&self.view, taken.action, taken.amount));
                self.pending.push(ReplayedRow {
                    choice: taken.choice(),
                    features,
                    ..row()
                });
            }
            ReplayedTable::Numbers => {
                let rows: Vec<ReplayedRow> = numbers::of_last_decision()
                    .into_iter()
                    .map(|number| ReplayedRow { number, ..row() })
                    .collect();
                rows.iter().for_each(|row| self.rows.add(row));
            }
        }
    }

    fn outcome(&mut self, position: &dyn Position) {
        if self.table == ReplayedTable::Deals {
            for (player, outcome) in self.outcomes.iter_mut().enumerate() {
                *outcome = position.outcome_features(position.seat_of(player));
            }
        }
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        if self.table == ReplayedTable::Deals {
            for (player, &place) in entrants.iter().enumerate() {
                let features = std::mem::take(&mut self.outcomes[player]);
                self.pending.push(ReplayedRow {
                    features,
                    ..self.row(player, place)
                });
            }
        }
        for mut row in self.pending.drain(..) {
            row.payoff = payoffs[row.player];
            self.rows.add(&row);
        }
        self.deal += 1;
    }
}
