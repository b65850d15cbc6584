//! `hattari calc equity`: equity of hold'em hands against each other or random hands.

use crate::cli::{CommandResult, output};
use anyhow::{anyhow, ensure};
use hattari_agents::text::grouped;
use hattari_plugin::Rng;
use hattari_plugin::games::poker::card::{self, CardSet};
use hattari_plugin::games::poker::equity::{self, Outcomes};
use hattari_plugin::holdem::WinRate;
use serde::Serialize;

/// Maximum number of showdowns that are enumerated instead of sampled. Enumerating this number
/// takes some seconds.
const EXACT_MAX: u64 = 100_000_000;
/// Number of cards in a hand.
const HAND_CARDS: usize = 2;
/// Maximum number of community cards.
const COMMUNITY_MAX: u32 = 5;
/// Maximum number of hands at a table.
const HANDS_MAX: usize = 9;

/// Compute the equity of hold'em hands against each other or against random hands
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Cards are written rank before suit: As, Td, 2c. Several hands are compared with each other; a \
single hand is compared with random hands of its opponents. All showdowns are counted if there \
are at most 100,000,000 of them, or with --exact. Otherwise, or with --samples, showdowns are \
sampled at random with --seed, and each result has a standard error.

Examples:
  hattari calc equity AsAh KdKc                       before the flop
  hattari calc equity AsAh KdKc QdJd --board Kh7d2c   three hands on a flop
  hattari calc equity 7c2d --opponents 5              against five random hands
  hattari calc equity AsAh KdKc --dead AcAd --json

Exit codes: 0 done, 2 wrong usage.")]
pub(super) struct Arguments {
    /// Hands of two cards
    #[arg(required = true, value_name = "HAND")]
    hands: Vec<String>,
    /// Community cards dealt so far
    #[arg(long, value_name = "CARDS", default_value = "")]
    board: String,
    /// Dead cards: removed from the deck, but in no hand
    #[arg(long, value_name = "CARDS", default_value = "")]
    dead: String,
    /// Number of random hands that a single hand is compared with (default: 1)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..HANDS_MAX as i64))]
    opponents: Option<u32>,
    /// Count all showdowns, even if there are very many
    #[arg(long, conflicts_with = "samples")]
    exact: bool,
    /// Number of showdowns to sample (default: 1,000,000 if there are too many to count)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000_000))]
    samples: Option<u64>,
    /// Random seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The equities of all hands, for output.
#[derive(Serialize)]
struct Equities {
    board: String,
    dead: String,
    /// Number of opponents with random hands, in addition to the listed hands.
    opponents: u32,
    /// `true` if all showdowns were enumerated.
    exact: bool,
    showdowns: u64,
    hands: Vec<Equity>,
}

/// The equity of one hand.
#[derive(Serialize)]
struct Equity {
    hand: String,
    /// Expected share of the pot.
    equity: f64,
    /// Standard error; 0 if all showdowns were enumerated, `None` if there is only one sample.
    error: Option<f64>,
    /// Number of showdowns won outright.
    wins: u64,
    /// Number of showdowns tied.
    ties: u64,
}

pub(super) fn main(arguments: &Arguments) -> CommandResult {
    let equities = compute(arguments)?;
    output::print_as(arguments.json, &equities, || text(&equities))
}

/// The cards of the arguments.
struct GivenCards {
    board: CardSet,
    dead: CardSet,
    hands: Vec<CardSet>,
    /// Cards of the hands, the board and `--dead`.
    known: CardSet,
}

impl GivenCards {
    /// Parses the cards.
    ///
    /// # Errors
    /// Returns an error if a card is invalid or given twice, or if there are too many cards.
    fn parse(arguments: &Arguments) -> anyhow::Result<GivenCards> {
        let parse = |option: &str, text: &str| {
            card::parse_set(text).map_err(|reason| anyhow!("{option}: {reason}"))
        };
        let board = parse("--board", &arguments.board)?;
        let dead = parse("--dead", &arguments.dead)?;
        ensure!(
            board.count_ones() <= COMMUNITY_MAX,
            "--board: give at most five community cards"
        );
        let mut known = board;
        let mut take = |source: &str, cards: CardSet| {
            ensure!(
                cards & known == 0,
                "{source}: {} is given twice",
                card::describe(cards & known)
            );
            known |= cards;
            Ok(())
        };
        take("--dead", dead)?;
        let mut hands = Vec::new();
        for text in &arguments.hands {
            let list = card::parse_list(text).map_err(|reason| anyhow!("{text}: {reason}"))?;
            ensure!(
                list.len() == HAND_CARDS,
                "{text}: a hand needs two cards, as in AsAh"
            );
            take(text, card::set_of(&list))?;
            hands.push(card::set_of(&list));
        }
        ensure!(
            hands.len() <= HANDS_MAX,
            "{} hands: give at most {HANDS_MAX}",
            hands.len()
        );
        Ok(GivenCards {
            board,
            dead,
            hands,
            known,
        })
    }
}

/// Computes the equities of a single hand against random hands, or of several hands against each
/// other.
fn compute(arguments: &Arguments) -> anyhow::Result<Equities> {
    let cards = GivenCards::parse(arguments)?;
    let GivenCards { board, dead, .. } = cards;
    let mut rng = Rng::new(arguments.seed);
    if let [hand] = cards.hands[..] {
        ensure!(
            dead == 0,
            "--dead: allowed only if all hands are given (two or more)"
        );
        let opponents = arguments.opponents.unwrap_or(1);
        let all = equity::showdowns(board, opponents);
        let exact = is_exact(arguments, all);
        ensure!(
            !exact || all.is_some(),
            "--exact: too many showdowns to count; use --samples"
        );
        let outcomes = if exact {
            equity::exact(hand, board, opponents)
        } else {
            equity::sampled(hand, board, opponents, samples(arguments), &mut rng)
        };
        return Ok(equities(&cards, opponents, exact, &[outcomes]));
    }
    ensure!(
        arguments.opponents.is_none(),
        "--opponents: allowed only with a single hand"
    );
    let missing = u64::from(COMMUNITY_MAX - board.count_ones());
    let unseen = u64::from((card::DECK & !cards.known).count_ones());
    ensure!(missing <= unseen, "too few cards are left for the board");
    let exact = is_exact(arguments, Some(equity::choose(unseen, missing)));
    let outcomes = if exact {
        equity::exact_between(&cards.hands, board, dead)
    } else {
        equity::sampled_between(&cards.hands, board, dead, samples(arguments), &mut rng)
    };
    Ok(equities(&cards, 0, exact, &outcomes))
}

/// Returns the equities for output. `outcomes` are by hand; there is at least one.
fn equities(cards: &GivenCards, opponents: u32, exact: bool, outcomes: &[Outcomes]) -> Equities {
    Equities {
        board: card::describe(cards.board),
        dead: card::describe(cards.dead),
        opponents,
        exact,
        showdowns: outcomes[0].deals,
        hands: cards
            .hands
            .iter()
            .zip(outcomes)
            .map(|(&hand, outcomes)| {
                let rate = if exact {
                    WinRate::counted(outcomes)
                } else {
                    WinRate::sampled(outcomes)
                };
                Equity {
                    hand: card::describe(hand),
                    equity: rate.share,
                    error: rate.error.is_finite().then_some(rate.error),
                    wins: outcomes.wins(),
                    ties: outcomes.ties(),
                }
            })
            .collect(),
    }
}

fn is_exact(arguments: &Arguments, showdowns: Option<u64>) -> bool {
    arguments.exact
        || (arguments.samples.is_none()
            && showdowns.is_some_and(|showdowns| showdowns <= EXACT_MAX))
}

fn samples(arguments: &Arguments) -> u64 {
    arguments.samples.unwrap_or(1_000_000)
}

fn text(equities: &Equities) -> String {
    let Equities {
        board,
        dead,
        opponents,
        exact,
        showdowns,
        hands,
    } = equities;
    let percent = |part: f64| format!("{:.4} %", 100.0 * part);
    let share = |count: u64| percent(count as f64 / *showdowns as f64);
    let mut rows = Vec::new();
    for hand in hands {
        let error = match hand.error {
            _ if *exact => "exact".into(),
            Some(error) => percent(error),
            None => "unknown".into(),
        };
        rows.push([
            hand.hand.clone(),
            percent(hand.equity),
            error,
            share(hand.wins),
            share(hand.ties),
        ]);
    }
    let method = if *exact {
        "all counted"
    } else {
        "sampled at random"
    };
    let heading = ["hand", "equity", "± se", "wins", "ties"];
    let mut text =
        output::table(heading, rows) + &format!("{} showdowns, {method}", grouped(*showdowns));
    match opponents {
        0 => {}
        1 => text += ", against a random hand",
        _ => text += &format!(", against {opponents} random hands"),
    }
    for (name, cards) in [("board", board), ("dead", dead)] {
        if cards != "-" {
            text += &format!(", {name} {cards}");
        }
    }
    text + "\n"
}
