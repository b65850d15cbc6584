//! False claims in the reports of leagues of equal bots, and their allowed frequency.

use crate::kinds::Kind;
use hattari_report::standings::{PairStanding, Standings, VerdictKind};
use std::fmt;

/// Confidence level of the intervals in the reports; 1 minus it is the level of the tests.
const CONFIDENCE: f64 = 0.95;
/// Allowed range of the coverage of intervals.
const COVERAGE: (f64, f64) = (0.93, 0.97);

/// A number of hits among a number of cases.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    hits: f64,
    of: f64,
}

impl Share {
    fn count(of: impl IntoIterator<Item = bool>) -> Share {
        let mut share = Share::default();
        for hit in of {
            share.hits += f64::from(u8::from(hit));
            share.of += 1.0;
        }
        share
    }
}

/// Counts of false claims in the report of one league.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Pooled tests of pairs with unadjusted p below the level.
    single: Share,
    /// Hit if any verdict distinguishes two bots.
    family: Share,
    /// Intervals of differences that contain zero.
    differences: Share,
    /// Intervals of means that contain the true mean.
    means: Share,
    /// Intervals of ratings that contain the rating of equal bots.
    ratings: Share,
    /// Hit if the ranks exclude any rank for any bot.
    ranks: Share,
}

impl Counts {
    /// Counts the false claims in a report.
    pub(crate) fn of(standings: &Standings, kind: &Kind) -> Counts {
        let equals = |pair: &&PairStanding| kind.are_equals(&pair.a, &pair.b);
        let pairs: Vec<&PairStanding> = standings.pairs.iter().filter(equals).collect();
        let tests = || pairs.iter().filter_map(|pair| pair.pooled.tested());
        let told = |pair: &&PairStanding| {
            matches!(pair.verdict.kind, VerdictKind::Ahead | VerdictKind::Behind)
        };
        if let Some(rounds) = standings
            .rounds
            .as_ref()
            .filter(|_| standings.is_adaptive())
        {
            let last = rounds
                .rounds
                .last()
                .expect("a format that is played has rounds");
            // No bot has a certain claim, and all ranks are possible for every bot.
            let open = format!("between ranks 1 and {};", last.standing.len());
            let claims = |note: &str| {
                note.starts_with("certainly")
                    || note.starts_with("between") && !note.starts_with(&open)
            };
            let family = Share::count([last.standing.iter().any(|placed| claims(&placed.note))]);
            let ratings = standings
                .ratings
                .as_ref()
                .and_then(|ratings| ratings.fit.tested());
            let is_ranked =
                ratings.is_some_and(|ratings| ratings.iter().any(|rating| rating.range.is_some()));
            let is_tested = tests().next().is_some()
                || pairs.iter().any(told)
                || standings.congeniality.is_some();
            assert!(
                rounds.is_over && !is_tested && !is_ranked,
                "claims beside those of the format"
            );
            return Counts {
                family,
                ..Counts::default()
            };
        }
        let level = 1.0 - CONFIDENCE;
        let holds = |low: f64, high: f64, truth: f64| low <= truth && truth <= high;
        let mut counts = Counts {
            family: Share::count([pairs.iter().any(told)]),
            ..Counts::default()
        };
        if kind.is_sequential() {
            return counts;
        }
        counts.single = Share::count(tests().map(|test| test.p <= level));
        counts.differences = Share::count(tests().map(|test| holds(test.low, test.high, 0.0)));
        if let Some(mean) = kind.mean() {
            let means = standings
                .bots
                .iter()
                .filter_map(|bot| bot.estimate.tested());
            counts.means =
                Share::count(means.map(|estimate| holds(estimate.low, estimate.high, mean)));
            if let Some(ratings) = standings
                .ratings
                .as_ref()
                .and_then(|ratings| ratings.fit.tested())
            {
                let ranges = || ratings.iter().filter_map(|rating| rating.range);
                counts.ratings =
                    Share::count(ranges().map(|range| holds(range.low, range.high, 0.0)));
                let last = ratings.len() as u64;
                counts.ranks = Share::count([
                    ranges().any(|range| 1 < range.best_rank || range.worst_rank < last)
                ]);
            }
        }
        counts
    }
}

/// Half width of printed intervals in standard errors (95 %).
const PRINTED: f64 = 1.96;
/// Half width of the intervals that decide, in standard errors. If all of about 300 shares in a
/// table are in their ranges, none is marked in 95 of 100 tables.
const JUDGING: f64 = 3.8;

/// A share over leagues with its interval. Leagues are independent; claims in one league are not.
#[derive(Clone, Copy, Debug)]
struct Rate {
    rate: f64,
    /// Number of independent cases with the observed variance.
    answers: f64,
}

impl Rate {
    /// Returns the mean share of the leagues that have cases, or `None` if none has.
    fn of(shares: impl Iterator<Item = Share>) -> Option<Rate> {
        let each: Vec<f64> = shares
            .filter(|share| 0.0 < share.of)
            .map(|share| share.hits / share.of)
            .collect();
        let n = each.len() as f64;
        if each.is_empty() {
            return None;
        }
        let rate = each.iter().sum::<f64>() / n;
        let spread = each.iter().map(|x| (x - rate) * (x - rate)).sum::<f64>() / n;
        let binomial = rate * (1.0 - rate);
        Some(Rate {
            rate,
            answers: if spread > 0.0 && binomial > 0.0 {
                n * binomial / spread
            } else {
                n
            },
        })
    }

    /// Returns Wilson's interval with `z` standard errors to each side.
    fn interval(&self, z: f64) -> (f64, f64) {
        let Rate { rate, answers: n } = *self;
        let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }

    /// Returns `true` if a true share between `low` and `high` is consistent with the result.
    fn may_lie_within(&self, (low, high): (f64, f64)) -> bool {
        let found = self.interval(JUDGING);
        low <= found.1 && found.0 <= high
    }
}

/// The results of all leagues of a kind.
pub(crate) struct Row {
    kind: String,
    rates: [Option<Rate>; 6],
}

/// Names of the columns of [`Row::rates`] with their allowed ranges: shares of false claims, and of
/// intervals that contain the true value.
const COLUMNS: [(&str, (f64, f64)); 6] = [
    ("any verdict false", (0.0, 0.05)),
    ("p ≤ .05", (0.03, 0.07)),
    ("CI of differences holds", COVERAGE),
    ("CI of means holds", COVERAGE),
    ("CI of ratings holds", COVERAGE),
    ("ranks false", (0.0, 0.05)),
];

impl Row {
    /// Computes the shares over all leagues.
    pub(crate) fn of(kind: &Kind, counts: &[Counts]) -> Row {
        let rate = |share: fn(&Counts) -> Share| Rate::of(counts.iter().map(share));
        Row {
            kind: kind.to_string(),
            rates: [
                rate(|counts| counts.family),
                rate(|counts| counts.single),
                rate(|counts| counts.differences),
                rate(|counts| counts.means),
                rate(|counts| counts.ratings),
                rate(|counts| counts.ranks),
            ],
        }
    }

    /// Returns `true` if every share is consistent with its allowed range.
    pub(crate) fn is_within_bounds(&self) -> bool {
        self.rates
            .iter()
            .zip(COLUMNS)
            .all(|(rate, (_, bounds))| rate.is_none_or(|rate| rate.may_lie_within(bounds)))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} |", self.kind)?;
        for (rate, (_, bounds)) in self.rates.iter().zip(COLUMNS) {
            match rate {
                None => write!(f, " – |")?,
                Some(found) => {
                    let (rate, (low, high)) = (found.rate, found.interval(PRINTED));
                    let mark = if found.may_lie_within(bounds) {
                        ""
                    } else {
                        " **!**"
                    };
                    write!(
                        f,
                        " {:.1} ({:.1}–{:.1}){mark} |",
                        100.0 * rate,
                        100.0 * low,
                        100.0 * high
                    )?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the head of the page.
pub(crate) fn head(leagues: usize) -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    let [dashes, columns] = ["---:|".repeat(COLUMNS.len()), names.join(" | ")];
    format!(
        "# Equal bots\n\n\
         One bot takes part under several names, so every verdict between these names is false. {leagues} \
         leagues of each kind are played and reported through the program. The table has percentages of \
         their results, with 95 % Wilson intervals over leagues. **!** marks a value that is outside of \
         its bounds by more than chance explains, given the number of values. Bounds: at most 5 % of \
         leagues with a false verdict or rank, 93 to 97 % of intervals that contain the truth, 3 to 7 % of \
         single tests with p ≤ .05.\n\n\
         *deals*: own deals of each line-up, shared by all, duplicate, or given by the league. *blocks*: \
         blocks of a line-up, at most this number if results decide. In a race, the claims of the race \
         count. Reports of swiss, knockout and ladder leagues must have no verdicts, otherwise the run \
         fails. A dash: not tested, because the bots are not equal (declarer and defender in bridge), \
         because there are too few blocks, or because a stopping rule makes the tests invalid.\n\n\
         Made by `cargo bench -p hattari --bench null -- --leagues {leagues}`.\n\n\
         | game | bot | format | deals | blocks | {columns} |\n|---|---|---|---|---:|{dashes}"
    )
}

/// Returns the text below the table.
pub(crate) fn foot(beyond: &[&Row]) -> String {
    match beyond {
        [] => "Every share is within its bounds.".to_owned(),
        rows => format!(
            "{} rows are beyond their bounds: {}",
            rows.len(),
            rows.iter()
                .map(|row| row.kind.as_str())
                .collect::<Vec<_>>()
                .join("; ")
        ),
    }
}
