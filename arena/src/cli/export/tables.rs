//! `hattari export parquet`: what a league's report and store hold, as tables.

use super::parquet::{Kind, Writer};
use super::{Blocks, Opened, Outcome, output, tell_of_other};
use crate::cli::report::{Tests, league_and_store};
use anyhow::{Context, bail};
use hattari_agents::files::NewFile;
use hattari_agents::record::{JobId, Record};
use hattari_agents::table::{Onlooker, Sight};
use hattari_agents::text::counted;
use hattari_play::pack::LeagueFile;
use hattari_play::store::Store;
use hattari_report::replay::again::Again;
use hattari_report::report::csv;
use hattari_report::standings::of_store;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) const HELP: &str = "\
A file for each table: standings.parquet, pairs.parquet and samples.parquet have the rows and columns of the CSV files of
`hattari report --format csv`, numbers as numbers and empty cells as nulls. blocks.parquet has a row for each seat of a block: line_up,
block, deals, place (in the line-up, from 0), bot, sum and sum_of_squares of its payoffs, faults, forfeited, digest of the block.
deals.parquet has a row for each player of a deal: line_up, block, deal, player, place, bot, payoff. A store keeps sums, so its games are
played again, as `hattari replay` does, where they are in the store; it is written where --tables names it.

Examples:
  hattari export parquet leagues/demo.yaml --output demo                 standings, pairs, samples, blocks
  hattari export parquet leagues/demo.yaml --output demo --tables deals --line-up 0
  python -c 'import polars; print(polars.read_parquet(\"demo/standings.parquet\"))'

Exit codes: 0 written, 1 a block does not come out as it is in the store, 2 any error.";

/// Arguments of the command.
#[derive(clap::Args, Debug)]
pub(super) struct Arguments {
    /// The league, or (but for its deals) its store
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// The folder to write to, made if there is none
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Which tables
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        value_name = "TABLE,…",
        default_value = "standings,pairs,samples,blocks"
    )]
    tables: Vec<Table>,
    /// For deals: which are played again
    #[command(flatten)]
    blocks: Blocks,
    #[command(flatten)]
    tests: Tests,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Table {
    /// A row for each bot
    Standings,
    /// A row for every two bots
    Pairs,
    /// A row for each bot and block
    Samples,
    /// A row for each seat of a block
    Blocks,
    /// A row for each player of a deal; its games are played again
    Deals,
}

impl Table {
    fn file(self) -> &'static str {
        match self {
            Table::Standings => "standings.parquet",
            Table::Pairs => "pairs.parquet",
            Table::Samples => "samples.parquet",
            Table::Blocks => "blocks.parquet",
            Table::Deals => "deals.parquet",
        }
    }

    /// The table as reports have it, for those that they have.
    fn of_report(self) -> Option<csv::Table> {
        match self {
            Table::Standings => Some(csv::Table::Standings),
            Table::Pairs => Some(csv::Table::Pairs),
            Table::Samples => Some(csv::Table::Samples),
            Table::Blocks | Table::Deals => None,
        }
    }
}

/// Columns of text, by name.
const TEXTS: [&str; 12] = [
    "bot",
    "digest",
    "a",
    "b",
    "method",
    "verdict",
    "in_words",
    "not_testable",
    "sequential_first",
    "sequential_decision",
    "sequential_evidence_kind",
    "sequential_bias",
];
/// Columns of whole numbers; all that are named nowhere are numbers with a point.
const WHOLES: [&str; 22] = [
    "line_up",
    "block",
    "deals",
    "deal",
    "player",
    "place",
    "n",
    "blocks",
    "required_blocks",
    "required_blocks_low",
    "required_blocks_high",
    "sequential_rounds",
    "faults",
    "forfeits",
    "decisions",
    "worst_decision_ns",
    "killed_blocks",
    "kills",
    "cluster",
    "sum",
    "sum_of_squares",
    "payoff",
];

/// What a column of a table holds.
fn kind(column: &str) -> Kind {
    match column {
        "forfeited" => Kind::Truth,
        column if TEXTS.contains(&column) => Kind::Text,
        column if WHOLES.contains(&column) => Kind::Whole,
        _ => Kind::Real,
    }
}

/// A table's file that is being written; the first row names its columns.
struct Sheet {
    path: PathBuf,
    writer: Option<Writer<NewFile>>,
    rows: u64,
    /// The first thing that went wrong.
    outcome: anyhow::Result<()>,
}

impl Sheet {
    fn new(folder: &Path, table: Table) -> Sheet {
        Sheet {
            path: folder.join(table.file()),
            writer: None,
            rows: 0,
            outcome: Ok(()),
        }
    }

    fn row(&mut self, cells: &[&str]) {
        if self.outcome.is_ok() {
            self.outcome = self
                .try_row(cells)
                .with_context(|| self.path.display().to_string());
        }
    }

    fn try_row(&mut self, cells: &[&str]) -> anyhow::Result<()> {
        if let Some(writer) = &mut self.writer {
            self.rows += 1;
            return writer.row(cells);
        }
        let columns = cells.iter().map(|&name| (name.to_owned(), kind(name)));
        self.writer = Some(Writer::new(NewFile::create(&self.path)?, columns)?);
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        self.outcome?;
        if let Some(writer) = self.writer {
            let finished = writer.finish().and_then(|file| Ok(file.finish()?));
            finished.with_context(|| self.path.display().to_string())?;
        }
        output::tell(format_args!(
            "{}: {}",
            output::short(&self.path),
            counted(self.rows, "row")
        ));
        Ok(())
    }
}

/// Runs the command.
pub(super) fn main(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let folder = &arguments.output;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let (league, store) = league_and_store(&arguments.league, arguments.blocks.store.as_deref())?;
    let wanted = |table: &&Table| table.of_report().is_some();
    if arguments.tables.iter().any(|table| wanted(&table)) {
        let (standings, samples) = of_store(&store, league.as_ref(), &arguments.tests.wishes())?;
        for &table in arguments.tables.iter().filter(wanted) {
            let mut sheet = Sheet::new(folder, table);
            let of_report = table.of_report().context("it is one of a report's")?;
            csv::rows(of_report, &standings, &samples, &mut |cells| {
                sheet.row(cells)
            });
            sheet.finish()?;
        }
    }
    if arguments.tables.contains(&Table::Blocks) {
        blocks(&store, Sheet::new(folder, Table::Blocks))?;
    }
    if arguments.tables.contains(&Table::Deals) {
        deals(arguments)
    } else {
        Ok(Outcome::Done)
    }
}

/// A row for each seat of a block, as the store has them.
fn blocks(store: &Store, mut sheet: Sheet) -> anyhow::Result<()> {
    let columns = [
        "line_up",
        "block",
        "deals",
        "place",
        "bot",
        "sum",
        "sum_of_squares",
        "faults",
        "forfeited",
        "digest",
    ];
    sheet.row(&columns);
    let (league, schedule) = (store.league(), store.schedule());
    store.each_record(|record| {
        let Record {
            job,
            deals,
            sum,
            product,
            fault_counts,
            forfeits,
            digest,
            ..
        } = &record;
        let entrants = schedule
            .line_ups
            .get(job.line_up as usize)
            .map_or(&[][..], |line_up| &line_up.entrants);
        for (place, &entrant) in entrants.iter().enumerate() {
            let is_forfeited = forfeits >> place & 1;
            let at = |list: &[i64], number: usize| {
                list.get(number)
                    .map(ToString::to_string)
                    .unwrap_or_default()
            };
            sheet.row(&[
                &job.line_up.to_string(),
                &job.block.to_string(),
                &deals.to_string(),
                &place.to_string(),
                &league.entrants[entrant].name,
                &at(sum, place),
                &at(product, place * (entrants.len() + 1)),
                &fault_counts.get(place).copied().unwrap_or(0).to_string(),
                &is_forfeited.to_string(),
                &format!("{digest:016x}"),
            ]);
        }
    })?;
    sheet.finish()
}

/// A row for each player of a deal, of what is in the store and asked for.
fn deals(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let file = LeagueFile::open(&arguments.league)?;
    let opened = Opened::new(&arguments.league, &file, &file.load()?, &arguments.blocks)?;
    let store = match &opened.found {
        Some(Ok(store)) => store,
        Some(Err(why)) => bail!("the store is of another league: {why}"),
        None => bail!("the league has not been played: `hattari run` plays it"),
    };
    let mut sheet = Sheet::new(&arguments.output, Table::Deals);
    sheet.row(&[
        "line_up", "block", "deal", "player", "place", "bot", "payoff",
    ]);
    let mut outcome = Outcome::Done;
    for job in opened.jobs() {
        if store.record(job)?.is_none() {
            continue;
        }
        let names = opened.cast.names(job);
        let mut payoffs = Payoffs {
            sheet: &mut sheet,
            job,
            names: &names,
            deal: 0,
        };
        let remade = Again::new(&opened.cast, Some(store), job)?.play(&mut payoffs)?;
        if remade.is_same == Some(false) {
            outcome = tell_of_other(job);
        }
    }
    sheet.finish()?;
    Ok(outcome)
}

/// Writes down what deals of a block bring.
struct Payoffs<'a> {
    sheet: &'a mut Sheet,
    job: JobId,
    /// By place in the line-up.
    names: &'a [String],
    deal: u32,
}

impl Onlooker for Payoffs<'_> {
    fn sight(&self) -> Sight {
        Sight::Ends
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        let JobId { line_up, block } = self.job;
        for (player, (payoff, &place)) in payoffs.iter().zip(entrants).enumerate() {
            let numbers = [line_up, block, self.deal].map(|number| number.to_string());
            let (player, seat, payoff) =
                (player.to_string(), place.to_string(), payoff.to_string());
            self.sheet.row(&[
                &numbers[0],
                &numbers[1],
                &numbers[2],
                &player,
                &seat,
                &self.names[place],
                &payoff,
            ]);
        }
        self.deal += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_what_its_name_says() {
        for (column, expected) in [
            ("bot", Kind::Text),
            ("block", Kind::Whole),
            ("p_adjusted", Kind::Real),
            ("place_1", Kind::Real),
            ("place", Kind::Whole),
            ("forfeited", Kind::Truth),
        ] {
            assert_eq!(kind(column), expected, "{column}");
        }
    }
}
