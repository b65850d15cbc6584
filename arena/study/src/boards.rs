//! The study of deception in bridge: compares the pairs of a league board by board.

use crate::host::StudyResult;
use anyhow::{Context, ensure};
use hattari_play::league::Format;
use hattari_play::session::Session;
use hattari_play::store::Store;
use hattari_plugin::games::bridge::{Bridge, duplicate_score, imps};
use hattari_plugin::games::{Game, GameTypes};
use hattari_report::numbers::{fixed, p_value};
use hattari_report::report::PrintedResult;
use hattari_report::report::table::{Align, Cell, CellColour, Grid, Section};
use hattari_stats::one_sample_t;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `hattari study boards`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Reads a bridge league of the format `pairs` in which all line-ups play the same boards (`same_deals: true`, or given deals), each
board once. Prints the results of every declaring pair against every defending pair. Two pairs with the same role and the same
opponents are compared board by board: tricks, contracts made and international match points (IMPs), with 95 % intervals over boards.

Examples:
  hattari run leagues/bridge-deception.yaml
  hattari study boards leagues/bridge-deception.yaml

Exit codes: 0 printed, 2 any error.")]
pub(crate) struct Arguments {
    /// The league, or its store
    #[arg(value_name = "LEAGUE")]
    league: PathBuf,
    /// Print Markdown
    #[arg(long)]
    markdown: bool,
}

/// Confidence level of the intervals.
const CONFIDENCE: f64 = 0.95;

/// The result of one board in one line-up; `made` is 1 if the contract was made, otherwise 0.
#[derive(Clone, Copy)]
struct Board {
    made: f64,
    /// Tricks and score; `None` if the league only counts contracts made.
    play: Option<(f64, i64)>,
}

/// A declaring pair against a defending pair, with the result of each board.
struct Match {
    declarers: String,
    defenders: String,
    boards: BTreeMap<u32, Board>,
}

/// Compares the pairs of a league.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<StudyResult> {
    let (_, store) = Session::open(&arguments.league, None)?.into_stored()?;
    let matches = matches(&store)?;
    let sections = vec![shares(&matches), differences(&matches)];
    let shown = if arguments.markdown {
        PrintedResult::Markdown(sections)
    } else {
        PrintedResult::Sections(sections)
    };
    Ok(shown.into())
}

/// Reads the boards of a league. Returns an error if they cannot be compared board by board.
fn matches(store: &Store) -> anyhow::Result<Vec<Match>> {
    let league = store.league();
    let is_bridge =
        league.game == Bridge::ID || Bridge::ID.split('/').next() == Some(league.game.as_str());
    ensure!(
        is_bridge,
        "{}: this command supports bridge only",
        store.path().display()
    );
    ensure!(
        matches!(league.format, Format::Pairs(_)),
        "this command needs a league of the format `kind: pairs`"
    );
    ensure!(
        !league.duplicate,
        "this command needs a league that plays each board once, without `duplicate: true`"
    );
    let options = serde_json::from_value(league.options.clone()).context(
        "cannot read the options of the \
            league",
    )?;
    let game = Bridge::new(options).map_err(anyhow::Error::msg)?;
    let setting = game.setup();
    let is_same = league.same_deals || !setting.deals.is_empty();
    ensure!(
        is_same,
        "the line-ups play different deals: add `same_deals: true` to the league"
    );
    let payoffs: Vec<i64> = (0..=13).map(|tricks| game.score_of(tricks)).collect();
    let counts_tricks = payoffs[0] != payoffs[1];
    let declarer = setting.contract.declarer as usize;
    let name = |line_up: u32, place: usize| {
        let entrants = &store.schedule().line_ups[line_up as usize].entrants;
        league.entrants[entrants[place]].name.clone()
    };
    let mut found: BTreeMap<u32, Match> = BTreeMap::new();
    let mut problem = None;
    store.each_record(|record| {
        let line_up = record.job.line_up;
        let payoff = record.sum[declarer];
        let at = payoffs.iter().position(|&worth| worth == payoff);
        let (Some(tricks), 1, 0) = (
            at.and_then(|n| u8::try_from(n).ok()),
            record.deals,
            record.forfeits,
        ) else {
            problem = Some(record.job.block);
            return;
        };
        // `tricks` is the smallest number of tricks with this payoff. If the league counts only
        // contracts made, it still says if the contract was made.
        let made = f64::from(u8::from(setting.contract.tricks() <= tricks));
        let score = duplicate_score(&setting.contract, setting.is_vulnerable, tricks);
        let play = counts_tricks.then(|| (f64::from(tricks), score));
        let entry = found.entry(line_up).or_insert_with(|| Match {
            declarers: name(line_up, declarer),
            defenders: name(line_up, (declarer + 1) % 4),
            boards: BTreeMap::new(),
        });
        entry.boards.insert(record.job.block, Board { made, play });
    })?;
    if let Some(block) = problem {
        anyhow::bail!(
            "block {block} is not a single board that was played to its end; this command needs `deals: 1`"
        );
    }
    ensure!(!found.is_empty(), "the league has not been played yet");
    Ok(found.into_values().collect())
}

/// Formats a mean and half the width of its confidence interval: `0.512 ± 0.040`. If there is no
/// interval (because all values are equal), returns the first value.
fn mean(values: &[f64], decimals: usize) -> String {
    match one_sample_t(values, CONFIDENCE) {
        Ok(test) => {
            let half = (test.interval.high - test.interval.low) / 2.0;
            format!(
                "{} ± {}",
                fixed(test.mean_difference, decimals),
                fixed(half, decimals)
            )
        }
        Err(_) => values
            .first()
            .map_or_else(String::new, |&value| fixed(value, decimals)),
    }
}

fn shares(matches: &[Match]) -> Section {
    let mut table = Grid::new(&[
        ("declarers", Align::Left),
        ("defenders", Align::Left),
        ("boards", Align::Right),
        ("made", Align::Right),
        ("tricks", Align::Right),
        ("score", Align::Right),
    ]);
    for pair_match in matches {
        let of = |value: &dyn Fn(&Board) -> Option<f64>| {
            pair_match
                .boards
                .values()
                .filter_map(value)
                .collect::<Vec<_>>()
        };
        table.rows.push(vec![
            pair_match.declarers.clone().into(),
            pair_match.defenders.clone().into(),
            pair_match.boards.len().to_string().into(),
            mean(&of(&|board| Some(board.made)), 3).into(),
            mean(&of(&|board| board.play.map(|play| play.0)), 3).into(),
            mean(&of(&|board| board.play.map(|play| play.1 as f64)), 1).into(),
        ]);
    }
    let text = vec![
        "Share of contracts made, declarer's tricks and score, with 95 % intervals over boards."
            .into(),
    ];
    Section {
        text,
        table: Some(table),
        ..Section::new("Boards")
    }
}

fn differences(matches: &[Match]) -> Section {
    let mut table = Grid::new(&[
        ("a", Align::Left),
        ("b", Align::Left),
        ("opponents", Align::Left),
        ("boards", Align::Right),
        ("IMPs", Align::Right),
        ("tricks", Align::Right),
        ("made", Align::Right),
        ("p", Align::Right),
        ("differ", Align::Right),
    ]);
    for (at, first) in matches.iter().enumerate() {
        for second in &matches[at + 1..] {
            let same_defenders = first.defenders == second.defenders;
            if same_defenders == (first.declarers == second.declarers) {
                continue;
            }
            // With this sign, a positive difference is an advantage of pair `a`.
            let sign = if same_defenders { 1 } else { -1 };
            let names = |it: &Match| {
                if same_defenders {
                    it.declarers.clone()
                } else {
                    it.defenders.clone()
                }
            };
            let both = if same_defenders {
                format!("against {}", first.defenders)
            } else {
                format!("against the declarers {}", first.declarers)
            };
            table.rows.push(difference(
                names(first),
                names(second),
                both,
                sign,
                first,
                second,
            ));
        }
    }
    let text = vec![
        "Result of pair a minus result of pair b, against the same opponents on the same boards: \
        international match points (IMPs), tricks and contracts made per board, with 95 % \
        intervals. p: paired t-test of the IMPs over boards, unadjusted. differ: number of boards \
        with different results. If the league counts only contracts made, the columns of IMPs \
        and tricks are empty, and p refers to contracts made."
            .into(),
    ];
    Section {
        text,
        table: Some(table),
        ..Section::new("Pairs with the same role and opponents")
    }
}

fn difference(
    a: String,
    b: String,
    both: String,
    sign: i32,
    first: &Match,
    second: &Match,
) -> Vec<Cell> {
    let common: Vec<(Board, Board)> = first
        .boards
        .iter()
        .filter_map(|(board, own)| Some((*own, *second.boards.get(board)?)))
        .collect();
    let sign = f64::from(sign);
    let plays = || {
        common
            .iter()
            .filter_map(|(own, other)| own.play.zip(other.play))
    };
    let points: Vec<f64> = plays()
        .map(|(own, other)| sign * imps(own.1 - other.1) as f64)
        .collect();
    let tricks: Vec<f64> = plays()
        .map(|(own, other)| sign * (own.0 - other.0))
        .collect();
    let made: Vec<f64> = common
        .iter()
        .map(|(own, other)| sign * (own.made - other.made))
        .collect();
    let differ = if tricks.is_empty() { &made } else { &tricks }
        .iter()
        .filter(|value| **value != 0.0)
        .count();
    let test = one_sample_t(if points.is_empty() { &made } else { &points }, CONFIDENCE).ok();
    let with_sign = |values: &[f64]| {
        let text = mean(values, 3);
        let sum: f64 = values.iter().sum();
        if sum > 0.0 { format!("+{text}") } else { text }
    };
    let tone = match &test {
        Some(test) if test.interval.low > 0.0 => CellColour::Ahead,
        Some(test) if test.interval.high < 0.0 => CellColour::Behind,
        _ => CellColour::Plain,
    };
    vec![
        a.into(),
        b.into(),
        both.into(),
        common.len().to_string().into(),
        Cell::coloured(with_sign(&points), tone),
        with_sign(&tricks).into(),
        Cell::coloured(
            with_sign(&made),
            if points.is_empty() {
                tone
            } else {
                CellColour::Plain
            },
        ),
        test.map_or_else(String::new, |test| p_value(test.p)).into(),
        differ.to_string().into(),
    ]
}
