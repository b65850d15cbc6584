//! `hattari calc luck`.

use crate::cli::folders::Folders;
use crate::cli::{CommandResult, Outcome, output};
use anyhow::{Context, ensure};
use hattari_agents::record::JobId;
use hattari_agents::table::{BlockObserver, ObserverDetail, game};
use hattari_play::prepared::PreparedLeague;
use hattari_play::session::Session;
use hattari_play::store::Store;
use hattari_plugin::games::{ChanceEvent, LUCK_PARTS};
use hattari_report::numbers::{decimals, signed};
use hattari_report::replay::rerun::Rerun;
use hattari_report::report::PrintedResult;
use hattari_report::report::table::{Align, Cell, Grid, Section};
use std::path::PathBuf;

/// Show the luck of each bot by block, or by deal of one block
#[derive(clap::Args, Debug)]
#[command(after_help = "\
The luck of a chance event is the estimated value of its result minus the mean over all possible \
results, in points. Without --block, prints the luckiest and unluckiest of all played blocks. \
With --block, replays that block and prints every deal. `hattari report` shows luck-adjusted \
scores.

Examples:
  hattari calc luck leagues/demo.yaml
  hattari calc luck leagues/demo.yaml --block 0:17

Exit codes: 0 printed, 1 the replayed block differs from the stored record, 2 any error.")]
pub(super) struct Arguments {
    /// A league, or its store
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Show the deals of one block: number of the line-up and of the block in it, from 0
    #[arg(long, value_name = "LINE-UP:BLOCK", value_parser = block)]
    block: Option<JobId>,
    /// Number of luckiest and of unluckiest blocks to show for each bot
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "block")]
    top: u32,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
    #[command(flatten)]
    folders: Folders,
}

fn block(text: &str) -> Result<JobId, String> {
    let (line_up, block) = text
        .split_once(':')
        .and_then(|(line_up, block)| Some((line_up.parse().ok()?, block.parse().ok()?)))
        .ok_or("give the number of a line-up and of a block, as in 0:17")?;
    Ok(JobId { line_up, block })
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let store = Session::open(&arguments.league, None)?.into_stored()?.1;
    let league = store.league();
    let kinds = game(&league.game, &league.options)
        .map_err(anyhow::Error::msg)?
        .chances();
    ensure!(
        !kinds.is_empty(),
        "no luck can be measured: {} has no chance events that are evaluated with these options",
        league.game
    );
    let (section, is_same) = match arguments.block {
        Some(job) => deals(arguments, &store, job, kinds)?,
        None => (blocks(&store, kinds, arguments.top as usize)?, true),
    };
    let shown = if arguments.markdown {
        PrintedResult::Markdown(vec![section])
    } else {
        PrintedResult::Sections(vec![section])
    };
    output::print_drawn(&shown.into_text())?;
    if !is_same {
        output::tell("the replayed block differs from the stored record: its bots have changed");
        return Ok(Outcome::Found);
    }
    Ok(Outcome::Done)
}

/// A row of a table.
#[derive(Clone)]
struct LuckRow {
    names: Vec<String>,
    /// Points, then the luck of each type, in points.
    numbers: Vec<f64>,
}

impl LuckRow {
    /// Returns the luck of all types together.
    fn luck(&self) -> f64 {
        self.numbers[1..].iter().sum()
    }
}

fn table(
    title: &str,
    names: &[&str],
    kinds: &[&str],
    rows: &[LuckRow],
    notes: Vec<String>,
) -> Section {
    let mut columns: Vec<(&str, Align)> = names.iter().map(|name| (*name, Align::Left)).collect();
    columns.push(("points", Align::Right));
    columns.extend(kinds.iter().map(|kind| (*kind, Align::Right)));
    let mut table = Grid::new(&columns);
    let digits = decimals(
        rows.iter()
            .flat_map(|row| &row.numbers[1..])
            .map(|number| number.abs() / 10.0),
    );
    for LuckRow { names, numbers } in rows {
        let mut cells: Vec<Cell> = names.iter().map(|name| name.as_str().into()).collect();
        cells.extend(
            numbers
                .iter()
                .map(|number| Cell::from(signed(*number, digits))),
        );
        table.rows.push(cells);
    }
    Section {
        table: Some(table),
        notes,
        ..Section::new(title)
    }
}

/// Returns a table of the `top` luckiest and the `top` unluckiest blocks of each bot.
fn blocks(store: &Store, kinds: &[&str], top: usize) -> anyhow::Result<Section> {
    let entrants_of_league = &store.league().entrants;
    let line_ups = &store.schedule.line_ups;
    let mut rows_by_bot: Vec<Vec<LuckRow>> = vec![Vec::new(); entrants_of_league.len()];
    let mut unmeasured = 0;
    store.each_record(|record| {
        let entrants = &line_ups[record.job.line_up as usize];
        if record.luck.is_empty() {
            unmeasured += 1;
            return;
        }
        for (place, &entrant) in entrants.iter().enumerate() {
            let luck = record
                .luck
                .chunks(entrants.len())
                .map(|by_place| by_place[place] as f64 / LUCK_PARTS as f64);
            let points = record.sum[place] as f64;
            rows_by_bot[entrant].push(LuckRow {
                names: vec![
                    entrants_of_league[entrant].name.clone(),
                    format!("{}:{}", record.job.line_up, record.job.block),
                ],
                numbers: std::iter::once(points).chain(luck).collect(),
            });
        }
    })?;
    let mut rows = Vec::new();
    for mut rows_of_bot in rows_by_bot {
        rows_of_bot.sort_by(|a, b| b.luck().total_cmp(&a.luck()));
        let count = rows_of_bot.len();
        let extremes = rows_of_bot
            .into_iter()
            .enumerate()
            .filter(|(index, _)| *index < top || index + top >= count);
        rows.extend(extremes.map(|(_, row)| row));
    }
    ensure!(
        !rows.is_empty(),
        "luck was not measured for any block of this store: play the league into another file \
        (hattari run --store FILE)"
    );
    let mut notes = vec![format!(
        "The {top} luckiest and the {top} unluckiest blocks of each bot: points scored in the \
         block, and how many of them are due to luck. `--block LINE-UP:BLOCK` shows the deals of a \
         block."
    )];
    if unmeasured > 0 {
        notes.push(format!(
            "Number of blocks left out because luck was not measured: {unmeasured}."
        ));
    }
    Ok(table(
        "Luck by block",
        &["bot", "block"],
        kinds,
        &rows,
        notes,
    ))
}

/// Returns a table of the luck in each deal of a block, and `false` if the replayed block differs
/// from its record.
fn deals(
    arguments: &Arguments,
    store: &Store,
    job: JobId,
    kinds: &[&str],
) -> anyhow::Result<(Section, bool)> {
    let league = store.league();
    let blocks = store.schedule.blocks_by_line_up();
    let played = blocks
        .get(job.line_up as usize)
        .is_some_and(|&blocks| job.block < blocks);
    ensure!(
        played,
        "there is no block {}:{} in this league",
        job.line_up,
        job.block
    );
    let prepared = PreparedLeague::of_store(store, &arguments.folders.folders)?;
    let places = prepared.line_up(job).to_vec();
    let mut observer = LuckObserver {
        kinds: kinds.len(),
        ..LuckObserver::default()
    };
    let replayed = Rerun::new(&prepared, Some(store), job)?
        .play(&mut observer)
        .context("the block cannot be replayed")?;
    let mut rows: Vec<LuckRow> = Vec::new();
    for (number, deal) in observer.deals.into_iter().enumerate() {
        rows.extend(deal.into_iter().map(|(place, numbers)| LuckRow {
            names: vec![
                number.to_string(),
                league.entrants[places[place]].name.clone(),
            ],
            numbers,
        }));
    }
    let note = "Points scored in each deal, and how many of them are due to luck.";
    let section = table(
        &format!("Luck in block {}:{}", job.line_up, job.block),
        &["deal", "bot"],
        kinds,
        &rows,
        vec![note.to_owned()],
    );
    Ok((section, replayed.is_same != Some(false)))
}

/// An observer that records the points and the luck of each bot in every deal.
#[derive(Default)]
struct LuckObserver {
    kinds: usize,
    /// Luck of the current deal, by player and type.
    luck: Vec<Vec<f64>>,
    /// The deals: place in the line-up, and points and luck, of each player.
    deals: Vec<Vec<(usize, Vec<f64>)>>,
}

impl BlockObserver for LuckObserver {
    fn detail(&self) -> ObserverDetail {
        ObserverDetail::Ends
    }

    fn chanced(&mut self, event: ChanceEvent<'_>) {
        self.luck.resize(event.worth.len(), vec![0.0; self.kinds]);
        for (luck, &worth) in self.luck.iter_mut().zip(event.worth) {
            luck[event.kind] += worth as f64 / LUCK_PARTS as f64;
        }
    }

    fn ended(&mut self, payoffs: &[i64], entrants: &[usize]) {
        let mut deal: Vec<(usize, Vec<f64>)> = self
            .luck
            .drain(..)
            .zip(payoffs)
            .zip(entrants)
            .map(|((luck, &payoff), &place)| {
                let numbers = std::iter::once(payoff as f64).chain(luck);
                (place, numbers.collect())
            })
            .collect();
        deal.sort_by_key(|(place, _)| *place);
        self.deals.push(deal);
    }
}
