//! What a comparison comes to, in plain words.

use super::about::About;
use super::types::{Statement, VerdictKind, correction_name, other_than_max_t};
use crate::numbers::{
    decimals, fixed, interval, level, p_equals, short, signed, unsigned_interval,
};
use hattari_agents::text::{counted, grouped};
use hattari_stats::compare::{PairSummary, Verdict};
use hattari_stats::{CompareOptions, Correction, TTest};

/// From so many blocks on, what is required to resolve a difference is not told: the difference is
/// a rounding error, or nobody will ever play them.
pub(super) const BLOCKS_WORTH_TELLING: u64 = 1_000_000_000;

/// The verdict on a pooled pair `(a, b)`; `family` is how many comparisons were made, `about` what
/// one score is.
pub(super) fn of(
    pair: &PairSummary,
    (a, b): (&str, &str),
    options: &CompareOptions,
    family: usize,
    about: &About,
) -> Statement {
    let words = Words {
        pair,
        family: family as u64,
        about,
        options,
    };
    let text = match (&pair.verdict, &pair.test) {
        (Verdict::Ahead, Some(test)) => words.beats(a, b, test),
        (Verdict::Behind, Some(test)) => words.beats(b, a, &test.mirrored()),
        (Verdict::Equal, Some(test)) => words.equal(test),
        (Verdict::Undecided, Some(test)) => words.undecided(test),
        (Verdict::CannotTell { reason }, _) => format!("cannot tell: {reason}"),
        (_, None) => "cannot tell".to_owned(),
    };
    Statement {
        kind: kind(pair),
        text,
    }
}

/// The same in one word.
pub(super) fn kind(pair: &PairSummary) -> VerdictKind {
    match (&pair.verdict, &pair.test) {
        (Verdict::Ahead, Some(_)) => VerdictKind::Ahead,
        (Verdict::Behind, Some(_)) => VerdictKind::Behind,
        (Verdict::Equal, Some(_)) => VerdictKind::Equal,
        _ => VerdictKind::CannotTell,
    }
}

impl Statement {
    /// The statement behind what the two bots did wrong, where they did: a lead over a bot that
    /// errs says little of its play.
    pub(super) fn behind_faults(mut self, faults: [(&str, u64); 2]) -> Statement {
        let erring = faults.iter().filter(|(_, count)| 0 < *count);
        let told: Vec<String> = erring
            .map(|(name, count)| format!("{name} committed {}", counted(*count, "fault")))
            .collect();
        if !told.is_empty() {
            self.text = format!("{}; {}", told.join(", "), self.text);
        }
        self
    }
}

/// What a sentence needs to know.
struct Words<'a> {
    pair: &'a PairSummary,
    family: u64,
    about: &'a About,
    options: &'a CompareOptions,
}

impl Words<'_> {
    /// `winner` is ahead; `test` is the winner less the loser.
    fn beats(&self, winner: &str, loser: &str, test: &TTest) -> String {
        let digits = decimals([test.se]);
        let mut text = format!(
            "{winner} beats {loser} by {} {} ({} % CI {}, {})",
            fixed(test.mean_difference, digits),
            self.unit(),
            level(self.options.confidence),
            unsigned_interval((test.interval.low, test.interval.high), digits),
            self.p(test.p, self.pair.p_adjusted, self.correction()),
        );
        if let Some(margin) = self.margin() {
            text += &format!("; by less than {margin} all the same");
        }
        text
    }

    fn equal(&self, test: &TTest) -> String {
        let (margin, p) = (
            self.options.equal_within.unwrap_or_default(),
            self.pair.equivalence,
        );
        let p = p.map_or_else(String::new, |p| {
            self.p(
                p.p,
                Some(p.p_adjusted),
                other_than_max_t(self.options.correction),
            )
        });
        format!(
            "equal within {margin} {}: {}; that it is more: {p}",
            self.unit(),
            self.numbers(test, None)
        )
    }

    fn undecided(&self, test: &TTest) -> String {
        let p = self.p(test.p, self.pair.p_adjusted, self.correction());
        let mut text = format!(
            "cannot tell which is ahead: {}",
            self.numbers(test, Some(p))
        );
        let required = self.pair.required(self.options);
        let worth = required.filter(|required| {
            required.blocks < BLOCKS_WORTH_TELLING && (test.n_a as u64) < required.blocks
        });
        if test.p <= 1.0 - self.options.confidence {
            let family = counted(self.family, "comparison");
            text += &format!(
                "; alone it would be ({}), among {family} it is not",
                p_equals(test.p)
            );
        } else if let Some(required) = worth {
            let known = match required.high {
                Some(high) => format!("{} to {}", amount(required.low), amount(high)),
                None => format!("any number from {} on", amount(required.low)),
            };
            text += &format!(
                "; were it as large as it looks, it would show in {} blocks ({} % power), but it may take {known}",
                amount(required.blocks),
                level(self.options.power),
            );
        }
        text
    }

    /// The difference with its interval, and p.
    fn numbers(&self, test: &TTest, p: Option<String>) -> String {
        let digits = decimals([test.se]);
        format!(
            "{} {} ({} % CI {}{})",
            signed(test.mean_difference, digits),
            self.unit(),
            level(self.options.confidence),
            interval((test.interval.low, test.interval.high), digits),
            p.map_or_else(String::new, |p| format!(", {p}")),
        )
    }

    /// The method that the adjusted p comes from.
    fn correction(&self) -> Correction {
        self.pair.adjusted_by.unwrap_or(self.options.correction)
    }

    fn unit(&self) -> String {
        format!("{} a {}", self.about.score, self.about.unit)
    }

    /// The margin, where the difference is significantly below it.
    fn margin(&self) -> Option<f64> {
        let is_close = self
            .pair
            .equivalence
            .is_some_and(|equal| equal.p_adjusted <= 1.0 - self.options.confidence);
        self.options.equal_within.filter(|_| is_close)
    }

    /// p as it was judged.
    fn p(&self, p: f64, adjusted: Option<f64>, correction: Correction) -> String {
        match (correction_name(correction), adjusted) {
            (Some(name), Some(p)) if self.family > 1 => format!("{} after {name}", p_equals(p)),
            _ => p_equals(p),
        }
    }
}

/// A number of blocks: exact while it is small.
pub(super) fn amount(blocks: u64) -> String {
    if blocks < 100_000 {
        grouped(blocks)
    } else {
        format!("about {}", short(blocks as f64))
    }
}
