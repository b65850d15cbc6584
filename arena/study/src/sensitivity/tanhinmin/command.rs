//! Solves tanhinmin for several sizes: tables 1 and 2 of the paper.

use super::search::{Conventions, Opponents};
use super::sensitivity::{HandReport, Size, SizeReport, TieRule, hands, solve_size};
use super::table::Memory;
use crate::host::StudyResult;
use crate::league::threads;
use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hattari_agents::text::joined;
use hattari_plugin::games::tanhinmin::{LeadRule, PassRule};
use hattari_report::grid;
use hattari_report::report::PrintedResult;
use hattari_report::report::table::{Cell, Section};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::num::NonZeroUsize;
use std::time::Instant;

/// Arguments of `hattari study tanhinmin`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Every deal is searched with all cards visible; player 0 leads. A hand has sensitivity 0 if one \
lead is best in every deal of the other cards. The results are shown next to those of Nishino & \
Nishino, \"Chance Node Sensitivity of the game of Computer Daihinmin\" (2013), tables 1 and 2. \
The paper does not state all its conventions, so they are options here.

Examples:
  hattari study tanhinmin                           all sizes of the paper
  hattari study tanhinmin --cards 3 --players 4 --hands
  hattari study tanhinmin --opponents paranoid --pass free --lead lowest
  hattari study tanhinmin --cards 3 --players 5 --memory 4096

Exit codes: 0 solved, 2 any error.")]
pub(crate) struct Arguments {
    /// Number of cards per player (default: all numbers in the paper)
    #[arg(long, value_name = "N")]
    cards: Option<u32>,
    /// Number of players (default: 2 to 5)
    #[arg(long, value_name = "M")]
    players: Option<u32>,
    /// Duration of a pass
    #[arg(long, value_parser = named::<PassRule>(PASS), default_value = "permanent")]
    pass: PassRule,
    /// The player who leads if the last player to play has gone out
    #[arg(long, value_parser = named::<LeadRule>(LEAD), default_value = "next")]
    lead: LeadRule,
    /// The goal of the other players
    #[arg(long, value_parser = named::<Opponents>(OPPONENTS), default_value = "maxn-paranoid")]
    opponents: Opponents,
    /// The leads that count as best in case of a tie
    #[arg(long, value_parser = named::<TieRule>(TIES), default_value = "every")]
    ties: TieRule,
    /// Print every hand of player 0, with the number of deals in which each lead is best
    #[arg(long)]
    hands: bool,
    /// Number of threads (default: one per core)
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Memory of the search in MiB (default: as much as the size can use, at most 1,024)
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const PASS: &Values = &[
    (
        "permanent",
        "A player who passes may not play until the table is cleared",
    ),
    (
        "free",
        "A player who passes may play again after another has played",
    ),
];
const LEAD: &Values = &[
    ("next", "The next player in turn"),
    ("lowest", "The player with the lowest number"),
];
const OPPONENTS: &Values = &[
    (
        "maxn-paranoid",
        "The best result for themselves; among equal ones, the worst for player 0",
    ),
    (
        "maxn",
        "The best result for themselves; among equal ones, the weakest card",
    ),
    ("paranoid", "The worst result for player 0"),
];
const TIES: &Values = &[
    ("every", "All best leads"),
    ("weakest", "The weakest card"),
    ("strongest", "The strongest card"),
];

/// Names of an option's values, as in leagues and JSON, each with its help text.
type Values = [(&'static str, &'static str)];

/// Returns a parser for an option whose values are names.
fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    values: &'static Values,
) -> impl TypedValueParser<Value = T> {
    let values = values
        .iter()
        .map(|(name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(values).try_map(|name| serde_json::from_value::<T>(name.into()))
}

/// Maximum number of deals of the sizes that are solved by default. All sizes of the paper have
/// fewer deals; 4 x 4 and 3 x 5 have more and take minutes.
const DEALS_DEFAULT: f64 = 1e6;

/// Table 2 of the paper: cards, players, the number of hands with sensitivity 0 and the number of
/// all hands, and the standard deviation of the worst hand. 42/42 must be a misprint of 70/70,
/// because there are C(8, 4) = 70 hands.
const PUBLISHED: &[(u32, u32, &str, &str)] = &[
    (1, 2, "2/2", "0"),
    (1, 3, "3/3", "0"),
    (1, 4, "4/4", "0"),
    (1, 5, "5/5", "0"),
    (2, 2, "6/6", "0"),
    (2, 3, "15/15", "0"),
    (2, 4, "28/28", "0"),
    (2, 5, "45/45", "0"),
    (3, 2, "20/20", "0"),
    (3, 3, "74/84", "0.36"),
    (3, 4, "123/220", "0.45"),
    (4, 2, "42/42", "0"),
    (4, 3, "420/495", "0.38"),
    (5, 2, "252/252", "0"),
];

#[derive(Serialize)]
struct SolvedSize {
    #[serde(flatten)]
    outlook: SizeReport,
    worst_variance: f64,
    worst_deviation: f64,
    published_zero: Option<&'static str>,
    published_worst: Option<&'static str>,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reports: Option<Vec<HandReport>>,
}

/// Solves the requested sizes.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<StudyResult> {
    let jobs = threads(arguments.jobs);
    let mut solved = Vec::new();
    for size in sizes(arguments)? {
        solved.push(solve(size, arguments, jobs)?);
    }
    let json = serde_json::json!({
        "conventions": conventions(arguments), "ties": arguments.ties, "sizes": solved
    });
    let sections = || {
        std::iter::once(sizes_section(&solved))
            .chain(solved.iter().filter_map(hands_section))
            .collect()
    };
    Ok(PrintedResult::json_or(arguments.json, &json, sections)?.into())
}

fn conventions(arguments: &Arguments) -> Conventions {
    Conventions {
        pass: arguments.pass,
        lead: arguments.lead,
        opponents: arguments.opponents,
    }
}

/// Returns the requested sizes. If only one of the two numbers or none is given, sizes with more
/// than [`DEALS_DEFAULT`] deals are left out.
fn sizes(arguments: &Arguments) -> anyhow::Result<Vec<Size>> {
    let cards = arguments.cards.map_or(1..=5, |cards| cards..=cards);
    let both = arguments.cards.is_some() && arguments.players.is_some();
    let mut sizes = Vec::new();
    for cards in cards {
        for players in arguments.players.map_or(2..=5, |players| players..=players) {
            let size = Size { cards, players };
            if both {
                size.check()
                    .with_context(|| format!("{cards} cards for {players} players"))?;
            }
            if both || (size.check().is_ok() && size.all_deals() <= DEALS_DEFAULT) {
                sizes.push(size);
            }
        }
    }
    anyhow::ensure!(
        !sizes.is_empty(),
        "no size in this range can be solved quickly; give both --cards and --players"
    );
    Ok(sizes)
}

fn solve(size: Size, arguments: &Arguments, jobs: usize) -> anyhow::Result<SolvedSize> {
    let hands = hands(size).len() as u64;
    let bar = if arguments.json {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(hands)
    };
    bar.set_style(ProgressStyle::with_template(
        "{prefix} {wide_bar} {pos}/{len} hands, {eta} left",
    )?);
    bar.set_prefix(format!("{} cards, {} players", size.cards, size.players));
    let start = Instant::now();
    let memory = arguments
        .memory
        .map_or_else(|| Memory::for_size(size), Memory::mib);
    let progress = |done: usize| bar.set_position(done as u64);
    let (outlook, reports) = solve_size(
        size,
        conventions(arguments),
        arguments.ties,
        memory,
        jobs,
        &progress,
    )?;
    bar.finish_and_clear();
    let published = PUBLISHED
        .iter()
        .find(|published| (published.0, published.1) == (size.cards, size.players));
    Ok(SolvedSize {
        worst_variance: outlook.worst_variance(),
        worst_deviation: outlook.worst_deviation(),
        published_zero: published.map(|published| published.2),
        published_worst: published.map(|published| published.3),
        seconds: start.elapsed().as_secs_f64(),
        reports: arguments.hands.then_some(reports),
        outlook,
    })
}

fn sizes_section(solved: &[SolvedSize]) -> Section {
    let rows = solved.iter().map(|row| {
        let zero = format!("{}/{}", row.outlook.zero, row.outlook.hands);
        let differs = row
            .published_zero
            .is_some_and(|published| published != zero);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count"
        )]
        let all = row.outlook.size.all_deals() as u64;
        (row, &row.outlook, zero, differs, all)
    });
    let table = grid! { (row, outlook, zero, differs, all) in rows;
        "cards", Right = outlook.size.cards;
        "players", Right = outlook.size.players;
        "all deals", Right = all;
        "deals per hand", Right = outlook.deals;
        "hands of sensitivity 0", Right = zero;
        "worst: best in", Right = format!("{}/{}", outlook.worst, outlook.deals);
        "deviation", Right = format!("{:.3}", outlook.worst_deviation());
        "variance", Right = format!("{:.3}", outlook.worst_variance());
        "paper: sensitivity 0", Right = Cell::warning(row.published_zero.unwrap_or("-"), differs);
        "worst", Right = row.published_worst.unwrap_or("-");
        "seconds", Right = format!("{:.2}", row.seconds);
    };
    let same = solved
        .iter()
        .filter(|s| s.published_zero == Some(&*format!("{}/{}", s.outlook.zero, s.outlook.hands)));
    let published = solved.iter().filter(|s| s.published_zero.is_some()).count();
    let heading = "Tanhinmin: does the best lead depend on the hidden cards?";
    Section::of(heading, table)
        .note(format!(
            "For {} of the {published} sizes in the paper, the number of hands of sensitivity 0 \
             is the same.",
            same.count()
        ))
        .note(
            "worst: the hand whose most reliable lead is best in the fewest deals. The paper \
             prints its standard deviation; equation 6 of the paper defines its variance. The \
             paper's 42/42 for 4 cards and 2 players should be 70/70, the number of hands.",
        )
}

fn hands_section(solved: &SolvedSize) -> Option<Section> {
    let reports = solved.reports.as_ref()?;
    let cards = |report: &HandReport| joined(report.hand.iter().map(u32::to_string), " ");
    let leads = |report: &HandReport| {
        let leads = report.hand.iter().zip(&report.best);
        joined(leads.map(|(card, best)| format!("{card}: {best}")), "  ")
    };
    let table = grid! { report in reports;
        "hand", Left = cards(report);
        "deals in which each lead is best", Left = leads(report);
        "of", Right = report.deals;
    };
    let Size { cards, players } = solved.outlook.size;
    let heading = format!("Hands of {cards} cards, {players} players");
    Some(Section::of(heading, table))
}
