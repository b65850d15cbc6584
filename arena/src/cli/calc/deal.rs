//! `hattari calc deal`.

use crate::cli::options::{choice, open_input};
use crate::cli::{CommandResult, Outcome, output, parallel, signals};
use anyhow::{Context, bail, ensure};

use hattari_agents::agent::lock;
use hattari_agents::text::joined;
use hattari_double_dummy::{
    Card, Deal, DoubleDummy, Engine, MEMORY_MIB_DEFAULT, Position, Seat, Side, Strain,
};
use hattari_plugin::games::bridge::{GameRecord, read_games};
use hattari_report::report::PrintedResult;
use hattari_report::report::table::{Align, Cell, CellColour, Grid, Section};
use hattari_study::threads;
use serde_json::{Map, Value, json};
use std::io::Read;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Solve a bridge deal double dummy: the number of tricks for each legal card
#[derive(clap::Args, Debug)]
#[command(after_help = "\
For every legal card, prints the number of tricks that declarer's side takes in the whole deal \
if all four players see all cards and play perfectly from there. Tricks already won are \
included. The leader leads to the first trick; declarer sits to the leader's right.

A file contains one deal per line: the deal, then optionally strain, leader and cards played, \
separated by spaces. Values that are missing come from the options. Empty lines and text after a \
# are ignored. A file of PBN or LIN records is accepted, too: strain and leader come from each \
contract, and the recorded play is ignored. Passed-out boards are skipped unless --strain and \
--leader are given. Boards that cannot be read are listed with their lines; the others are \
solved. `-` reads standard input.

Examples:
  hattari calc deal 'N:KT875.AQ87.87.K6 32.T9.AQT.QJT987 J94.K432.9432.32 AQ6.J65.KJ65.A54' \\
      --strain NT --leader N --played 'S7 S2 SJ'
  hattari calc deal --file deals.txt --strain NT --leader N --json
  deals.txt:  N:AQ... K2... 54... 63...  NT S
              N:AQ... K2... 54... 63...  S S  S5 S3

Exit codes: 0 solved, 1 some boards of a file cannot be read, 2 any error.")]
pub(super) struct Arguments {
    /// The deal in PBN notation: seat of the first hand, colon, four hands clockwise
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    deal: Option<String>,
    /// A file of deals, one per line, or of PBN or LIN records
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Trump suit (S, H, D or C), or NT
    #[arg(long, value_name = "STRAIN", required_unless_present = "file")]
    strain: Option<Strain>,
    /// The seat that leads to the first trick: N, E, S or W
    #[arg(long, value_name = "SEAT", required_unless_present = "file")]
    leader: Option<Seat>,
    /// The cards played so far, in order: "S7 S2 SJ"
    #[arg(long, value_name = "CARDS", default_value = "")]
    played: String,
    /// Solver to use
    #[arg(long, default_value = "own", value_parser = choice(ENGINES))]
    engine: Engine,
    /// Number of threads for a file of deals (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Print JSON; for a file, one line per deal
    #[arg(long)]
    json: bool,
}

/// The values of `--engine`.
const ENGINES: &[(&str, &str, Engine)] = &[
    ("own", "The project's own solver", Engine::Own),
    (
        "libdds",
        "The libdds library of this system; an error if it is not installed",
        Engine::Libdds,
    ),
    (
        "auto",
        "libdds if it is installed, otherwise the project's own solver",
        Engine::Auto,
    ),
];

/// A deal with the cards played so far.
struct DealPosition {
    deal: Deal,
    strain: Strain,
    leader: Seat,
    played: Vec<Card>,
    position: Position,
    /// Tricks won by declarer's side.
    won: u8,
}

/// The number of tricks for each legal card.
type CardTricks = Vec<(Card, u8)>;

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let engine = arguments.engine;
    if let Some(file) = &arguments.file {
        let (positions, left_out) = read(file, arguments)?;
        let jobs = threads(arguments.jobs).min(positions.len());
        let solvers: Result<Vec<DoubleDummy>, _> = (0..jobs)
            .map(|_| DoubleDummy::new(engine, MEMORY_MIB_DEFAULT))
            .collect();
        // Each thread takes a solver for a deal, and puts it back.
        let solvers = Mutex::new(solvers?);
        let stop = signals::stop_flag()?;
        let solutions = parallel::map(&stop, &positions, jobs, |position| {
            let mut solver = lock(&solvers)
                .pop()
                .context("no solver is left for this thread")?;
            let solution = position.solve(&mut solver);
            lock(&solvers).push(solver);
            solution
        })?;
        let solved = positions.iter().zip(&solutions);
        if arguments.json {
            let lines =
                solved.map(|(position, solution)| position.json(solution).to_string() + "\n");
            output::print(&lines.collect::<String>())?;
        } else {
            let sections = solved.map(|(position, solution)| position.section(solution));
            output::print_drawn(&PrintedResult::Sections(sections.collect()).into_text())?;
        }
        left_out
            .iter()
            .for_each(|board| output::tell(format_args!("{}: {board}", file.display())));
        return Ok(Outcome::of_search(!left_out.is_empty()));
    }
    let (Some(deal), Some(strain), Some(leader)) =
        (&arguments.deal, arguments.strain, arguments.leader)
    else {
        bail!("a deal needs --strain and --leader");
    };
    let position = DealPosition::new(deal, strain, leader, &arguments.played)?;
    let solution = position.solve(&mut DoubleDummy::new(engine, MEMORY_MIB_DEFAULT)?)?;
    let sections = || vec![position.section(&solution)];
    let shown = PrintedResult::json_or(arguments.json, &position.json(&solution), sections)?;
    output::print_drawn(&shown.into_text())
}

/// Reads the deals of a file. Also returns the boards that cannot be read.
fn read(file: &Path, arguments: &Arguments) -> anyhow::Result<(Vec<DealPosition>, Vec<String>)> {
    let mut bytes = Vec::new();
    open_input(file)
        .and_then(|mut input| input.read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {}", file.display()))?;
    // The standard character set of PBN is ISO 8859-1, but most files are UTF-8.
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    let games = read_games(&text);
    let format = games
        .as_ref()
        .map_or("", |_| ", read as PBN or LIN records");
    let (positions, left_out) = match games {
        Some(games) => {
            let mut left_out = games.refused;
            let positions = deals_of_records(&games.read, arguments, &mut left_out);
            (positions, left_out)
        }
        None => {
            let mut positions = Vec::new();
            for (number, line) in (1..).zip(text.lines()) {
                let line = line.split('#').next().unwrap_or_default().trim();
                if !line.is_empty() {
                    let position = parse_line(line, arguments)
                        .with_context(|| format!("{}, line {number}", file.display()))?;
                    positions.push(position);
                }
            }
            (positions, Vec::new())
        }
    };
    let refused = left_out.iter().map(|board| format!("\n{board}"));
    ensure!(
        !positions.is_empty(),
        "{}{format}: no deal to solve{}",
        file.display(),
        refused.collect::<String>()
    );
    Ok((positions, left_out))
}

/// Returns the deals of a file of records. Strain and leader come from the contract, or from the
/// options if there is none. A passed-out board is skipped unless the options set both. Boards that
/// cannot be solved are added to `left_out`.
fn deals_of_records(
    games: &[GameRecord],
    arguments: &Arguments,
    left_out: &mut Vec<String>,
) -> Vec<DealPosition> {
    let mut positions = Vec::new();
    for (number, game) in (1..).zip(games) {
        let Some(deal) = game.deal else { continue };
        let contract = game.contract;
        if game.passed_out && (arguments.strain.is_none() || arguments.leader.is_none()) {
            continue;
        }
        let position = || {
            let strain = contract
                .map(|contract| contract.strain)
                .or(arguments.strain)
                .context("the record has no contract: give the trump suit with --strain")?;
            let leader = contract
                .map(|contract| contract.declarer.after(1))
                .or(arguments.leader)
                .context("the record has no contract: give the seat that leads with --leader")?;
            DealPosition::new(&deal.to_string(), strain, leader, &arguments.played)
        };
        match position() {
            Ok(position) => positions.push(position),
            Err(error) => left_out.push(format!("game {number}: {error:#}")),
        }
    }
    positions
}

/// Parses a line of a file: four hands, then optional strain, leader and played cards.
fn parse_line(line: &str, arguments: &Arguments) -> anyhow::Result<DealPosition> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (hands, rest) = words.split_at(words.len().min(4));
    let strain = rest
        .first()
        .map(|word| word.parse())
        .transpose()?
        .or(arguments.strain)
        .context("the line has no strain: add it, or give --strain")?;
    let leader = rest
        .get(1)
        .map(|word| word.parse())
        .transpose()?
        .or(arguments.leader)
        .context("the line has no leader: add it, or give --leader")?;
    let played = if rest.len() > 2 {
        rest[2..].join(" ")
    } else {
        arguments.played.clone()
    };
    DealPosition::new(&hands.join(" "), strain, leader, &played)
}

impl DealPosition {
    fn new(deal: &str, strain: Strain, leader: Seat, played: &str) -> anyhow::Result<Self> {
        let deal: Deal = deal.parse()?;
        let mut position = Position::new(deal.hands, strain, leader, &[])?;
        let declarers = leader.after(3).side();
        let (mut cards, mut won) = (Vec::new(), 0);
        for word in played
            .split([' ', ',', '\t'])
            .filter(|word| !word.is_empty())
        {
            let card = word.parse()?;
            let winner = position
                .play(card)
                .with_context(|| format!("card {} of the cards played", cards.len() + 1))?;
            won += u8::from(winner.is_some_and(|seat| seat.side() == declarers));
            cards.push(card);
        }
        Ok(Self {
            deal,
            strain,
            leader,
            played: cards,
            position,
            won,
        })
    }

    fn declarer(&self) -> Seat {
        self.leader.after(3)
    }

    fn solve(&self, solver: &mut DoubleDummy) -> anyhow::Result<CardTricks> {
        let mut tricks = solver.tricks_by_card(&self.position, self.declarer().side())?;
        for (_, tricks) in &mut tricks {
            *tricks += self.won;
        }
        // Usual order of a hand: spades first, high cards first.
        tricks.sort_by_key(|&(card, _)| (card.suit(), std::cmp::Reverse(card.rank())));
        Ok(tricks)
    }

    /// Returns the number of declarer's tricks after the best card of the side to play, or `None`
    /// if all cards have been played.
    fn best(&self, solution: &CardTricks) -> Option<u8> {
        let tricks = solution.iter().map(|&(_, tricks)| tricks);
        if self.position.to_play().side() == self.declarer().side() {
            tricks.max()
        } else {
            tricks.min()
        }
    }

    fn json(&self, solution: &CardTricks) -> Value {
        let tricks: Map<String, Value> = solution
            .iter()
            .map(|(card, n)| (card.to_string(), json!(n)))
            .collect();
        let is_over = solution.is_empty();
        json!({
            "deal": self.deal.to_string(),
            "strain": self.strain.to_string(),
            "leader": self.leader.letter().to_string(),
            "declarer": self.declarer().letter().to_string(),
            "played": self.played.iter().map(Card::to_string).collect::<Vec<_>>(),
            "to_play": (!is_over).then(|| self.position.to_play().letter().to_string()),
            "won": self.won,
            "tricks": tricks,
            "best": self.best(solution),
        })
    }

    fn section(&self, solution: &CardTricks) -> Section {
        let side = match self.declarer().side() {
            Side::NorthSouth => "North-South",
            Side::EastWest => "East-West",
        };
        let mut table = Grid::new(&[("card", Align::Left), ("tricks", Align::Right)]);
        let best = self.best(solution);
        for &(card, tricks) in solution {
            let colour = if Some(tricks) == best {
                CellColour::Ahead
            } else {
                CellColour::Plain
            };
            table.rows.push(vec![
                card.to_string().into(),
                Cell::coloured(tricks.to_string(), colour),
            ]);
        }
        let to_play = if solution.is_empty() {
            "all cards have been played".into()
        } else {
            format!("{} to play", self.position.to_play())
        };
        let mut notes = vec![self.deal.to_string()];
        if !self.played.is_empty() {
            let played = joined(self.played.iter().map(Card::to_string), " ");
            notes.push(format!(
                "played: {}; tricks won by {side} so far: {}",
                played, self.won
            ));
        }
        Section {
            table: (!solution.is_empty()).then_some(table),
            notes,
            ..Section::new(format!(
                "{to_play}: total tricks of {side} ({} by {})",
                self.strain,
                self.declarer()
            ))
        }
    }
}
