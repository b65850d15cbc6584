//! The study of deception in bridge: compares the pairs of a league board by board.

use crate::host::StudyResult;
use anyhow::{Context, ensure};
use hattari_agents::games::name_without_revision;
use hattari_play::league::Format;
use hattari_play::session::Session;
use hattari_play::store::Store;
use hattari_plugin::games::bridge::{Bridge, duplicate_score, imps};
use hattari_plugin::games::{Game, GameTypes};
use hattari_report::grid;
use hattari_report::numbers::{fixed, p_value};
use hattari_report::report::PrintedResult;
use hattari_report::report::table::{Cell, CellColour, Section};
use hattari_stats::{TTest, one_sample_t};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `hattari study boards`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Reads a bridge league of the format `pairs` in which all line-ups play the same boards \
(`same_deals: true`, or given deals), each board once. Prints the results of every declaring \
pair against every defending pair. Two pairs with the same role and the same opponents are \
compared board by board: tricks, contracts made and international match points (IMPs), with 95 % \
intervals over boards.

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
struct Board {
    made: f64,
    /// Tricks and score; `None` if the league only counts contracts made.
    play: Option<(f64, i64)>,
}

/// A declaring pair against a defending pair, with the result of each board.
struct PairMatch {
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
fn matches(store: &Store) -> anyhow::Result<Vec<PairMatch>> {
    let league = store.league();
    ensure!(
        [Bridge::ID, name_without_revision(Bridge::ID)].contains(&league.game.as_str()),
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
        let entrants = &store.schedule.line_ups[line_up as usize];
        league.entrants[entrants[place]].name.clone()
    };
    let mut found: BTreeMap<u32, PairMatch> = BTreeMap::new();
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
        let entry = found.entry(line_up).or_insert_with(|| PairMatch {
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

fn shares(matches: &[PairMatch]) -> Section {
    let of = |pair_match: &PairMatch, value: fn(&Board) -> Option<f64>, decimals: usize| {
        let values: Vec<f64> = pair_match.boards.values().filter_map(value).collect();
        mean(&values, decimals)
    };
    let table = grid! { pair_match in matches;
        "declarers", Left = &pair_match.declarers;
        "defenders", Left = &pair_match.defenders;
        "boards", Right = pair_match.boards.len().to_string();
        "made", Right = of(pair_match, |board| Some(board.made), 3);
        "tricks", Right = of(pair_match, |board| board.play.map(|play| play.0), 3);
        "score", Right = of(pair_match, |board| board.play.map(|play| play.1 as f64), 1);
    };
    Section::of("Boards", table).sentence(
        "Share of contracts made, declarer's tricks and score, with 95 % intervals over boards.",
    )
}

fn differences(matches: &[PairMatch]) -> Section {
    let pairs = matches.iter().enumerate().flat_map(|(at, first)| {
        let others = matches[at + 1..].iter();
        others.filter_map(move |second| BoardDifferences::of(first, second))
    });
    let rows = pairs.map(|pair| {
        let test = one_sample_t(pair.tested(), CONFIDENCE).ok();
        (pair, test)
    });
    let table = grid! { (pair, test) in rows;
        "a", Left = pair.names[0];
        "b", Left = pair.names[1];
        "opponents", Left = &pair.opponents;
        "boards", Right = pair.made.len().to_string();
        "IMPs", Right = Cell::coloured(with_sign(&pair.points), verdict_colour(test.as_ref()));
        "tricks", Right = with_sign(&pair.tricks);
        "made", Right = Cell::coloured(
            with_sign(&pair.made),
            verdict_colour(test.as_ref().filter(|_| pair.points.is_empty())),
        );
        "p", Right = test.map_or_else(String::new, |test| p_value(test.p));
        "differ", Right = pair.differing_boards().to_string();
    };
    Section::of("Pairs with the same role and opponents", table).sentence(
        "Result of pair a minus result of pair b, against the same opponents on the same boards: \
         international match points (IMPs), tricks and contracts made per board, with 95 % \
         intervals. p: paired t-test of the IMPs over boards, unadjusted. differ: number of boards \
         with different results. If the league counts only contracts made, the columns of IMPs \
         and tricks are empty, and p refers to contracts made.",
    )
}

/// The differences of two pairs with the same role and the same opponents, by board. A positive
/// difference is an advantage of the first pair.
struct BoardDifferences<'m> {
    names: [&'m str; 2],
    opponents: String,
    points: Vec<f64>,
    tricks: Vec<f64>,
    made: Vec<f64>,
}

impl<'m> BoardDifferences<'m> {
    /// Compares the boards of two line-ups; `None` if the roles or the opponents differ.
    fn of(first: &'m PairMatch, second: &'m PairMatch) -> Option<Self> {
        let same_defenders = first.defenders == second.defenders;
        if same_defenders == (first.declarers == second.declarers) {
            return None;
        }
        let (names, opponents, sign) = if same_defenders {
            let names = [first, second].map(|it| it.declarers.as_str());
            (names, format!("against {}", first.defenders), 1.0)
        } else {
            let names = [first, second].map(|it| it.defenders.as_str());
            let opponents = format!("against the declarers {}", first.declarers);
            (names, opponents, -1.0)
        };
        let (mut points, mut tricks, mut made) = (Vec::new(), Vec::new(), Vec::new());
        for (board, own) in &first.boards {
            let Some(other) = second.boards.get(board) else {
                continue;
            };
            made.push(sign * (own.made - other.made));
            if let Some((own, other)) = own.play.zip(other.play) {
                points.push(sign * imps(own.1 - other.1) as f64);
                tricks.push(sign * (own.0 - other.0));
            }
        }
        Some(BoardDifferences {
            names,
            opponents,
            points,
            tricks,
            made,
        })
    }

    /// Returns the differences that are tested: in IMPs, or in contracts made if the league has no
    /// scores.
    fn tested(&self) -> &[f64] {
        if self.points.is_empty() {
            &self.made
        } else {
            &self.points
        }
    }

    /// Returns the number of boards with different results.
    fn differing_boards(&self) -> usize {
        let results = if self.tricks.is_empty() {
            &self.made
        } else {
            &self.tricks
        };
        results.iter().filter(|value| **value != 0.0).count()
    }
}

fn with_sign(values: &[f64]) -> String {
    let text = mean(values, 3);
    let sum: f64 = values.iter().sum();
    if sum > 0.0 { format!("+{text}") } else { text }
}

fn verdict_colour(test: Option<&TTest>) -> CellColour {
    match test {
        Some(test) if test.interval.low > 0.0 => CellColour::Ahead,
        Some(test) if test.interval.high < 0.0 => CellColour::Behind,
        _ => CellColour::Plain,
    }
}
