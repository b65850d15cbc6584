//! Recomputes the recorded estimates in a file of cases and lists all differences.

use crate::fuzzy::config::BetweenScores;
use crate::fuzzy::counts::{HAND_SIZE, count};
use crate::fuzzy::estimate::Distribution;
use crate::fuzzy::score::{NAMES, SCORES, score};
use hattari_plugin::games::poker::card::parse_set;
use serde::{Deserialize, Serialize};

/// Maximum difference of numbers that count as equal; recorded numbers are rounded to twelve
/// digits.
const TOLERANCE: f64 = 1e-9;

/// The contents of a file of cases. Other keys in the file are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Cases {
    /// Frequencies of the scores in all five-card hands.
    pub freq5: Option<[u64; SCORES]>,
    /// Frequencies of the scores in all seven-card hands.
    pub freq7: Option<[u64; SCORES]>,
    /// Estimates of the opponent's hand.
    #[serde(default)]
    pub cases: Vec<Case>,
    /// Potentials after a card is opened.
    #[serde(default)]
    pub potentials: Vec<PotentialCase>,
}

/// A recorded estimate of the opponent's hand. Numbers that are missing are not compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name of the case in reports.
    pub name: String,
    /// All cards of the player.
    pub own: Vec<String>,
    /// Open cards of the opponent.
    pub opp_up: Vec<String>,
    /// Number of the opponent's unknown cards.
    pub unknown: Option<u64>,
    /// Number of possible completions of the opponent's hand.
    pub n: Option<u64>,
    /// Numbers of completions, by score.
    pub counts: Option<[u64; SCORES]>,
    /// Values of the distribution function of the opponent's score, by score.
    pub cdf: Option<[f64; SCORES]>,
    /// Score of the player's cards.
    pub com: Option<u64>,
    /// Value of the distribution function at `com`.
    pub p: Option<f64>,
    /// Expected score of the opponent.
    pub hum_expect: Option<f64>,
    /// Expected strength if the distribution function is a step function between scores.
    pub exp_step: Option<f64>,
    /// Expected strength if the distribution function is linear between scores.
    pub exp_lin: Option<f64>,
    /// Turn of the game. Not used.
    pub turn: Option<u8>,
    /// Adjusted result in the paper. Not used, because it depends on tendencies that the paper does
    /// not state.
    pub paper_result_value: Option<f64>,
}

/// A recorded potential after a card is opened. Numbers that are missing are not compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PotentialCase {
    /// Name of the case in reports.
    pub name: String,
    /// Open cards of the player.
    pub shown: Vec<String>,
    /// The hidden card to open.
    pub candidate: String,
    /// Open cards of the opponent.
    pub opp_up: Vec<String>,
    /// Number of possible completions of the player's open cards.
    pub n: Option<u64>,
    /// Numbers of completions, by score.
    pub counts: Option<[u64; SCORES]>,
    /// The potential: the expected score as it appears to the opponent.
    pub potential: Option<f64>,
}

/// A recorded number that differs from the computed one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Name of the case.
    pub case: String,
    /// Name of the number.
    pub what: String,
    /// Recorded value.
    pub recorded: f64,
    /// Computed value.
    pub computed: f64,
}

/// The result of recomputing a file of cases.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Number of cases and potentials.
    pub cases: u64,
    /// Number of recorded numbers that were compared.
    pub numbers: u64,
    /// All differences, in the order of the file.
    pub differences: Vec<Difference>,
}

/// Recomputes all cases and compares the results with the recorded numbers.
///
/// # Errors
/// Returns an error text with the name of the case if its cards are invalid.
pub fn run(file: &Cases) -> Result<Report, String> {
    let mut report = Report::default();
    for (name, size, recorded) in [("freq5", 5, file.freq5), ("freq7", 7, file.freq7)] {
        let mut compare = Compare {
            report: &mut report,
            case: name,
        };
        compare.counts(recorded.as_ref(), || {
            count(0, hattari_plugin::games::poker::card::DECK, size)
        });
    }
    for case in &file.cases {
        report.cases += 1;
        estimate(case, &mut report).map_err(|why| format!("{}: {why}", case.name))?;
    }
    for case in &file.potentials {
        report.cases += 1;
        potential(case, &mut report).map_err(|why| format!("{}: {why}", case.name))?;
    }
    Ok(report)
}

fn estimate(case: &Case, report: &mut Report) -> Result<(), String> {
    let (own, shown) = (
        parse_set(&case.own.concat())?,
        parse_set(&case.opp_up.concat())?,
    );
    check_hands(own, shown)?;
    let opponent = Distribution::of_opponent(own, shown);
    let com = score(own);
    let mut compare = Compare {
        report,
        case: &case.name,
    };
    compare.whole(
        "unknown",
        case.unknown,
        (HAND_SIZE - case.opp_up.len()) as u64,
    );
    compare.whole("n", case.n, opponent.total);
    compare.counts(case.counts.as_ref(), || opponent.counts);
    for (score, name) in NAMES.into_iter().enumerate() {
        compare.number(
            &format!("cdf ({name})"),
            case.cdf.map(|cdf| cdf[score]),
            opponent.cdf(score),
        );
    }
    compare.whole("com", case.com, com as u64);
    compare.number("p", case.p, opponent.cdf(com));
    compare.number("hum_expect", case.hum_expect, opponent.expectation());
    compare.number(
        "exp_step",
        case.exp_step,
        opponent.exp(com, BetweenScores::Step),
    );
    compare.number(
        "exp_lin",
        case.exp_lin,
        opponent.exp(com, BetweenScores::Lin),
    );
    Ok(())
}

fn potential(case: &PotentialCase, report: &mut Report) -> Result<(), String> {
    let names = case.shown.concat() + &case.candidate;
    let (shown, opponent) = (parse_set(&names)?, parse_set(&case.opp_up.concat())?);
    check_hands(shown, opponent)?;
    let seen = Distribution::of_opponent(opponent, shown);
    let mut compare = Compare {
        report,
        case: &case.name,
    };
    compare.whole("n", case.n, seen.total);
    compare.counts(case.counts.as_ref(), || seen.counts);
    compare.number("potential", case.potential, seen.expectation());
    Ok(())
}

fn check_hands(one: u64, other: u64) -> Result<(), String> {
    if one & other != 0 {
        Err("a card is in both hands".into())
    } else if HAND_SIZE < one.count_ones().max(other.count_ones()) as usize {
        Err(format!("a hand has more than {HAND_SIZE} cards"))
    } else {
        Ok(())
    }
}

/// Comparison of the numbers of one case, which records the differences.
struct Compare<'a> {
    report: &'a mut Report,
    case: &'a str,
}

impl Compare<'_> {
    fn number(&mut self, what: &str, recorded: Option<f64>, computed: f64) {
        let Some(recorded) = recorded else { return };
        self.report.numbers += 1;
        // This form of the comparison counts NaN as a difference.
        let agrees = (recorded - computed).abs() <= TOLERANCE;
        if !agrees {
            let (case, what) = (self.case.to_owned(), what.to_owned());
            self.report.differences.push(Difference {
                case,
                what,
                recorded,
                computed,
            });
        }
    }

    fn whole(&mut self, what: &str, recorded: Option<u64>, computed: u64) {
        self.number(
            what,
            recorded.map(|recorded| recorded as f64),
            computed as f64,
        );
    }

    fn counts(
        &mut self,
        recorded: Option<&[u64; SCORES]>,
        computed: impl FnOnce() -> [u64; SCORES],
    ) {
        let Some(recorded) = recorded else { return };
        for ((recorded, computed), name) in recorded.iter().zip(computed()).zip(NAMES) {
            self.whole(&format!("count ({name})"), Some(*recorded), computed);
        }
    }
}
